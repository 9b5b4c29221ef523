// SPDX-License-Identifier: MIT
// Cycles in the explanation of a view.

/// What is said of writes that lead to each other.
package enum CycleText {
    /// The sentences about the cycles that a view is in.
    package static func sentences(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        cycles(of: view, store).flatMap { ["It is in a cycle: \($0.summary)."] + writers($0) }
    }

    /// A sentence for each step of a cycle that a write leads to.
    package static func writers(_ cycle: Cycle) -> [String] {
        cycle.steps.compactMap { step in
            step.writer.map { "\(Printable.text(step.name)) follows a write by \(Printable.text($0))." }
        }
    }

    /// Whether a view is in a cycle.
    package static func has(_ view: ViewKey, _ store: ProcessStats) -> Bool { !cycles(of: view, store).isEmpty }

    private static func cycles(of view: ViewKey, _ store: ProcessStats) -> [Cycle] {
        (store.cycles ?? []).filter { $0.steps.contains { $0.name == view.rawValue } }
    }
}
