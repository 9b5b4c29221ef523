// SPDX-License-Identifier: MIT
// What goes on in a process while nobody uses it.

/// Evaluations of one cause, or frames, that came without input: none had come for two seconds.
///
/// It is a fact and no fault: a clock has to go on. Only of processes in which somebody tells of all input, and from ten evaluations
/// or frames in a row on.
package struct IdleWork: Hashable, Codable, Sendable {
    /// What it is.
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

        package init() {}

        /// Adds one.
        package mutating func add(isOwn: Bool, nanoseconds: UInt64) {
            own &+= isOwn ? 1 : 0
            count &+= 1
            self.nanoseconds &+= nanoseconds
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
    /// All of it.
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

    /// Which part of a core it took in the latest row; nil where that took less than a second.
    package var share: Double? {
        perSecond.map { $0 * Double(latest.nanoseconds) / Double(latest.own) / 1e9 }
    }
}
