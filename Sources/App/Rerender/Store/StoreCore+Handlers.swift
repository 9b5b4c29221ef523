// SPDX-License-Identifier: MIT
// Runs event handlers and other phases of views: names them, and attributes the time of the main loop to them.

import CRerender
import RerenderWire
import Synchronization

/// Proof of the unsafe parts: see ``TimedSpan``.
extension StoreCore {
    /// Runs a handler; writes in it name it.
    @usableFromInline
    func handle<Output, Failure>(
        _ name: String, of view: String?, reactingTo instance: InstanceID??, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let (handler, timed) = handler(name, of: view)
        let link = handlerLink(handler, of: view, reactingTo: instance)
        // The span keeps them: a variable of this function would not let go of them where the body is left.
        return try unsafe run(
            Unmanaged.passUnretained(timed.timed), Unmanaged.passRetained(handler),
            link.map { unsafe Unmanaged.passRetained($0) }, isOwner: true, body)
    }

    /// Runs something as a span.
    ///
    /// - Parameter isOwner: Whether the handler and the link are let go of when the span has ended, or was left.
    func run<Output, Failure>(
        _ timed: Unmanaged<TimedPlace>, _ handler: Unmanaged<EventHandler>?, _ link: Unmanaged<CauseLink>?,
        isOwner: Bool, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var hasBegun = false
        defer {
            if isOwner && !hasBegun {
                unsafe handler?.release()
                unsafe link?.release()
            }
        }
        return try unsafe RunningCall.run(
            drop: { memory in
                let span = unsafe memory.assumingMemoryBound(to: TimedSpan.self)
                unsafe StoreCore.unlist(span)
                unsafe span.pointee.release()
            },
            begin: { running in
                hasBegun = true
                unsafe RunningCall.keep(self, in: running)
                let span = unsafe crerender_memory(running).assumingMemoryBound(to: TimedSpan.self)
                unsafe span.initialize(to: self.span(of: timed, handler: handler, link: link, isOwner: isOwner))
                unsafe begin(span)
            },
            end: { running in
                let span = unsafe crerender_memory(running).assumingMemoryBound(to: TimedSpan.self)
                unsafe end(span)
                unsafe span.pointee.release()
            }, body)
    }

    /// Takes a span out of those of this thread, and those in it; false if it is not among them: what it began in was left.
    @discardableResult
    static func unlist(_ span: UnsafeMutablePointer<TimedSpan>) -> Bool {
        var listed = unsafe crerender_span()
        while let inner = unsafe listed, unsafe inner != UnsafeMutableRawPointer(span) {
            unsafe listed = inner.assumingMemoryBound(to: TimedSpan.self).pointee.enclosing
        }
        guard unsafe listed != nil else { return false }
        unsafe crerender_set_span(span.pointee.enclosing)
        return true
    }

    /// A span of something that the store keeps; in a handler, or in the one that runs around it.
    @inline(__always)
    func span(
        of timed: Unmanaged<TimedPlace>, handler: Unmanaged<EventHandler>? = nil,
        link: Unmanaged<CauseLink>? = nil, isOwner: Bool = false
    ) -> TimedSpan {
        let enclosing = unsafe crerender_span()
        let around = unsafe enclosing?.assumingMemoryBound(to: TimedSpan.self)
        return unsafe TimedSpan(
            handler: handler ?? around?.pointee.handler, timed: timed, epoch: epoch, enclosing: enclosing,
            evaluation: crerender_frame(), isHandler: handler != nil, isOwner: isOwner, link: link)
    }

    /// Begins a span; returns when that was.
    @inline(__always)
    @discardableResult
    func begin(_ span: UnsafeMutablePointer<TimedSpan>) -> UInt64 {
        unsafe crerender_set_span(span)
        let now = MonotonicClock.now
        guard let loop = loopRecord, mainLoop.runsOnThisThread(loop, at: now) else { return now }
        unsafe span.pointee.timed._withUnsafeGuaranteedRef {
            unsafe loop.spanBegan($0, epoch: span.pointee.epoch, at: now)
        }
        return now
    }

    /// Ends a span; returns when that was.
    @inline(__always)
    @discardableResult
    func end(_ span: UnsafeMutablePointer<TimedSpan>) -> UInt64 {
        let now = MonotonicClock.now
        guard unsafe Self.unlist(span) else { return now }
        guard let loop = loopRecord, mainLoop.runsOnThisThread(loop, at: now) else { return now }
        let evaluation = unsafe span.pointee.evaluation?.assumingMemoryBound(to: EvaluationFrame.self)
        unsafe loop.spanEnded(at: now, enclosing: Self.runner(in: evaluation))
        return now
    }

    /// The handler of a name and a view, made if it is new, and where its time goes: to the others, if the store has no room.
    func handler(_ name: String, of view: String?) -> (named: EventHandler, timed: EventHandler) {
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
