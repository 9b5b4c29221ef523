// SPDX-License-Identifier: MIT
// Phases, and intervals of other signposters, between their events.

internal import CShared

/// A phase, or an interval of another signposter, that is open.
struct TracedInterval: Hashable {
    let pid: Int32
    /// The event's name without what it says of the signpost; empty for a phase.
    let provider: TextID
    let name: TextID
    let id: UInt64

    init(_ phase: Phase, _ pid: Int32) {
        (self.pid, provider, name, id) = (pid, .empty, phase.name, phase.signpost_id)
    }

    /// The interval of an event, or its name and provider alone where it is of none.
    init(_ other: OtherEvent, _ pid: Int32, _ texts: TraceTexts) {
        let event = texts[other.event]
        provider = texts.intern(String(event[..<(event.lastIndex(of: ":") ?? event.endIndex)]))
        name = other.fields.name.isEmpty ? other.event : other.fields.name
        (self.pid, id) = (pid, other.fields.signpost_id)
    }
}

extension [TracedInterval: Int64] {
    /// Notes when one began. Bounded.
    mutating func open(_ interval: TracedInterval, at nanoseconds: Int64) {
        if count < TraceLimits.threads { self[interval] = nanoseconds }
    }
}
