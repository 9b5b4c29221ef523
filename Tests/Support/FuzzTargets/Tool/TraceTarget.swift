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
            default: try TraceUnderTest.chrome(&input)
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
            let kept = events.count { if case .discarded = $0.what { false } else { true } }
            try hold(report.events == UInt64(kept), "\(report.events) events of \(kept)")
            let data = try? JSONEncoder().encode(page)
            try hold(data != nil, "the page cannot be written")
        }

        /// What is written is JSON.
        static func chrome(_ input: inout FuzzBytes) throws {
            var written: [UInt8] = []
            try withExtendedLifetime(TraceTexts()) { texts in
                let events = EventMaker.events(&input, texts)
                let output = TraceOutput { written += $0 }
                var interpreter = TraceInterpreter(ChromeFormat(output, texts), texts)
                try interpreter.consume(events.span)
                try interpreter.finish()
            }
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
            switch kind % 12 {
            case 0, 1:
                return .evaluationBegan(
                    .init(
                        signpost_id: id, name: view, file: names[6], line: 7, parent: names[Int(kind >> 5)],
                        instance: 1))
            case 2, 3: return .evaluationEnded(ended(view, id, &input, names))
            case 4: return .viewChanged(changed(view, id, &input, names))
            case 5: return .turnBegan(.init(signpost_id: id, name: view, turn: number(&input), in_body: 0))
            case 6:
                return .turnEnded(
                    .init(signpost_id: id, name: view, turn: number(&input), evaluations: number(&input)))
            case 7: return .hangBegan(hang(view, id, &input, names))
            case 8: return .hangEnded(hang(view, id, &input, names))
            case 9: return .write(.init(name: view, message: names[Int(kind >> 5)], views: UInt32(which)))
            case 10: return kind >> 7 == 0 ? .phaseBegan(phase(view, id)) : .phaseEnded(phase(view, id))
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
            let pass: UInt8 = form & 1 == 0 ? .max : form >> 1 & 1
            return EvaluationEnded(
                signpost_id: id, name: view, reason: names[Int(form & 7)], body_ns: number(&input),
                total_ns: number(&input), wasted: form >> 3 & 3, turn: number(&input), count: number(&input),
                epoch: UInt32(form >> 7), store: names[6], store_id: UInt32(form >> 6 & 1),
                instance: form & 32 == 0 ? EvaluationEnded.noInstance : number(&input), instances: UInt32(form & 3),
                attribution: form, kind: form, writers: names[Int(form >> 5)], chain: names[Int(form & 7)],
                pass: pass, self_ns: form & 4 == 0 ? .max : number(&input))
        }

        private static func changed(
            _ view: TextID, _ id: UInt64, _ input: inout FuzzBytes, _ names: [TextID]
        ) -> ViewChanged {
            let form = input.byte()
            func kind(_ kind: UInt8) -> UInt64 { form >> kind & 1 == 0 ? 0 : number(&input) }
            return ViewChanged(
                name: view, message: names[3 + Int(form & 1)], store: names[6], store_id: UInt32(form >> 6 & 1),
                epoch: UInt32(form >> 7), instance: number(&input), instances: UInt32(form), commits: number(&input),
                measured: number(&input), wasted_ns: number(&input), same_output: kind(0), same_value: kind(1),
                new_identity: kind(2), closure_identity: kind(3), parent_only: kind(4), twice_in_a_turn: kind(5),
                same_inputs: kind(6), signpost_id: id, wasted: form >> 3 & 3)
        }

        private static func hang(
            _ view: TextID, _ id: UInt64, _ input: inout FuzzBytes, _ names: [TextID]
        ) -> HangEvent {
            let form = input.byte()
            let counts: UInt8 = form >> 5 == 0 ? .max : form >> 5 & 1
            return HangEvent(
                signpost_id: id, name: view, last_rendered: names[Int(form & 7)], pid: UInt32(form >> 3 & 1),
                attribution: view, verdict: names[7], duration_ns: number(&input), at_threshold: names[1],
                turn: number(&input), age_ns: number(&input), starved_ns: number(&input), guess: form >> 4 & 1,
                store_id: .max, at_threshold_store_id: 0, last_rendered_store_id: .max, stopped_ns: number(&input),
                counts: counts, handler: names[Int(form >> 6)], handler_ns: number(&input))
        }
    }
#endif
