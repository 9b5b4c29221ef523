// SPDX-License-Identifier: MIT
// Evaluations, phases and event handlers whose beginning and end are two calls, and the steps that writes take.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

#if RERENDER_PROBES
    /// An evaluation that has begun on this thread, and ends when its owner calls `end`.
    ///
    /// Proof of the unsafe parts. The frame and its details are this object's own memory, from `init` to `deinit`, and so is the store.
    /// The frame is listed until it is ended or dropped, or until an evaluation around it has ended, which drops it. The owner of this object
    /// lets go of it only when it is gone.
    @safe
    package final class BegunEvaluation {
        /// Where it is among the evaluations that run on the calling thread.
        package enum Standing {
            case innermost
            /// Others have begun in it, and not ended.
            case outer
            /// What it began in has ended before it.
            case gone
        }

        /// The view's key.
        package let label: String
        package let instance: InstanceID?
        private let store: RerenderStore
        private let frame: UnsafeMutablePointer<EvaluationFrame>

        /// Begins an evaluation on this thread, where all other calls have to be, too; nil where nothing counts.
        package init?(_ label: String, in store: RerenderStore, instance: InstanceID?) {
            let core = store.core
            guard core.isEnabled else { return nil }
            let frame = UnsafeMutablePointer<EvaluationFrame>.allocate(capacity: 1)
            unsafe frame.initialize(to: EvaluationFrame())
            guard unsafe core.enter(frame) else {
                unsafe frame.deallocate()
                return nil
            }
            unsafe frame.pointee.store = Unmanaged.passUnretained(core)
            unsafe frame.pointee.details = EvaluationDetails.allocate()
            unsafe (self.label, self.instance, self.store, self.frame) = (label, instance, store, frame)
            let arguments = EvaluationArguments(
                label: nil, instance: instance, parent: nil, parentInstance: nil, reason: nil, inputs: nil,
                isPass: false,
                file: "", line: 0)
            unsafe core.begin(frame, arguments, of: core.view(label: label, file: "", line: 0), value: nil)
            unsafe core.bodyOfOpenBegins(frame)
        }

        deinit {
            unsafe frame.pointee.details?.deinitialize(count: 1)
            unsafe frame.pointee.details?.deallocate()
            unsafe frame.deallocate()
        }

        package var standing: Standing {
            guard unsafe frame.pointee.isListed else { return .gone }
            return unsafe StoreCore.innermostFrame == frame ? .innermost : .outer
        }

        /// Ends it and counts it. Only the innermost one may end.
        package func end() {
            unsafe store.core.bodyOfOpenEnded(frame)
            unsafe store.core.end(frame)
        }

        /// Drops it, and what began in it: it never ended, and does not count. Nothing happens where it is gone.
        package func drop() { if unsafe frame.pointee.isListed { unsafe store.core.drop(frame) } }
    }

    /// What time of the main loop goes to while it runs, except for bodies and other spans in it.
    ///
    /// Proof of the unsafe parts: a span's memory is the caller's, who ends or forgets it in the order of a stack on the thread that began it;
    /// what it names lives as long as the store, which this keeps.
    @safe
    package final class InjectedSpan: Sendable {
        private let store: RerenderStore
        private let timed: TimedPlace
        private let handler: EventHandler?

        init(_ timed: TimedPlace, handler: EventHandler? = nil, in store: RerenderStore) {
            (self.timed, self.handler, self.store) = (timed, handler, store)
        }

        /// An event handler of a view, or of none.
        package init(handler name: String, of view: String?, in store: RerenderStore) {
            let (named, timed) = store.core.handler(name, of: view)
            (self.timed, handler, self.store) = (timed.timed, named, store)
        }

        /// All handlers for which there is no room.
        package static func otherHandlers(in store: RerenderStore) -> InjectedSpan {
            InjectedSpan(handler: HandlerName.others.name, of: nil, in: store)
        }

        /// The memory that one run takes, aligned as a word is.
        package static var byteCount: Int { unsafe MemoryLayout<TimedSpan>.stride }

        /// It begins; returns when, in nanoseconds.
        @inline(__always)
        package func begin(in memory: UnsafeMutableRawPointer) -> UInt64 {
            let span = unsafe memory.assumingMemoryBound(to: TimedSpan.self)
            let core = store.core
            unsafe span.initialize(
                to: core.span(
                    of: Unmanaged.passUnretained(timed), handler: handler.map { unsafe Unmanaged.passUnretained($0) }))
            return unsafe core.begin(span)
        }

        /// It ends; returns when, in nanoseconds.
        @inline(__always)
        package func end(in memory: UnsafeMutableRawPointer) -> UInt64 {
            unsafe store.core.end(memory.assumingMemoryBound(to: TimedSpan.self))
        }

        /// Its call was left by a jump: what is around it is what runs now.
        package static func forget(in memory: UnsafeMutableRawPointer) {
            unsafe StoreCore.unlist(memory.assumingMemoryBound(to: TimedSpan.self))
        }

        /// Runs something as the span.
        package func run<Result>(_ body: () -> Result) -> Result {
            unsafe store.core.run(
                Unmanaged.passUnretained(timed), handler.map { unsafe Unmanaged.passUnretained($0) }, nil,
                isOwner: false,
                body)
        }
    }

    /// A step that a toolkit's part holds by its address.
    ///
    /// Proof of the unsafe parts: an address is one that was returned here, retained, and that was not forgotten.
    package enum InjectedStep {
        package static func keep(_ step: UnsafeMutableRawPointer) {
            _ = unsafe Unmanaged<CauseLink>.fromOpaque(step).retain()
        }

        package static func forget(_ step: UnsafeMutableRawPointer) {
            unsafe Unmanaged<CauseLink>.fromOpaque(step).release()
        }

        /// A step as one that leads on over an idle function: the given one, or else the body or handler that runs. Retained; nil where there is
        /// none.
        package static func overIdleFunction(_ step: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            let current = unsafe step.map { unsafe Self.link($0) } ?? StoreCore.currentLink()
            return unsafe current.map { unsafe Unmanaged.passRetained($0.leading(over: .idleFunction)).toOpaque() }
        }

        /// Has writes of code that the main loop calls followed back to the step that led to it.
        ///
        /// - Parameter running: Returns what ``overIdleFunction(_:)`` returned, or null. For as long as the process runs.
        package static func follow(_ running: @escaping @convention(c) () -> UnsafeMutableRawPointer?) {
            unsafe SourceSteps.follow(running)
        }

        fileprivate static func link(_ step: UnsafeMutableRawPointer) -> CauseLink {
            unsafe Unmanaged<CauseLink>.fromOpaque(step).takeUnretainedValue()
        }
    }

    extension InjectedView {
        /// The step of a run, to be forgotten; nil where nothing counts.
        ///
        /// - Parameters:
        ///   - isLayout: Whether it is a layout, and no evaluation.
        ///   - previous: The step that wrote what led to it; nil where something else did.
        ///   - writer: Where that was written: the address that the call returns to; 0 where it is not known.
        ///   - outside: How often something came from outside up to now, which ends a row of rounds.
        package func step(
            instance: UInt64, isLayout: Bool, after previous: UnsafeMutableRawPointer?, writer: UInt,
            outside: UInt64
        ) -> UnsafeMutableRawPointer? {
            guard let (core, view) = counted else { return nil }
            let step: CauseLink.Step =
                isLayout
                ? .layout(storeID: view.storeID, view: view.index, key: view.key, instance: instance)
                : .evaluation(storeID: view.storeID, view: view.index, key: view.key, instance: instance)
            guard let previous = unsafe previous else {
                return unsafe Unmanaged.passRetained(CauseLink(step, after: nil, outside: outside))
                    .toOpaque()
            }
            let origin = WriteOrigin(stack: .ofCaller(writer), handler: nil)
            let named = writer == 0 ? nil : Writer(function: .caller, origin: origin)
            let (link, cycle) = unsafe CauseLink.closing(
                step, writer: named, after: InjectedStep.link(previous), at: MonotonicClock.now,
                outside: outside)
            if let cycle { core.note(cycle) }
            return unsafe Unmanaged.passRetained(link).toOpaque()
        }
    }
#endif
