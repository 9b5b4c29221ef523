// SPDX-License-Identifier: MIT
// Runs event handlers: names them, and attributes the time of the main loop to them.

import CRerender
import RerenderWire
import Synchronization

/// Proof of the unsafe parts: see ``HandlerFrame``.
extension StoreCore {
    /// Runs a handler; writes in it name it.
    @usableFromInline
    func handle<Output, Failure>(
        _ name: String, of view: String?, reactingTo instance: InstanceID??, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let (handler, timed) = handler(name, of: view)
        let link = handlerLink(handler, of: view, reactingTo: instance)
        var frame = unsafe HandlerFrame(
            handler: handler, timed: timed, epoch: epoch, enclosing: crerender_handler(), evaluation: crerender_frame(),
            link: link)
        return try unsafe withUnsafeMutablePointer(to: &frame) { frame throws(Failure) in
            unsafe begin(frame)
            defer { unsafe end(frame) }
            return try body()
        }
    }

    private func begin(_ frame: UnsafeMutablePointer<HandlerFrame>) {
        unsafe crerender_set_handler(frame)
        let now = MonotonicClock.now
        guard let loop = loopRecord, mainLoop.runsOnThisThread(loop, at: now) else { return }
        unsafe loop.handlerBegan(frame.pointee.timed, epoch: frame.pointee.epoch, at: now)
    }

    private func end(_ frame: UnsafeMutablePointer<HandlerFrame>) {
        unsafe crerender_set_handler(frame.pointee.enclosing)
        let now = MonotonicClock.now
        guard let loop = loopRecord, mainLoop.runsOnThisThread(loop, at: now) else { return }
        let evaluation = unsafe frame.pointee.evaluation?.assumingMemoryBound(to: EvaluationFrame.self)
        unsafe loop.handlerEnded(at: now, enclosing: Self.runner(in: evaluation))
    }

    /// The handler of a name and a view, made if it is new, and where its time goes: to the others, if the store has no room.
    private func handler(_ name: String, of view: String?) -> (named: EventHandler, timed: EventHandler) {
        let name = HandlerName(
            view: view.map { LongText.bounded($0, to: WireLimits.keyBytes) },
            name: LongText.bounded(name, to: StoreLimits.handlerNameBytes))
        let (named, timed, isNew) = handlers.withLock { handlers in
            if let known = handlers.byName[name] { return (known, known, false) }
            if handlers.all.count < StoreLimits.handlers {
                // It owns its texts: they may be slices that would keep a large string of the app's alive.
                let owned = HandlerName(view: name.view.map(LongText.copy), name: LongText.copy(name.name))
                let made = handlers.add(owned, of: id)
                return (made, made, true)
            }
            let known = handlers.byName[.others]
            let others = known ?? handlers.add(.others, of: id)
            return (EventHandler(storeID: id, index: others.index, name), others, known == nil)
        }
        // The daemon is to hear of it while it runs: it may hang.
        if isNew { markStateDirty() }
        return (named, timed)
    }

    /// The handlers from a number on.
    func handlers(from index: Int) -> ArraySlice<EventHandler> { handlers.withLock { $0.all[index...] } }
}

/// The handlers of a store.
struct HandlerList: Sendable {
    private(set) var byName: [HandlerName: EventHandler] = [:]
    private(set) var all: [EventHandler] = []

    fileprivate mutating func add(_ name: HandlerName, of storeID: UInt32) -> EventHandler {
        let handler = EventHandler(storeID: storeID, index: UInt32(all.count), name)
        byName[name] = handler
        all.append(handler)
        return handler
    }
}
