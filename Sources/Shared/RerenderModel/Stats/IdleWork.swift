// SPDX-License-Identifier: MIT
// What repeats without a user: what goes on in an idle process, and writes that lead to each other.

/// Evaluations of one cause, or frames, that came without input: none had come for two seconds.
///
/// It is a fact and no fault: a clock has to go on. Only of processes in which somebody tells of all input, and from ten evaluations
/// or frames in a row on.
package struct IdleWork: Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// Evaluations of one cause.
        case evaluations
        /// Frames that the toolkit drew, whatever the cause.
        case frames
        /// Evaluations of all causes for which there was no room.
        case others
    }

    /// What the code that wrote was called by.
    package struct Callback: Hashable, Codable, Sendable {
        /// What called it: `timer`, `idle function`, or `source`.
        package var source: String
        /// The function; nil where it is not known.
        package var function: String?

        package init(source: String, function: String?) { (self.source, self.function) = (source, function) }
    }

    /// How much it was.
    package struct Amount: Hashable, Codable, Sendable {
        /// Evaluations of the view that the cause is of; frames.
        package var own: UInt64 = 0
        /// These, and the evaluations that they led to.
        package var count: UInt64 = 0
        /// The time of all of them in nanoseconds: each evaluation's own, and all phases of a frame.
        package var nanoseconds: UInt64 = 0
        /// Those of ``own`` that were measured not to be needed; nil where that is not counted, and in an older export.
        package var wasted: UInt64?

        package init() {}

        /// Adds one. `isWasted`: whether it was measured not to be needed; nil where that is not counted.
        package mutating func add(isOwn: Bool, nanoseconds: UInt64, isWasted: Bool? = nil) {
            own &+= isOwn ? 1 : 0
            if isOwn, let isWasted { wasted = (wasted ?? 0) &+ (isWasted ? 1 : 0) }
            count &+= 1
            self.nanoseconds &+= nanoseconds
        }

        /// Notes that one of ``own`` that was added turned out not to be needed.
        package mutating func addWasted() {
            if let wasted, wasted < own { self.wasted = wasted + 1 }
        }
    }

    package var kind: Kind
    /// The view that the cause is of; empty for frames and others.
    package var view = ""
    /// Why it was evaluated; empty for frames and others.
    package var reason = ""
    /// The code that wrote; nil where it is not known, or nothing was written.
    package var writer: String?
    /// What that code was called by; nil where it is not known.
    package var callback: Callback?
    package var all = Amount()
    /// Those that came in a row: less than two seconds from one to the next, and no input between.
    package var latest = Amount()
    /// How long the row took in nanoseconds: from its first to its last.
    package var latestDuration: UInt64 = 0
    /// When the last came.
    package var latestAt: Timestamp

    package init(_ kind: Kind, latestAt: Timestamp) { (self.kind, self.latestAt) = (kind, latestAt) }
}

extension IdleWork {
    /// Whether it is the same, and nothing came since. When the last came is left out: it is worked out anew each time.
    package func isAsFar(as other: IdleWork) -> Bool {
        var other = other
        other.latestAt = latestAt
        return self == other
    }

    /// Over less time, what came in it is told, and no rate.
    private static let leastDuration: UInt64 = 1_000_000_000

    /// How often it came in a second of the latest row; nil where that took less than a second.
    package var perSecond: Double? {
        guard latest.own > 1, latestDuration >= Self.leastDuration else { return nil }
        return Double(latest.own - 1) / (Double(latestDuration) / 1e9)
    }

    /// The same with the evaluations that they led to.
    package var allPerSecond: Double? { perSecond.map { $0 * Double(latest.count) / Double(latest.own) } }

    /// Whether its latest row lasted long enough for a finding; see ``QuietStretch/isLong(at:)``.
    package func isLong(at now: Timestamp?) -> Bool {
        var stretch = QuietStretch()
        (stretch.nanoseconds, stretch.latestAt) = (latestDuration, latestAt)
        return stretch.isLong(at: now)
    }

    /// Which part of a core it took in the latest row; nil where that took less than a second.
    package var share: Double? {
        perSecond.map { $0 * Double(latest.nanoseconds) / Double(latest.own) / 1e9 }
    }
}

/// Evaluations and handlers that lead to each other: each writes what leads to the next, and the last one to the first.
///
/// A way that leads back fewer than ten times in a row does not count: a layout may need some rounds to settle. What input, a timer or another
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
    /// What lies between two steps, such as `an idle function` or `a Task`; nil where each leads to the next at once.
    package var over: String?

    package init(
        steps: [Step], rounds: UInt64, latestRounds: UInt64, latestNanoseconds: UInt64, latestAt: Timestamp,
        over: String? = nil
    ) {
        (self.steps, self.rounds, self.latestRounds) = (steps, rounds, latestRounds)
        (self.latestNanoseconds, self.latestAt, self.over) = (latestNanoseconds, latestAt, over)
    }
}

extension Cycle {
    /// How often it went round in a second; nil where that was too short to tell.
    package var perSecond: Double? {
        guard latestRounds > 1, latestNanoseconds > 0 else { return nil }
        return Double(latestRounds - 1) / (Double(latestNanoseconds) / 1e9)
    }
}
