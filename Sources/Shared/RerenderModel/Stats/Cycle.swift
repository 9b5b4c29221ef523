// SPDX-License-Identifier: MIT
// Writes that lead to each other.

/// Evaluations and handlers that lead to each other: each writes what leads to the next, and the last one to the first.
///
/// A way that leads back fewer than ten times in a row is none: a layout may need some rounds to settle. What input, a timer or another
/// thread contributes to ends the row.
package struct Cycle: Hashable, Codable, Sendable {
    /// One evaluation or handler.
    package struct Step: Hashable, Codable, Sendable {
        /// The view's key, or what the handler is called, with its view.
        package var name: String
        /// The code that wrote what led to this step; nil where the step before leads to it without a write, or where it is not known.
        package var writer: String?

        package init(name: String, writer: String?) { (self.name, self.writer) = (name, writer) }
    }

    /// The steps; the last one leads to the first. None for all cycles for which there was no room.
    package var steps: [Step]
    /// How often the cycle went round.
    package var rounds: UInt64
    /// How many of these came in a row, without another cause, before or at ``latestAt``.
    package var latestRounds: UInt64
    /// How long these took, in nanoseconds: from the end of the first to that of the last.
    package var latestNanoseconds: UInt64
    /// When the last round ended.
    package var latestAt: Timestamp

    package init(
        steps: [Step], rounds: UInt64, latestRounds: UInt64, latestNanoseconds: UInt64, latestAt: Timestamp
    ) {
        (self.steps, self.rounds, self.latestRounds) = (steps, rounds, latestRounds)
        (self.latestNanoseconds, self.latestAt) = (latestNanoseconds, latestAt)
    }
}

extension Cycle {
    /// How often it went round in a second; nil where that was too short to tell.
    package var perSecond: Double? {
        guard latestRounds > 1, latestNanoseconds > 0 else { return nil }
        return Double(latestRounds - 1) / (Double(latestNanoseconds) / 1e9)
    }
}
