// SPDX-License-Identifier: MIT
// What `report` reads of a recording that is ours to read: the file of its metadata, its events, and packed intervals.

#if DEBUG || RERENDER_FUZZ
    import CShared
    import FoundationEssentials
    import FuzzWire
    import RerenderModel
    @testable import RerenderTrace

    extension FuzzTarget {
        /// The first byte says what the rest is: metadata, intervals, or events.
        static let trace = FuzzTarget("trace", longest: 2_048) { bytes in
            var input = FuzzBytes(bytes)
            switch input.byte() & 3 {
            case 0: _ = MetadataFile.isWhole(Array(input.rest))
            case 1: try TraceUnderTest.intervals(&input)
            case 2: try TraceUnderTest.page(&input)
            default: try TraceUnderTest.formats(&input)
            }
        }
    }

    private enum TraceUnderTest {
        // MARK: Intervals

        /// What was packed is unpacked as the same, and is the same after it was sorted.
        static func intervals(_ input: inout FuzzBytes) throws {
            var all: [PageIntervals.Interval] = []
            while !input.isEmpty {
                let form = input.byte()
                var interval = PageIntervals.Interval(
                    start: Int64(bitPattern: number(form, &input)), duration: number(form >> 1, &input),
                    lane: UInt32(truncatingIfNeeded: number(form, &input)), amount: number(form >> 2, &input))
                if form & 8 != 0 { (interval.count, interval.wasted) = (number(form, &input), number(form, &input)) }
                if form & 16 != 0 { interval.judge(form & 32 == 0 ? .measured : .inferred) }
                if form & 64 != 0 { (interval.thread, interval.reason) = (UInt32(form), UInt32(input.byte())) }
                if form & 128 != 0 { interval.inner = number(form, &input) }
                all.append(interval)
            }
            var packed = PackedIntervals(all)
            try hold(packed.count == all.count && Array(packed) == all, "\(all) became \(Array(packed))")
            packed.sort()
            let sorted = Array(packed)
            try hold(zip(sorted, sorted.dropFirst()).allSatisfy { $0.start <= $1.start }, "not sorted: \(sorted)")
            try hold(Set(sorted) == Set(all) && sorted.count == all.count, "\(all) became \(sorted)")
        }

        private static func number(_ form: UInt8, _ input: inout FuzzBytes) -> UInt64 {
            form & 1 == 0 ? UInt64(input.byte()) : input.word()
        }

        // MARK: Events

        /// The sums of a report are those of its events.
        static func page(_ input: inout FuzzBytes) throws {
            let texts = TraceTexts()
            var interpreter = TraceInterpreter(PageBuilder(texts), texts)
            let events = EventMaker.events(&input, texts)
            try interpreter.consume(events.span)
            try interpreter.finish()
            let (report, page) = interpreter.consumer.results(interpreter.state, title: "fuzz", tool: "fuzz")
            for view in report.export.processes.flatMap(\.views) {
                let told = view.wasted.count + (view.wasted.unjudged ?? 0)
                try hold(told <= view.count, "\(told) of \(view.count) evaluations are wasted or unjudged")
            }
            let kept = events.count { if case .discarded = $0.what { false } else { true } }
            try hold(report.events == UInt64(kept), "\(report.events) events of \(kept)")
            let data = try? JSONEncoder().encode(page)
            try hold(data != nil, "the page cannot be written")
        }

        /// What is written is JSON, and a capture is whole frames.
        static func formats(_ input: inout FuzzBytes) throws {
            var written: [UInt8] = []
            var capture: [UInt8] = []
            try withExtendedLifetime(TraceTexts()) { texts in
                let events = EventMaker.events(&input, texts)
                let output = TraceOutput { written += $0 }
                var interpreter = TraceInterpreter(ChromeFormat(output, texts), texts)
                try interpreter.consume(events.span)
                try interpreter.finish()
                let frames = TraceOutput { capture += $0 }
                var captured = TraceInterpreter(SysprofFormat(frames, texts), texts)
                try captured.consume(events.span)
                try captured.finish()
            }
            var place = 256
            while place < capture.count {
                let length = Int(capture[place]) | Int(capture[place + 1]) << 8
                try hold(length >= 24 && length % 8 == 0, "a frame of \(length) bytes at \(place)")
                place += length
            }
            try hold(place == capture.count, "a capture of \(capture.count) bytes ends in a frame")
            let isJSON = (try? JSONDecoder().decode(AnyJSON.self, from: Data(written))) != nil
            try hold(isJSON, "it is no JSON: \(String(decoding: written, as: UTF8.self))")
        }
    }

    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Events of small numbers, so that they meet, and of times that jump.
    private enum EventMaker {
        static func events(_ input: inout FuzzBytes, _ texts: TraceTexts) -> [TraceEvent] {
            let names = ["", "Cart", "Total", "committed", "judged", "a\"b\\\u{1}", "main", "tick"].map {
                texts.intern($0)
            }
            var events: [TraceEvent] = []
            var now: Int64 = 0
            while !input.isEmpty, events.count < 64 {
                let (kind, which, step) = (input.byte(), input.byte(), input.byte())
                now = step == 255 ? Int64(bitPattern: input.word()) : now &+ Int64(step) * 1_000_000
                events.append(
                    TraceEvent(
                        nanoseconds: now, pid: Int32(which & 1), tid: Int32(which >> 1 & 1), processName: names[6],
                        what: what(kind, which, &input, names)))
            }
            return events
        }

        private static func what(
            _ kind: UInt8, _ which: UInt8, _ input: inout FuzzBytes, _ names: [TextID]
        ) -> TraceEvent.What {
            let (view, id) = (names[Int(which >> 2 & 7)], UInt64(which >> 5))
            switch kind % 13 {
            case 0, 1:
                var began = EvaluationBegan()
                (began.signpost_id, began.name, began.instance) = (id, view, 1)
                (began.file, began.line, began.parent) = (names[6], 7, names[Int(kind >> 5)])
                return .evaluationBegan(began)
            case 2, 3: return .evaluationEnded(ended(view, id, &input, names))
            case 4: return .viewChanged(changed(view, id, &input, names))
            case 5:
                var began = TurnBegan()
                (began.signpost_id, began.name, began.turn) = (id, view, number(&input))
                return .turnBegan(began)
            case 6:
                var ended = TurnEnded()
                (ended.signpost_id, ended.name, ended.turn) = (id, view, number(&input))
                ended.evaluations = number(&input)
                return .turnEnded(ended)
            case 7: return .hangBegan(hang(view, id, &input, names))
            case 8: return .hangEnded(hang(view, id, &input, names))
            case 9: return .write(.init(name: view, message: names[Int(kind >> 5)], views: UInt32(which)))
            case 10: return kind >> 7 == 0 ? .phaseBegan(phase(view, id)) : .phaseEnded(phase(view, id))
            case 11: return .ofStore(told(view, &input, names))
            default:
                guard kind >> 7 == 0 else { return .discarded(number(&input)) }
                let kinds: [SignpostKind] = [.begin, .end, .event]
                let fields = csignpost_read_generic(signpost_id: id, name: view, message: names[5], scope: .empty)
                return .other(.init(event: view, kind: kinds[Int(kind >> 5) % 3], fields: fields))
            }
        }

        private static func number(_ input: inout FuzzBytes) -> UInt64 {
            let byte = input.byte()
            return byte == 255 ? input.word() : UInt64(byte)
        }

        private static func phase(_ name: TextID, _ id: UInt64) -> Phase {
            Phase(signpost_id: id, name: name, turn: id)
        }

        private static func ended(
            _ view: TextID, _ id: UInt64, _ input: inout FuzzBytes, _ names: [TextID]
        ) -> EvaluationEnded {
            let form = input.byte()
            var ended = EvaluationEnded()
            (ended.signpost_id, ended.name, ended.reason) = (id, view, names[Int(form & 7)])
            (ended.body_ns, ended.total_ns) = (number(&input), number(&input))
            (ended.turn, ended.count, ended.epoch) = (number(&input), number(&input), UInt32(form >> 7))
            (ended.store, ended.store_id) = (names[6], UInt32(form >> 6 & 1))
            ended.instance = form & 32 == 0 ? EvaluationEnded.noInstance : number(&input)
            (ended.wasted, ended.attribution, ended.kind) = (form >> 3 & 3, form, form)
            (ended.writers, ended.chain) = (names[Int(form >> 5)], names[Int(form & 7)])
            (ended.pass, ended.instances) = (form & 1 == 0 ? UInt8.max : form >> 1 & 1, UInt32(form & 3))
            ended.self_ns = form & 4 == 0 ? UInt64.max : number(&input)
            ended.unjudged = form & 2 == 0 ? UInt8.max : form >> 4 & 1
            return ended
        }

        private static func changed(
            _ view: TextID, _ id: UInt64, _ input: inout FuzzBytes, _ names: [TextID]
        ) -> ViewChanged {
            let form = input.byte()
            func kind(_ kind: UInt8) -> UInt64 { form >> kind & 1 == 0 ? 0 : number(&input) }
            var changed = ViewChanged()
            (changed.name, changed.message, changed.store) = (view, names[3 + Int(form & 1)], names[6])
            (changed.store_id, changed.epoch) = (UInt32(form >> 6 & 1), UInt32(form >> 7))
            (changed.instance, changed.commits, changed.measured) = (number(&input), number(&input), number(&input))
            (changed.wasted_ns, changed.instances) = (number(&input), UInt32(form))
            (changed.same_output, changed.same_value, changed.new_identity) = (kind(0), kind(1), kind(2))
            (changed.closure_identity, changed.parent_only, changed.twice_in_a_turn) = (kind(3), kind(4), kind(5))
            (changed.same_inputs, changed.signpost_id, changed.wasted) = (kind(6), id, form >> 3 & 3)
            changed.unjudged = form & 2 == 0 ? UInt64.max : changed.commits
            return changed
        }

        private static func told(_ name: TextID, _ input: inout FuzzBytes, _ names: [TextID]) -> StoreEvent {
            let form = input.byte()
            let (store, id, epoch, index) = (names[6], UInt32(form >> 6 & 1), UInt32(form >> 7), UInt32(input.byte()))
            switch form & 7 {
            case 0:
                var loop = csignpost_read_loop()
                (loop.store, loop.store_id, loop.epoch) = (store, id, epoch)
                (loop.counted_ns, loop.turns, loop.processor_ns) = (number(&input), number(&input), number(&input))
                return .loop(loop)
            case 1:
                var stretch = csignpost_read_stretch()
                (stretch.store, stretch.store_id, stretch.epoch, stretch.name) = (store, id, epoch, name)
                (stretch.duration_ns, stretch.age_ns, stretch.row) = (number(&input), number(&input), number(&input))
                return .stretch(stretch)
            case 2:
                var fact = csignpost_read_fact()
                (fact.store, fact.store_id, fact.epoch, fact.index) = (store, id, epoch, index)
                (fact.kind, fact.name, fact.count, fact.of) = (form >> 3 & 7, name, number(&input), number(&input))
                return .fact(fact)
            case 3:
                var work = csignpost_read_work()
                (work.store, work.store_id, work.epoch, work.index) = (store, id, epoch, index)
                (work.kind, work.name, work.latest_own) = (form >> 3 & 7, name, number(&input))
                (work.latest_ns, work.duration_ns, work.age_ns) = (number(&input), number(&input), number(&input))
                return .work(work)
            case 4:
                var cycle = csignpost_read_cycle()
                (cycle.store, cycle.store_id, cycle.epoch, cycle.index) = (store, id, epoch, index & 3)
                (cycle.name, cycle.step, cycle.steps) = (name, UInt32(form >> 3 & 3), UInt32(form >> 5 & 1) + 1)
                (cycle.rounds, cycle.latest_rounds, cycle.latest_ns) = (number(&input), number(&input), number(&input))
                return .cycle(cycle)
            case 5:
                var told = csignpost_read_store()
                (told.store, told.store_id, told.epoch, told.kind) = (store, id, epoch, form >> 3)
                (told.frames, told.late, told.processor_ns) = (number(&input), number(&input), number(&input))
                (told.micro_ns, told.presented, told.gap) = (number(&input), number(&input), name)
                return .store(told)
            default:
                var row = csignpost_read_loop_row()
                (row.store, row.store_id, row.epoch, row.index) = (store, id, epoch, index)
                (row.kind, row.name, row.count, row.unread) = (form >> 3 & 15, name, number(&input), number(&input))
                return .row(row)
            }
        }

        private static func hang(
            _ view: TextID, _ id: UInt64, _ input: inout FuzzBytes, _ names: [TextID]
        ) -> HangEvent {
            let form = input.byte()
            var hang = HangEvent()
            (hang.signpost_id, hang.name, hang.last_rendered) = (id, view, names[Int(form & 7)])
            (hang.pid, hang.attribution, hang.verdict) = (UInt32(form >> 3 & 1), form & 7, form >> 5)
            (hang.duration_ns, hang.turn, hang.age_ns) = (number(&input), number(&input), number(&input))
            (hang.starved_ns, hang.stopped_ns, hang.handler_ns) = (number(&input), number(&input), number(&input))
            (hang.at_threshold, hang.handler, hang.guess) = (names[1], names[Int(form >> 6)], form >> 4 & 1)
            (hang.store_id, hang.last_rendered_store_id) = (.max, .max)
            hang.counts = form >> 5 == 0 ? UInt8.max : form >> 5 & 1
            return hang
        }
    }
#endif
