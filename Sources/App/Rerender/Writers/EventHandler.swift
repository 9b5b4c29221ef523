// SPDX-License-Identifier: MIT
// The event handlers that a bridge or an app tells of: what writes are named by, and what time in a turn is attributed to.

import CRerender
import RerenderWire

/// An event handler of a store, by its name and its view; each once, as long as the store lives.
final class EventHandler: Sendable {
    let name: HandlerName
    /// The handler's number in its store, from 0 without gaps.
    let index: UInt32
    /// The handler in the flight page.
    let place: LoopPlace
    /// What a writer says of it, within the bounds of a writer's text.
    let text: String

    init(storeID: UInt32, index: UInt32, _ name: HandlerName) {
        self.index = index
        self.name = name
        text = LongText.bounded(name.text, to: StoreLimits.handlerTextBytes)
        place = LoopPlace(
            pageWord: LoopLayout.handler(storeID: storeID, index: index), pageKey: PageKey(name.pageText))
    }

    /// The innermost handler that runs on this thread.
    ///
    /// Safe: the thread's innermost frame is alive, see ``HandlerFrame``.
    static var ofThisThread: EventHandler? {
        unsafe crerender_handler()?.assumingMemoryBound(to: HandlerFrame.self).pointee.handler
    }
}

extension EventHandler: Hashable {
    /// By name, whatever the store: two stores' handlers of one name are one writer.
    static func == (lhs: EventHandler, rhs: EventHandler) -> Bool { lhs === rhs || lhs.name == rhs.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A handler that has begun and not ended: a local variable of `RerenderStore.handling`, which ends it before it returns or
/// throws, on the thread that began it. So the thread's innermost frame is always alive, and the frames of a thread form
/// a stack.
@unsafe
struct HandlerFrame: ~Copyable {
    /// What writes are named by.
    let handler: EventHandler
    /// What the time is attributed to: the same, or the others where the store had no room.
    let timed: EventHandler
    /// The epoch of the handler's store when it began.
    let epoch: UInt32
    /// The frame of the handler that this one runs in.
    let enclosing: UnsafeMutableRawPointer?
    /// The frame of the evaluation that this one runs in.
    let evaluation: UnsafeMutableRawPointer?
    /// The handler as a step; nil if no evaluation led to it.
    let link: CauseLink?
}
