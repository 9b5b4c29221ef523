// SPDX-License-Identifier: MIT
// Input events, and which of them become one.

/// Something that the user did.
public struct InputEvent: Hashable, Sendable {
    /// What was done.
    public enum Kind: Hashable, Sendable {
        /// A finger or a button went down.
        case began
        /// It moved. Several between two frames are one event.
        case moved
        /// It went up.
        case ended
        /// Down and up in one place.
        case tap
        /// A character was typed.
        case key(Character)
        /// A control was given a value: a slider, from 0 to 1.
        case value(Double)
        /// A field was given another text, where the user edited it in whatever way.
        case text(String)
        /// Something was scrolled by so many lines, down where positive. Several between two frames are one event with
        /// their sum.
        case scrolled(Int)
    }

    /// Where something was, and when.
    public struct Sample: Hashable, Sendable {
        /// The place.
        public let location: CellPoint
        /// The driver's time in nanoseconds; 0 until the event is sent.
        public internal(set) var nanoseconds: UInt64
    }

    /// What was done.
    public private(set) var kind: Kind
    /// The name of the view that is meant; nil if the place says which.
    public let target: String?
    /// Where and when, at last.
    public private(set) var latest: Sample
    /// Every place and time that became this event, the latest last.
    public private(set) var history: [Sample]

    /// Makes an event.
    public init(_ kind: Kind, target: String? = nil, location: CellPoint = .zero) {
        self.kind = kind
        self.target = target
        latest = Sample(location: location, nanoseconds: 0)
        history = [latest]
    }

    mutating func stamp(_ nanoseconds: UInt64) {
        latest.nanoseconds = nanoseconds
        history = [latest]
    }

    /// Takes a later event up; false if the two have to stay apart.
    mutating func coalesce(_ next: InputEvent) -> Bool {
        guard next.target == target else { return false }
        switch (kind, next.kind) {
        case (.moved, .moved): break
        case (.scrolled(let lines), .scrolled(let more)):
            kind = .scrolled(CellLimit.place(CellLimit.place(lines) + CellLimit.place(more)))
        default: return false
        }
        latest = next.latest
        history += next.history
        return true
    }
}
