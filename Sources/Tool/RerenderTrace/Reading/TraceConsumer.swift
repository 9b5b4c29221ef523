// SPDX-License-Identifier: MIT
// What reads a trace's events: a report, or a format that is written while they come.

/// Takes the events of a trace, once each, in the order of time.
///
/// A trace may be larger than memory: keep sums, and write what is to be written at once.
package protocol TraceConsumer {
    /// Takes some events.
    mutating func consume(_ events: Span<TraceEvent>) throws

    /// There are no more events.
    mutating func finish() throws
}
