// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
import TestSupport
import Testing

@Suite("The export as a stream")
struct StatsExportStreamTests {
    private static let strings = [
        "", "CartTotal", "a/b \"quoted\" back\\slash", "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}\u{80}",
        "é 日本 😀 👩‍👩‍👧", "\u{2028}\u{2029}\u{202e}", "\u{FFFD}", String(repeating: "long ", count: 300),
    ]

    @Test("is byte for byte what JSONEncoder writes, for any document", arguments: 0..<60)
    func equalsEncoder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var document = randomDocument(&generator)
        if Bool.random(using: &generator) { document.matchingViews = Int.random(in: 0...9, using: &generator) }
        var bytes: [UInt8] = []
        try document.write { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: try document.json(), as: UTF8.self))
        #expect(
            try JSONDecoder().decode(StatsExport.self, from: Data(bytes)).processes.count == document.processes.count)
    }

    @Test("comes in pieces of tens of kilobytes, and of nothing is an empty list")
    func pieces() throws {
        var generator = SeededGenerator(seed: 1)
        var store = randomProcess(&generator)
        store.views = (0..<200).map { _ in randomView(&generator) }
        var pieces: [[UInt8]] = []
        try StatsExport(processes: [store]).write { pieces.append($0) }
        #expect(pieces.count > 3 && pieces.allSatisfy { $0.count < 1 << 17 })
        pieces = []
        let nothing = StatsExport(processes: [])
        try nothing.write { pieces.append($0) }
        #expect(try Array(pieces.joined()) == Array(nothing.json()))
    }

    @Test("events and parts of an export are lines of JSON with sorted keys", arguments: 0..<40)
    func lines(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var event = LiveEvent(
            event: [.connected, .store, .disconnected, .view].randomElement(using: &generator)!)
        if Bool.random(using: &generator) { event.store = text(&generator) }
        if Bool.random(using: &generator) { event.process = randomProcess(&generator) }
        if Bool.random(using: &generator) { event.view = randomView(&generator) }
        let line = try JSONLine.text(event)
        #expect(line.last == UInt8(ascii: "\n") && line.dropLast().allSatisfy { $0 >= 0x20 })
        #expect(try JSONDecoder().decode(LiveEvent.self, from: Data(line)).store == event.store)
        #expect(String(decoding: line, as: UTF8.self).hasPrefix("{\"at\":\""))
        let store = try JSONLine.text(
            ExportLine(
                process: ProcessStats(
                    pid: 1, name: "shop", store: "main", storeNumber: 0, startedAt: Timestamp(nanosecondsSince1970: 0)))
        )
        #expect(String(decoding: store, as: UTF8.self).hasPrefix("{\"process\":{\"connected\":false,"))
    }

    // MARK: Random documents

    private func randomDocument(_ generator: inout SeededGenerator) -> StatsExport {
        let count = Int.random(in: 0...3, using: &generator)
        return StatsExport(
            generatedAt: time(&generator), processes: (0..<count).map { _ in randomProcess(&generator) })
    }

    private func randomProcess(_ generator: inout SeededGenerator) -> ProcessStats {
        var process = ProcessStats(
            pid: Int32.random(in: .min ... .max, using: &generator), name: text(&generator), store: text(&generator),
            storeNumber: UInt32.random(in: 0 ... .max, using: &generator), startedAt: time(&generator))
        process.connected = Bool.random(using: &generator)
        process.enabled = Bool.random(using: &generator)
        process.mainLoop = pick(MainLoopKind.allCases, &generator)
        if Bool.random(using: &generator) { process.kind = pick(StoreKind.allCases, &generator) }
        process.evaluations = generator.next()
        process.dropped = number(&generator)
        process.notSeenViews = NotSeenViews(
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in ViewKey(rawValue: text(&generator)) })
        process.lost = number(&generator)
        process.hangThresholdMilliseconds = UInt32.random(in: 0 ... .max, using: &generator)
        process.microHangThresholdMilliseconds = 100
        process.microHangs = number(&generator)
        process.views = (0..<Int.random(in: 0...4, using: &generator)).map { _ in randomView(&generator) }
        return process
    }

    private func randomView(_ generator: inout SeededGenerator) -> Stats {
        var view = Stats(key: ViewKey(rawValue: text(&generator)), file: text(&generator), line: 7)
        view.count = number(&generator)
        if Bool.random(using: &generator) { view.notSeen = true }
        if Bool.random(using: &generator) {
            view.framework = FrameworkTime(layouts: 3, layoutNanoseconds: .max, commitNanoseconds: 5)
        }
        if Bool.random(using: &generator) { view.passes = number(&generator) }
        view.instances = number(&generator)
        view.commits = number(&generator)
        view.body = timing(&generator)
        view.total = timing(&generator)
        if Bool.random(using: &generator) { view.selfNanoseconds = number(&generator) }
        view.wasted.count = number(&generator)
        view.wasted.measured = number(&generator)
        view.wasted.nanoseconds = number(&generator)
        for kind in WasteKind.allCases where Bool.random(using: &generator) {
            view.wasted.kinds[kind] = number(&generator)
        }
        for kind in WasteKind.allCases where Bool.random(using: &generator) {
            view.wasted.kindNanoseconds[kind] = number(&generator)
        }
        view.lastReason = text(&generator)
        view.reasons = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            ReasonCount(
                reason: text(&generator), count: number(&generator), passes: number(&generator),
                attribution: pick([nil] + Attribution.allCases, &generator),
                writers: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    WriterCount(writer: text(&generator), count: number(&generator))
                },
                chains: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    ChainCount(chain: text(&generator), count: number(&generator))
                })
        }
        view.forgotten = number(&generator)
        view.hangs.count = number(&generator)
        view.hangs.worstNanoseconds = number(&generator)
        if Bool.random(using: &generator) { view.lastRenderedAt = time(&generator) }
        return view
    }

    private func timing(_ generator: inout SeededGenerator) -> Timing {
        var timing = Timing()
        timing.lastNanoseconds = number(&generator)
        timing.averageNanoseconds = number(&generator)
        timing.maxNanoseconds = number(&generator)
        timing.p50Nanoseconds = number(&generator)
        timing.p95Nanoseconds = number(&generator)
        timing.p99Nanoseconds = number(&generator)
        timing.totalNanoseconds = generator.next()
        return timing
    }

    private func number(_ generator: inout SeededGenerator) -> UInt64 {
        pick([0, 1, 9, 10, 999, .max, generator.next() >> (generator.next() & 63)], &generator)
    }

    private func pick<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        guard Bool.random(using: &generator) else { return pick(Self.strings, &generator) }
        let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator) >> (generator.next() & 15))
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private func time(_ generator: inout SeededGenerator) -> Timestamp {
        Timestamp(nanosecondsSince1970: Int64(truncatingIfNeeded: generator.next()))
    }
}

