// SPDX-License-Identifier: MIT
// The shortest unambiguous names of stores.

package import RerenderModel

/// Tells a store from all others; a pid alone may be given to another process.
package struct StoreID: Hashable, Sendable {
    package let pid: Int32
    let startedAt: Timestamp
    /// Its name.
    package let store: String

    /// The identity of a store.
    package init(_ store: ProcessStats) {
        (pid, startedAt, self.store) = (store.pid, store.startedAt, store.store)
    }
}

/// Names each store of an export so that no two have the same name.
///
/// A process's name alone where it is the only one of that name; with its pid where several have it, or the pid alone
/// where all have it; with the store's name where one process has several stores. Safe to print.
package struct StoreLabels: Sendable {
    private let pidsByName: [String: Set<Int32>]
    private let storesByProcess: [Int32: Set<String>]

    /// Learns the names that there are.
    package init(_ processes: [ProcessStats]) {
        pidsByName = processes.reduce(into: [:]) { $0[$1.name, default: []].insert($1.pid) }
        storesByProcess = processes.reduce(into: [:]) { $0[$1.pid, default: []].insert($1.store) }
    }

    /// The store's name among these.
    package func label(_ process: ProcessStats) -> String {
        var text = Printable.text(process.name)
        if pidsByName[process.name, default: []].count > 1 {
            text = pidsByName.count == 1 ? "\(process.pid)" : "\(text)[\(process.pid)]"
        }
        if storesByProcess[process.pid, default: []].count > 1 { text += "/" + Printable.text(process.store) }
        return text
    }

    /// The full name of the store.
    package static func full(_ process: ProcessStats) -> String {
        "\(Printable.text(process.name))[\(process.pid)]/\(Printable.text(process.store))"
    }
}

extension Hang {
    /// Whether it is blamed on a view of a store of the process. Of a hang whose store is not known it is not said.
    package func isBlamed(on key: ViewKey, of store: ProcessStats) -> Bool {
        pid == store.pid && view == key && viewStore?.number == store.storeNumber
    }
}
