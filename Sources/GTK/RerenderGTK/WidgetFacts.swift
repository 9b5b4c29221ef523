// SPDX-License-Identifier: MIT
// What the main loop's account learns from the C part: what it knows of widgets, parts of the main thread's work, rows, and frames.

import CRerenderGTK
@_spi(Bridge) import Rerender
import RerenderModel
import Synchronization

/// The places of facts in a list that never shrinks: a fact that is no more stays there, with nothing counted.
struct FactPlaces: Sendable {
    private var indices: [Int: Int] = [:]
    private var facts: [WidgetFact] = []

    /// Takes the facts by their places, nil for a free one. Returns them in the order in which their places were met first.
    mutating func update(_ found: [WidgetFact?]) -> [WidgetFact] {
        for index in facts.indices { facts[index].numbers = WidgetFact.Numbers() }
        for (place, fact) in found.enumerated() {
            guard let fact else { continue }
            if let index = indices[place] {
                facts[index] = fact
            } else {
                indices[place] = facts.count
                facts.append(fact)
            }
        }
        return facts
    }
}

#if RERENDER_PROBES && RERENDER_GTK
    /// Reads the facts of the C part. Any thread.
    ///
    /// Proof of the unsafe parts: the C part copies into the buffer, which has room for all; the texts are kept as long as the process runs.
    enum WidgetFacts {
        private static let places = Mutex(FactPlaces())

        /// Has them sent with the main loop's account.
        static func provide() {
            InjectedLoop.provideFacts { named in
                let found = read(named: named)
                return places.withLock { $0.update(found) }
            } reset: {
                crerender_facts_reset()
                places.withLock { $0 = FactPlaces() }
            }
        }

        /// Functions that were named, by their addresses: the HUD's thread finds none by itself, and waits for no other one.
        private static let names = Mutex<[UInt: String]>([:])
        private static let mostNames = 256

        /// When interactions began, by the monotonic clock: read anew, the time of day would be another one each time.
        private static let times = Mutex<[UInt64: Timestamp]>([:])
        private static let mostTimes = 64

        fileprivate static func time(at now: UInt64) -> Timestamp {
            times.withLock { times in
                if let known = times[now] { return known }
                if times.count >= mostTimes { times = [:] }
                let time = InjectedLoop.time(at: now)
                times[now] = time
                return time
            }
        }

        fileprivate static func name(around address: UInt, named: Bool) -> String? {
            if let known = names.withLock({ $0[address] }) { return known }
            guard named, let name = InjectedLoop.function(around: address) else { return nil }
            names.withLock { if $0.count < mostNames { $0[address] = name } }
            return name
        }

        /// Those that there are, by their places. Takes milliseconds for a function not named before, if they are to be `named`.
        private static func read(named: Bool) -> [WidgetFact?] {
            let count = Int(CRERENDER_FACTS)
            let facts = unsafe [crerender_fact](unsafeUninitializedCapacity: count) { buffer, filled in
                guard let start = buffer.baseAddress else { return }
                unsafe crerender_facts_read(start)
                filled = count
            }
            return unsafe facts.map { unsafe WidgetFact($0, named: named) }
        }
    }

    extension WidgetFact {
        fileprivate init?(_ fact: crerender_fact, named: Bool) {
            // Both have the same order, and C's begins with none.
            guard let kind: Kind = unsafe TraceCode.value(UInt8(clamping: fact.kind.rawValue)),
                let view = unsafe fact.view
            else { return nil }
            unsafe self.init(kind, view: String(cString: view))
            hidden = unsafe fact.hidden.map { unsafe String(cString: $0) }
            parent = unsafe fact.parent.map { unsafe String(cString: $0) }
            writer = unsafe WidgetFacts.name(around: UInt(fact.writer), named: named)
            unsafe (numbers.count, numbers.of) = (fact.count, fact.of)
            unsafe (numbers.nanoseconds, numbers.processor) = (fact.nanoseconds, fact.processor)
            unsafe (numbers.longest, numbers.longestOf) = (fact.longest, fact.longest_of)
            unsafe (numbers.duration, numbers.same) = (fact.duration, fact.same)
            interaction = unsafe Interaction(fact.interaction)
        }
    }

    extension WidgetFact.Interaction {
        fileprivate init?(_ told: crerender_interaction) {
            guard let input: Input = TraceCode.value(UInt8(clamping: told.input.rawValue)) else { return nil }
            self.init(input, at: WidgetFacts.time(at: told.began))
            (evaluations, style, layout) = (told.evaluations, told.style, told.layout)
            (drawing, presentation) = (told.drawing, told.presentation)
        }
    }
