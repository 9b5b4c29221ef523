// SPDX-License-Identifier: MIT
// What a counting process says of itself, and what others say of it, in one shape.

package import RerenderModel
package import RerenderWire

/// Evaluations by `STORE/VIEW`.
package struct Truth: Equatable {
    package private(set) var counts: [String: UInt64] = [:]

    package var sum: UInt64 { counts.values.reduce(0, +) }

    /// Reads the answer to `counts`: `STORE/VIEW=COUNT` with semicolons between.
    package init(_ answer: String) {
        for entry in answer.split(separator: ";") {
            let parts = entry.split(separator: "=")
            if parts.count == 2 { counts[String(parts[0])] = UInt64(parts[1]) }
        }
    }

    /// What the latest totals on a connection say.
    package init(_ messages: [AppMessage]) {
        var stores: [UInt32: String] = [:]
        var views: [UInt32: [UInt32: String]] = [:]
        for message in messages {
            switch message {
            case .store(let state): stores[state.storeID] = state.name
            case .view(let view): views[view.storeID, default: [:]][view.index] = view.key
            default: break
            }
        }
        for (store, totals) in LatestTotals(messages).counts {
            for (view, count) in totals {
                counts["\(stores[store] ?? "?")/\(views[store]?[view] ?? "?")"] = count
            }
        }
    }

    /// What an export says of one process.
    package init(_ export: StatsExport, pid: Int32) {
        for process in export.processes where process.pid == pid {
            for view in process.views where view.count > 0 {
                counts["\(process.store)/\(view.key.rawValue)"] = view.count
            }
        }
    }
}
