// SPDX-License-Identifier: MIT
// Views whose bodies were never seen: below the tables, and in the explanation of one.

/// What is said of views of which values were in evaluated outputs and whose bodies were never called through their hooks.
package enum NotSeenText {
    /// Names in one line.
    private static let named = 8
    /// An output has values that are never shown, too: of a closed section, or a row outside of the window.
    static let cause = "not shown, or inlined: build with -Xswiftc -disable-cmo, or without -O"

    /// A line for each store that has such views; not yet fitted to a width.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        return stores.compactMap { store in
            guard let views = store.notSeenViews, views.count > 0 else { return nil }
            let place = stores.count > 1 ? " in \(labels.full(store))" : ""
            let names = views.keys.prefix(named).map(\.displayName)
            let more =
                views.count > UInt64(names.count) ? ["\(Counted.grouped(views.count - UInt64(names.count))) more"] : []
            return "not seen\(place): \((names + more).joined(separator: ", ")) (\(cause))"
        }
    }

    /// What is said of one such view.
    package static let sentence =
        "Not seen: values of it were in evaluated outputs, and its body was never called through its hook (\(cause))."
}

extension Stats {
    /// Whether it stands in a table: what was never seen is said below it, unless there is a hang or a commit to show.
    package var isRow: Bool { notSeen != true || hangs.count > 0 || commits > 0 }
}
