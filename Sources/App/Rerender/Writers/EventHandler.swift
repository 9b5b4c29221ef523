// SPDX-License-Identifier: MIT
// The event handlers that a bridge or an app tells of: what writes are named by, and what time in a turn is attributed to.

import CRerender
import RerenderWire

/// An event handler of a store, by its name and its view; each once, as long as the store lives.
final class EventHandler: Sendable {
    let name: HandlerName
    /// The handler's number in its store, from 0 without gaps.
    let index: UInt32
    /// Where its time goes.
    let timed: TimedPlace
    /// What a writer says of it, within the bounds of a writer's text.
    let text: String

    init(storeID: UInt32, index: UInt32, _ name: HandlerName) {
        self.index = index
        self.name = name
        text = LongText.bounded(name.text, to: StoreLimits.handlerTextBytes)
        timed = TimedPlace(
            pageWord: LoopLayout.word(storeID: storeID, index: index, phase: .handler), pageKey: PageKey(name.pageText))
    }

    /// The innermost handler that runs on this thread.
    ///
    /// Safe: the thread's innermost span is alive, see ``TimedSpan``.
    static var ofThisThread: EventHandler? {
        if unsafe crerender_span() == nil { return nil }
        crerender_drop_left()
        return unsafe crerender_span()?.assumingMemoryBound(to: TimedSpan.self).pointee.handler?.takeUnretainedValue()
    }
}

extension EventHandler: Hashable {
    /// By name, whatever the store: two stores' handlers of one name are one writer.
    static func == (lhs: EventHandler, rhs: EventHandler) -> Bool { lhs === rhs || lhs.name == rhs.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A handler, or another phase of a view, that has begun and not ended.
///
/// It is in memory that stays: that of a ``RunningCall``, or of its caller, who ends or forgets it before he uses the memory again. It is among
/// those of its thread until it is ended or forgotten, or until what it began in was left. So the thread's innermost span is always
/// alive, and the spans of a thread form a stack. What it names lives as long as its store, which who has the memory keeps.
@unsafe
struct TimedSpan {
    /// What writes are named by: the innermost handler.
    let handler: Unmanaged<EventHandler>?
    /// What the time is attributed to: of a handler the same, or the others where the store had no room.
    let timed: Unmanaged<TimedPlace>
    /// The epoch of its store when it began.
    let epoch: UInt32
    /// The span that this one runs in.
    let enclosing: UnsafeMutableRawPointer?
    /// The frame of the evaluation that this one runs in.
    let evaluation: UnsafeMutableRawPointer?
    /// Whether it is a handler.
    let isHandler: Bool
    /// Whether handler and link are let go of with it.
    let isOwner: Bool
    /// The handler as a step; nil if no evaluation led to it.
    let link: Unmanaged<CauseLink>?

    func release() {
        guard unsafe isOwner else { return }
        unsafe handler?.release()
        unsafe link?.release()
    }
}