#endif

#if RERENDER_PROBES && RERENDER_GTK
    /// Callbacks that concern the main loop. On GTK's thread alone; all of them touch memory only.
    ///
    /// Proof of the unsafe parts: a row's text is the C part's, which keeps it; places for a frame and for the times of parts live for the calls.
    enum WidgetLoop {
        static func fill(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.row = { _, kind, function, owner in
                unsafe InjectedLoop.row(kind: kind, function: UInt(function), of: owner)
            }
            unsafe callbacks.row_ran = { _, row, _ in InjectedLoop.ran(row: row) }
            unsafe callbacks.stands_in = { _, function, name in
                if let name = unsafe name { unsafe InjectedLoop.stands(in: UInt(function), for: name) }
            }
            unsafe callbacks.script = { _, frame in
                guard let frame = unsafe frame, let script = InjectedScripts.here else { return 0 }
                unsafe frame.pointee = script.frame
                return script.place
            }
            unsafe callbacks.script_callable = { _, callback, data in
                unsafe InjectedScripts.callable(callback, data: data)
            }
            unsafe callbacks.is_passed_over = { InjectedScripts.isPassedOver(UInt($0)) }
            unsafe callbacks.handler_began = { _, function, frame, around in
                let script = InjectedScripts.handlerBegan(UInt(function), in: UInt(frame))
                if let around = unsafe around { unsafe around.pointee.words = (script.place, script.frame) }
            }
            unsafe callbacks.handler_ended = { _, around in
                guard let around = unsafe around?.pointee.words else { return }
                InjectedScripts.handlerEnded(in: (UInt(around.0), UInt(around.1)))
            }
            unsafe callbacks.part_enter = { _, part, now in InjectedLoop.enter(part: part, at: now) }
            unsafe callbacks.part_leave = { _, around, now in InjectedLoop.leave(to: around, at: now) }
            unsafe callbacks.parts = { _, now, walls in
                if let walls = unsafe walls { unsafe InjectedLoop.parts(at: now, into: walls) }
            }
            unsafe callbacks.frame_seen = { _, isPainted, isSame, hasSlow in
                InjectedLoop.frame(isPainted: isPainted, isSame: isSame, hasSlow: hasSlow)
            }
            unsafe callbacks.frames_compared = { _, compared, same, likely, likelySame in
                InjectedLoop.compared(compared, same: same, likely: likely, likelySame: likelySame)
            }
        }
    }
#endif

// Phases and event handlers of widgets, and frames of windows, as the C part tells of them.

