// SPDX-License-Identifier: MIT
// How many events a recording has.

/// The number of a trace's events, of every kind.
package struct EventCount: Hashable, Sendable {
    private struct IsEnough: Error {}

    /// The command of this program that counts in a process of its own.
    package static let command = "count-events"
    /// How many are counted: a tenth of a second's work. A recording ends when it is said what it has; `report` counts all.
    package static let most: UInt64 = 100_000

    package let number: UInt64
    /// Whether there are no more.
    package let isWhole: Bool

    private init(_ number: UInt64, isWhole: Bool) { (self.number, self.isWhole) = (number, isWhole) }

    /// Counts the events in the traces below `path`; there are none where it has no traces.
    ///
    /// Reads on the caller's thread. Throws where the trace cannot be read to its end, or as far as `most` events.
    package init(of path: String, most: UInt64 = most) throws(TraceError) {
        do {
            let reader = try TraceReader(path: path)
            try reader.read { _ in if reader.eventCount > most { throw IsEnough() } }
            self.init(reader.eventCount, isWhole: true)
        } catch let error as TraceError {
            guard error.code == .empty else { throw error }
            self.init(0, isWhole: true)
        } catch {
            self.init(most, isWhole: false)
        }
    }

    /// As ``text`` says it; nil for anything else.
    package init?(text: String) {
        guard let number = UInt64(text.hasSuffix("+") ? text.dropLast() : text[...]) else { return nil }
        self.init(number, isWhole: !text.hasSuffix("+"))
    }

    /// The number, with a plus where there are more.
    package var text: String { isWhole ? "\(number)" : "\(number)+" }
}