@Suite("Times")
struct TimestampTests {
    @Test("are written as Foundation's ISO 8601 style writes them", arguments: 0..<8)
    func equalsFoundation(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<500 {
            let nanoseconds = Int64(truncatingIfNeeded: generator.next())
            let milliseconds = (Double(nanoseconds) / 1_000_000).rounded(.down)
            // Whole milliseconds, and half of one more so that the cut cannot fall on the wrong side.
            let date = Date(timeIntervalSince1970: milliseconds / 1_000 + 0.000_5)
            let time = Timestamp(nanosecondsSince1970: Int64(milliseconds) * 1_000_000)
            #expect(time.iso8601 == date.formatted(style))
        }
    }

    @Test(
        "have known texts",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_795_214_700_123_999_999, "2026-11-20T22:45:00.123Z"),
            (.max, "2262-04-11T23:47:16.854Z"), (.min, "1677-09-21T00:12:43.145Z"),
        ])
    func known(nanoseconds: Int64, text: String) {
        #expect(Timestamp(nanosecondsSince1970: nanoseconds).iso8601 == text)
    }

    @Test("survive a round trip through JSON to the millisecond")
    func roundTrip() throws {
        let time = Timestamp(nanosecondsSince1970: 1_795_214_700_123_456_789)
        let data = try JSONEncoder().encode([time])
        #expect(
            try JSONDecoder().decode([Timestamp].self, from: data) == [
                Timestamp(nanosecondsSince1970: 1_795_214_700_123_000_000)
            ])
    }
}
