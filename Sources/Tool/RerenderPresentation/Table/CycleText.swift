// SPDX-License-Identifier: MIT
// Cycles: above the tables, and in the explanation of a view.

package import RerenderToolBase

/// What is said of writes that lead to each other.
package enum CycleText {
    /// Lines in one screen.
    private static let listed = 3

    /// A line for each cycle, those with most rounds first; not yet fitted to a width.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        let all = stores.flatMap { store in
            let place = stores.count > 1 ? " in \(labels.full(store))" : ""
            return (store.cycles ?? []).map { (cycle: $0, place: place) }
        }.sorted { $0.cycle.rounds > $1.cycle.rounds }
        let more = all.count - listed
        return all.prefix(listed).map { "CYCLE\($0.place): \($0.cycle.summary)" }
            + (more > 0 ? ["and \(Counted.text(more, "more cycle")): see --json"] : [])
    }

    /// The sentences about the cycles that a view is in.
    package static func sentences(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        cycles(of: view, store).flatMap { cycle in
            let writers = cycle.steps.compactMap { step in
                step.writer.map { "\(Printable.text(step.name)) follows a write by \(Printable.text($0))." }
            }
            return ["It is in a cycle: \(cycle.summary)."] + writers
        }
    }

    /// Whether a view is in a cycle.
    package static func has(_ view: ViewKey, _ store: ProcessStats) -> Bool { !cycles(of: view, store).isEmpty }

    private static func cycles(of view: ViewKey, _ store: ProcessStats) -> [Cycle] {
        (store.cycles ?? []).filter { $0.steps.contains { $0.name == view.rawValue } }
    }
}
