// SPDX-License-Identifier: MIT
// How many events a recording has.

/// Counts the events of a trace, of every kind.
package enum EventCount {
    private struct TookTooLong: Error {}

    /// The command of this program that counts in a process of its own.
    package static let command = "count-events"
    /// How long counting may take; a million events take about a second.
    package static let limit = Duration.seconds(120)

    /// The events in the traces below `path`, 0 where they have none; nil where counting takes longer than `limit`.
    ///
    /// Reads all of it, on the caller's thread: about a second for a million events. Throws where it cannot be read to its
    /// end.
    package static func of(_ path: String, limit: Duration = limit) throws(TraceError) -> UInt64? {
        let end = ContinuousClock.now + limit
        do {
            let reader = try TraceReader(path: path)
            try reader.read { _ in if ContinuousClock.now >= end { throw TookTooLong() } }
            return reader.eventCount
        } catch let error as TraceError {
            guard error.code == .empty else { throw error }
            return 0
        } catch {
            return nil
        }
    }
}