#if RERENDER_PROBES && RERENDER_GTK
    /// Callbacks beside those of runs. On GTK's thread alone.
    ///
    /// Proof of the unsafe parts: a phase or handler is one that was returned here, which its view or the counter keeps; the memory of
    /// a span is the C part's, which ends it before it leaves the function that has it; a frame lives for the call.
    enum WidgetPhases {
        static func fill(_ callbacks: inout crerender_gtk_callbacks) {
            precondition(InjectedSpan.byteCount <= MemoryLayout<crerender_gtk_span>.size)
            unsafe fillSpans(&callbacks)
            unsafe fillForgotten(&callbacks)
            unsafe fillFrames(&callbacks)
            unsafe fillSteps(&callbacks)
            unsafe WidgetLoop.fill(&callbacks)
            unsafe callbacks.input = { _ in RerenderStore.noteInput() }
        }

        private static func fillSpans(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.phase = { view, phase in
                guard let view = unsafe view else { return nil }
                return unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    unsafe WidgetPhases.pointer($0.span(phase))
                }
            }
            unsafe callbacks.handler = { context, view, name in
                guard let name = unsafe name else { return nil }
                let counted = unsafe view.map {
                    unsafe Unmanaged<WidgetView>.fromOpaque($0).takeUnretainedValue().counted
                }
                // Widgets without room share a view, whose name is that of one of them.
                let key = counted.flatMap { $0.hasRoom ? $0.label : nil }
                let handler = unsafe String(cString: name)
                return unsafe WidgetCounter.with(context) { unsafe WidgetPhases.pointer($0.handler(handler, of: key)) }
                    ?? nil
            }
            unsafe callbacks.span_began = { phase, span in
                guard let phase = unsafe phase, let span = unsafe span else { return 0 }
                return unsafe Unmanaged<InjectedSpan>.fromOpaque(phase)._withUnsafeGuaranteedRef {
                    unsafe $0.begin(in: UnsafeMutableRawPointer(span))
                }
            }
            unsafe callbacks.span_ended = { phase, span in
                guard let phase = unsafe phase, let span = unsafe span else { return 0 }
                return unsafe Unmanaged<InjectedSpan>.fromOpaque(phase)._withUnsafeGuaranteedRef {
                    unsafe $0.end(in: UnsafeMutableRawPointer(span))
                }
            }
        }

        private static func fillSteps(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.step = { view, instance, isLayout, previous, writer, outside in
                guard let view = unsafe view else { return nil }
                return unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    unsafe $0.counted.step(
                        instance: instance, isLayout: isLayout, after: previous, writer: UInt(writer), outside: outside)
                }
            }
            unsafe callbacks.queued_step = { unsafe InjectedStep.overIdleFunction($0) }
            unsafe callbacks.idle_added = { InjectedLoop.idleAdded(returningTo: UInt($0)) }
            unsafe InjectedStep.follow { unsafe crerender_gtk_source_step() }
            unsafe callbacks.keep_step = { if let step = unsafe $0 { unsafe InjectedStep.keep(step) } }
            unsafe callbacks.forget_step = { if let step = unsafe $0 { unsafe InjectedStep.forget(step) } }
        }

        private static func fillForgotten(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.span_forgotten = { span in
                if let span = unsafe span { unsafe InjectedSpan.forget(in: UnsafeMutableRawPointer(span)) }
            }
        }

        private static func fillFrames(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.frame_began = { context in
                unsafe WidgetCounter.with(context) { $0.store?.frameBegan() ?? 0 } ?? 0
            }
            unsafe callbacks.frame_ended = { context, frame in
                guard let told = unsafe frame?.pointee else { return }
                unsafe WidgetCounter.with(context) { $0.store?.frameEnded(told.number, MeasuredFrame(told)) }
            }
            unsafe callbacks.frame_presented = { context, nanoseconds in
                unsafe WidgetCounter.with(context) { $0.store?.framePresented(nanoseconds: nanoseconds) }
            }
        }

        fileprivate static func pointer(_ span: InjectedSpan?) -> UnsafeMutableRawPointer? {
            unsafe span.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        }
    }

    extension MeasuredFrame {
        fileprivate init(_ frame: crerender_gtk_frame) {
            self.init(
                update: frame.update, layout: frame.layout, snapshot: frame.snapshot, drawing: frame.drawing,
                interval: frame.interval, isIntervalTold: frame.is_interval_told)
            (processor, isSame, isEarly) = (frame.processor, frame.is_same, frame.is_early)
        }
    }
#endif
