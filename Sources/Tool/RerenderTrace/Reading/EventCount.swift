// SPDX-License-Identifier: MIT
// How many events a recording has.

/// Counts the events of a trace, of every kind.
package enum EventCount {
    private struct TookTooLong: Error {}

    private struct Counter: TraceConsumer {
        let end: ContinuousClock.Instant
        var events: UInt64 = 0

        mutating func consume(_ events: Span<TraceEvent>) throws {
            guard ContinuousClock.now < end else { throw TookTooLong() }
            for index in events.indices {
                if case .discarded = events[index].what { continue }
                self.events += 1
            }
        }

        mutating func finish() {}
    }

    /// The events in the traces below `path`, 0 where they have none; nil where counting takes longer than `limit`.
    ///
    /// Reads all of it, on the caller's thread: about a second for a million events. Throws where it cannot be read to its
    /// end.
    package static func of(_ path: String, limit: Duration) throws(TraceError) -> UInt64? {
        var counter = Counter(end: .now + limit)
        do {
            try TraceReader(path: path).read(into: &counter)
        } catch let error as TraceError {
            guard error.code == .empty else { throw error }
        } catch {
            return nil
        }
        return counter.events
    }
}
