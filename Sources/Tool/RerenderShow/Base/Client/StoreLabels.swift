// SPDX-License-Identifier: MIT
// The shortest unambiguous names of stores.

package import RerenderModel

/// Tells a store from all others.
///
/// A pid alone may be given to another process, and stores of one process may have one name.
package struct StoreID: Hashable, Sendable {
    package let pid: Int32
    let startedAt: Timestamp
    private let name: String
    private let number: UInt32
    private let kind: StoreKind?

    /// The identity of a store.
    package init(_ store: ProcessStats) {
        (pid, startedAt, name, number) = (store.pid, store.startedAt, store.store, store.storeNumber)
        kind = store.kind
    }

    /// Selects this store among those of the processes that run.
    package var selection: ProcessSelection {
        ProcessSelection(process: String(pid), store: "\(name)#\(number)")
    }

    /// Whether it has the views of a program that knows nothing of it.
    var isInjected: Bool { kind == .injectedViews }
}

/// Names each store of an export so that no two have the same name.
///
/// A process's name alone where it is the only one of that name; with its pid where several have it, or the pid alone
/// where all have it; with the store's name where one process has several stores, and its number where these have one
/// name. Safe to print.
package struct StoreLabels: Sendable {
    private let pidsByName: [String: Set<Int32>]
    /// The numbers of a process's stores by their names.
    private let storesByProcess: [Int32: [String: Set<UInt32>]]

    /// Learns the names that there are.
    package init(_ processes: [ProcessStats]) {
        pidsByName = processes.reduce(into: [:]) { $0[$1.name, default: []].insert($1.pid) }
        storesByProcess = processes.reduce(into: [:]) {
            $0[$1.pid, default: [:]][$1.store, default: []].insert($1.storeNumber)
        }
    }

    /// The store's name among these.
    package func label(_ process: ProcessStats) -> String {
        var text = Printable.text(process.name)
        if pidsByName[process.name, default: []].count > 1 {
            text = pidsByName.count == 1 ? "\(process.pid)" : "\(text)[\(process.pid)]"
        }
        let stores = storesByProcess[process.pid, default: [:]]
        if stores.count > 1 || isNameShared(process) { text += "/" + Printable.text(process.store) }
        return text + number(process)
    }

    /// The full name of the store, with its number where another one of the process has its name.
    package func full(_ process: ProcessStats) -> String {
        Self.full(process) + number(process)
    }

    /// The full name of the store, which another one of the process may have, too.
    package static func full(_ process: ProcessStats) -> String {
        "\(Printable.text(process.name))[\(process.pid)]/\(Printable.text(process.store))"
    }

    private func number(_ process: ProcessStats) -> String {
        isNameShared(process) ? "#\(process.storeNumber)" : ""
    }

    private func isNameShared(_ process: ProcessStats) -> Bool {
        storesByProcess[process.pid]?[process.store, default: []].count ?? 0 > 1
    }
}

extension Hang {
    /// Whether it is blamed on a view of a store of the process. Of a hang whose store is not known it is not said.
    package func isBlamed(on key: ViewKey, of store: ProcessStats) -> Bool {
        pid == store.pid && view == key && viewStore?.number == store.storeNumber
    }
}
