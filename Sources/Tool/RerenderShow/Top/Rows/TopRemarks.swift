// SPDX-License-Identifier: MIT
// Sentences about all stores at once.

/// What is said of a sample as a whole. Made once, because the screen is laid out by how many of these sentences there are.
struct TopRemarks: Sendable {
    /// What goes on without input.
    var idle: String?
    /// Views that are no rows.
    var notSeen: String?
    /// What is missing from the numbers.
    var warning: String?

    init() {}

    /// - Parameter gaps: What is missing from what was saved.
    init(_ sample: TopSample, gaps: [String]) {
        idle = IdleText.now(sample.stores, sample.at)
        notSeen = Self.first(of: NotSeenText.lines(sample.stores))
        let notes = StatsNotes(stores: sample.stores, health: sample.health, order: sample.query.order)
        let missing = (gaps + GapText.lines(sample.stores)).map { "! " + $0 }
        warning = Self.first(of: missing + notes.warnings.map(\.text))
    }

    private static func first(of all: [String]) -> String? {
        guard let first = all.first else { return nil }
        return all.count == 1 ? first : first + " (and \(all.count - 1) more: rerenderctl stats)"
    }
}
