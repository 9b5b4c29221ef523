// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import TestSupport
import Testing

/// What a run of bytes holds, and what is wrong with it.
func decoded(_ bytes: [UInt8]) -> (messages: [AppMessage], used: Int?, error: WireError?) {
    var messages: [AppMessage] = []
    do throws(WireError) {
        let used = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
                if let message = try AppMessage(kind: kind, fields: &fields) { messages.append(message) }
            }
        }
        return (messages, used, nil)
    } catch {
        return (messages, nil, error)
    }
}

func encoded(_ messages: [AppMessage]) -> [UInt8] {
    var writer = WireWriter()
    for message in messages { message.write(to: &writer) }
    return writer.bytes
}

/// One message of each kind with every field set.
let samples: [AppMessage] = {
    var store = StoreState(
        storeID: 3, name: "main é", kind: .widgets,
        startedAt: Timestamp(nanosecondsSince1970: 1_700_000_000_000_000_001))
    store.epoch = 7
    store.enabled = false
    store.mainLoop = .cfrunloop
    store.hangThresholdMilliseconds = 300
    store.microHangThresholdMilliseconds = 120
    store.evaluations = .max
    store.dropped = 5
    store.hangStacks = true
    store.isConfigured = true
    store.frames.add(
        MeasuredFrame(update: 1, layout: 2, snapshot: 3, drawing: 4, interval: 9, isIntervalTold: true))
    store.frames.addPresented(nanoseconds: 5)
    store.gaps = ["some are not counted: é", ""]
    var totals = TotalsMessage(ViewTotals(storeID: 3, index: 9, epoch: 7))
    totals.count = 312
    totals.selfNanoseconds = 5
    totals.passes = 200
    totals.notSeen = 1
    totals.mayBeMore = 2
    totals.instances = 2
    totals.commits = 300
    totals.commitNanoseconds = 44
    totals.layouts = 45
    totals.layoutNanoseconds = .max
    totals.body.last = 1
    totals.body.max = 2
    totals.body.p50 = 3
    totals.body.p95 = 4
    totals.body.p99 = 5
    totals.body.sum = 6
    totals.total.sum = .max
    totals.lastRenderedAt = Timestamp(nanosecondsSince1970: -5)
    totals.lastReason = 1
    for (number, kind) in WasteKind.allCases.enumerated() {
        totals.waste.add(
            kind, nanoseconds: UInt64(1_000 + number), evaluations: UInt64(number + 1))
    }
    totals.forgotten = 17
    totals.reasonCounts = [
        .init(index: 0, count: 12, passes: 8), .init(index: 31, count: 1), .init(index: 255, count: 299, passes: .max),
    ]
    totals.details = [
        .init(reason: 0, slot: 0, count: 7), .init(reason: 0, slot: 3, count: 5), .init(reason: 31, slot: 6, count: 1),
        .init(reason: 255, slot: 7, count: .max),
    ]
    return [
        .hello(Hello(pid: 4_711, startTicks: 99, processName: "shop")),
        .hello(Hello(pid: 4_711, startTicks: 99, copy: nil, processName: "shop")), .store(store),
        .view(ViewDeclaration(storeID: 3, index: 9, key: "Cart\u{0}Total", file: "Shop/Cart.swift", line: 12)),
        .handler(HandlerDeclaration(storeID: 3, index: 0, name: HandlerName(view: "Cart", name: "click on é"))),
        .handler(HandlerDeclaration(storeID: 3, index: 1_024, name: .others)),
        .reason(ReasonDeclaration(storeID: 3, viewIndex: 9, index: 0, text: "ticker.tick", attribution: .announced)),
        .reason(ReasonDeclaration(storeID: 3, viewIndex: 9, index: 31, text: "", attribution: nil)),
        .detail(DetailDeclaration(storeID: 3, viewIndex: 9, reason: 0, slot: 0, text: "advance() Shop/T.swift:40")),
        .detail(DetailDeclaration(storeID: 3, viewIndex: 9, reason: 255, slot: 6, text: "Dashboard ← ticker.tick")),
        .cycle(ItemMessage(storeID: 3, epoch: 2, index: 0, item: fullCycle)),
        .cycle(ItemMessage(storeID: 3, epoch: .max, index: WireLimits.cyclesPerStore - 1, item: emptyCycle)),
        .work(ItemMessage(storeID: 3, epoch: 2, index: 0, item: fullWork)),
        .work(ItemMessage(storeID: 3, epoch: 0, index: WireLimits.workPerStore - 1, item: emptyWork)),
        .loop(LoopMessage(storeID: 3, epoch: 2, totals: fullLoop)),
        .loop(LoopMessage(storeID: 3, epoch: 0, totals: LoopTotals())),
        .row(ItemMessage(storeID: 3, epoch: 2, index: 0, item: fullRow)),
        .row(ItemMessage(storeID: 3, epoch: 0, index: WireLimits.rowsPerStore - 1, item: LoopRow(.others, name: ""))),
        .fact(ItemMessage(storeID: 3, epoch: 2, index: 0, item: fullFact)),
        .fact(ItemMessage(storeID: 3, epoch: 2, index: 1, item: slowClick)),
        .fact(
            ItemMessage(
                storeID: 3, epoch: 0, index: WireLimits.factsPerStore - 1, item: WidgetFact(.anew, view: ""))),
        .threads(
            ThreadsMessage(
                storeID: 3, epoch: 2,
                threads: [ThreadTime(name: "gldisplay-é", count: 58, atFirst: 50, processor: .max)])),
        .threads(ThreadsMessage(storeID: 3, epoch: .max, threads: [])),
        .totals(totals), .done(CommandResult(request: 77, reached: 3, answered: 4, shown: 2, instances: 9)),
        .mark("tap Ä"), .mark(""), .storeEnded(storeID: 3), .goodbye,
        .stack(StackSample(hang: 8, turn: 9, atNanoseconds: 250, frames: ["render() Shop/Cart.swift:12", ""])),
        .stack(
            StackSample(
                hang: 8, turn: 9, atNanoseconds: 250, frames: [], activity: "waits for a mutex", holder: ["main()"])),
        .stack(StackSample(hang: .max, turn: 0, atNanoseconds: 0, frames: [], source: "tick() cases.c:9")),
    ]
}()

private let fullCycle = Cycle(
    steps: (0..<WireLimits.stepsPerCycle).map {
        .init(name: "View \($0)", writer: $0 == 0 ? nil : "set() A.swift:\($0)")
    },
    rounds: .max, latestRounds: 12, latestNanoseconds: 5_000_000, latestAt: Timestamp(nanosecondsSince1970: 77),
    over: "an idle function")
private let fullLoop: LoopTotals = {
    var totals = LoopTotals()
    (totals.counted, totals.turns, totals.pollsWithoutWait, totals.emptyTurns) = (.max, 2, 3, 4)
    (totals.wakeups, totals.processor, totals.process, totals.isInputKnown) = (5, 6, 7, 1)
    let parts: [WritableKeyPath<LoopTotals, LoopPart>] = [
        \.bodies, \.style, \.layout, \.update, \.snapshot, \.drawing, \.sources, \.loop,
    ]
    for (number, part) in parts.enumerated() {
        totals[keyPath: part].add(wall: UInt64(10 + number), processor: UInt64(20 + number))
    }
    totals.frames.latestAt = Timestamp(nanosecondsSince1970: -3)
    (totals.frames.frames, totals.spinning.row, totals.busy.processor) = (30, 31, 32)
    return totals
}()
private let fullRow: LoopRow = {
    var row = LoopRow(
        .handler, name: "on_clicked()", place: "cases.c:41", of: "GtkButton#é: clicked", thread: "worker")
    (row.numbers.count, row.numbers.processor, row.numbers.isShared) = (.max, 2, 1)
    return row
}()
private let fullFact: WidgetFact = {
    var fact = WidgetFact(.asker, view: "GtkSpinner#é")
    (fact.hidden, fact.writer, fact.parent) = ("its opacity is 0", "tick_only() cases.c:19", "GtkBox")
    (fact.numbers.count, fact.numbers.of, fact.numbers.same) = (55, .max, 3)
    return fact
}()
private let slowClick: WidgetFact = {
    var (fact, click) = (
        WidgetFact(.interaction, view: "GtkButton#save"),
        WidgetFact.Interaction(.click, at: Timestamp(nanosecondsSince1970: -7))
    )
    (click.evaluations, click.style, click.layout, click.drawing, click.presentation) = (1, 2, 3, 4, .max)
    (fact.numbers.nanoseconds, fact.interaction) = (310_000_000, click)
    return fact
}()
private let fullWork: IdleWork = {
    var work = IdleWork(.evaluations, latestAt: Timestamp(nanosecondsSince1970: 78))
    (work.view, work.reason, work.writer) = ("Row", "tick", "set() A.swift:1")
    work.callback = .init(source: "timer", function: "tick() A.swift:2")
    (work.all.own, work.all.count, work.all.nanoseconds) = (.max, 2, 3)
    (work.latest.own, work.latest.count, work.latest.nanoseconds, work.latestDuration) = (4, 5, 6, 7)
    work.latest.wasted = 0
    return work
}()
private let emptyWork = IdleWork(.others, latestAt: Timestamp(nanosecondsSince1970: -1))
private let emptyCycle = Cycle(
    steps: [], rounds: 0, latestRounds: 0, latestNanoseconds: 0, latestAt: Timestamp(nanosecondsSince1970: -1))

/// A notice with every field set.
private let fullNotice: HangNotice = {
    var hang = Hang(id: 7, pid: 4_711, process: "shop", startedAt: Timestamp(nanosecondsSince1970: -9), turn: 12)
    hang.durationNanoseconds = 400_000_000
    hang.view = "Cart\u{0}Total"
    hang.lastRendered = "é"
    hang.attribution = .share
    (hang.viewAtThreshold, hang.starvedNanoseconds, hang.guess) = ("Row", .max, true)
    hang.verdict = .blocked
    hang.waitingOn = "futex_do_wait"
    hang.shares = (0..<WireLimits.sharesPerHang).map {
        let store = Hang.Store(number: UInt32($0), name: "store \($0)")
        return Hang.Share(view: ViewKey(rawValue: "View \($0)"), store: store, nanoseconds: UInt64(100 - $0))
    }
    (hang.viewStore, hang.viewAtThresholdStore) = (Hang.Store(number: 1, name: "a"), Hang.Store(number: 2, name: "b"))
    (hang.lastRenderedStore, hang.stoppedNanoseconds) = (Hang.Store(number: 3, name: ""), 8)
    hang.handler = "click on é"
    hang.shares[1].handler = "click on Save"
    hang.unattributedNanoseconds = 5
    (hang.open, hang.ended, hang.trace, hang.counts) = (false, .exited, "/tmp/trace", false)
    (hang.openedAfterNanoseconds, hang.watchdogLatenessNanoseconds) = (1, 0)
    (hang.mayHaveBegunEarlierNanoseconds, hang.mayHaveEndedLaterNanoseconds) = (6, 7)
    (hang.source, hang.call) = ("on_clicked() cases.c:44", "g_dbus_connection_call_sync()")
    hang.activities = [.init(text: "reads from pipe 7, whose writer is git[1]", count: 5), .init(text: "é", count: 1)]
    var counts = StoreHangs()
    counts.hangs.add(nanoseconds: 700, starvedNanoseconds: 400, isStarved: true)
    counts.ofNoView = counts.hangs
    counts.hangs.add(nanoseconds: 300)
    counts.microHangs = .max
    var notice = HangNotice(storeID: 1, epoch: 3, hang: hang, isMicroHang: true, counts: counts)
    notice.blamed = .init(index: 2, hangs: counts.hangs)
    return notice
}()

private let emptyNotice = HangNotice(
    storeID: 0, epoch: 0,
    hang: Hang(id: 0, pid: 1, process: "", startedAt: Timestamp(nanosecondsSince1970: 0), turn: 2), isMicroHang: false,
    counts: StoreHangs())

/// What a run of bytes from the daemon holds, and what is wrong with it.
private func decodedCommands(_ bytes: [UInt8]) -> (messages: [DaemonMessage], error: WireError?) {
    var messages: [DaemonMessage] = []
    do throws(WireError) {
        _ = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
                if let message = try DaemonMessage(kind: kind, fields: &fields) { messages.append(message) }
            }
        }
        return (messages, nil)
    } catch {
        return (messages, error)
    }
}

@Suite("The push protocol")
struct WireRoundTripTests {
    @Test("gives back every message of an app")
    func appMessages() {
        let result = decoded(encoded(samples))
        #expect(result.messages == samples)
        #expect(result.error == nil)
        #expect(result.used == encoded(samples).count)
    }

    @Test(
        "gives back every message of the daemon",
        arguments: [
            DaemonMessage.welcome(version: 1, copy: 2),
            .refusal(.init(daemonVersion: 1, appVersion: 9, text: "build both from one release")),
            .configure(request: 1, storeID: nil, .init(isEnabled: false)),
            .configure(
                request: 2, storeID: 5,
                .init(isEnabled: nil, hangThresholdMilliseconds: 300, microHangThresholdMilliseconds: 1)),
            .configure(request: 6, storeID: 1, .init(hangStacks: true)),
            .configure(request: 7, storeID: nil, .init(hangStacks: false)),
            .watchTurn(turn: .max), .sampleStack(hang: 3, turn: 4), .hangEnded(fullNotice),
            .hangEnded(emptyNotice), .hangCounts(fullNotice),
            .reset(request: 3, storeID: 0), .reset(request: .max, storeID: nil),
            .pulse(request: 4, storeID: 1, key: "Cart 😀"), .overlay(request: 5, storeID: nil, .highlight, isOn: true),
        ])
    func daemonMessages(message: DaemonMessage) throws {
        var writer = WireWriter()
        message.write(to: &writer)
        let bytes = writer.bytes
        var read: [DaemonMessage] = []
        _ = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
                if let message = try DaemonMessage(kind: kind, fields: &fields) { read.append(message) }
            }
        }
        #expect(read == [message])
    }

    @Test("reads totals without an array as it reads them with one")
    func leanTotals() throws {
        let message = try #require(samples.first { if case .totals = $0 { true } else { false } })
        guard case .totals(let totals) = message else { return }
        let bytes = encoded([message])
        _ = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (_, fields) throws(WireError) in
                #expect(try fields.value(ViewTotals.self) == totals.totals)
                let lean = try TotalsRest(from: &fields)
                var reasons: [TotalsMessage.ReasonTotal] = []
                for _ in 0..<lean.reasons { reasons.append(try fields.reasonTotal()) }
                #expect(reasons == totals.reasonCounts)
                var details: [DetailCount] = []
                for _ in 0..<lean.details { details.append(try fields.detailCount()) }
                #expect(details == totals.details && fields.remaining == 0)
            }
        }
    }

    @Test("begins a new frame before one grows over the limit")
    func frames() {
        let many = (0..<1_000).map { index in
            AppMessage.view(
                ViewDeclaration(
                    storeID: 0, index: UInt32(index), key: String(repeating: "k", count: 1_000), file: "f", line: 1))
        }
        let bytes = encoded(many)
        #expect(bytes.count > 10 * WireLimits.frameBytes)
        #expect(decoded(bytes).messages == many)
    }

    @Test("carries every word for a blamed view and for what the thread did", arguments: HangVerdict.allCases)
    func hangWords(verdict: HangVerdict) {
        for attribution in HangAttribution.allCases {
            var notice = fullNotice
            (notice.hang.attribution, notice.hang.verdict) = (attribution, verdict)
            var writer = WireWriter()
            DaemonMessage.hangEnded(notice).write(to: &writer)
            #expect(decodedCommands(writer.bytes).messages == [.hangEnded(notice)])
        }
    }

    @Test("leaves out shares and functions beyond the limits")
    func hangLimits() {
        var notice = fullNotice
        notice.hang.shares.append(Hang.Share(view: "One more", nanoseconds: 1))
        var writer = WireWriter()
        DaemonMessage.hangEnded(notice).write(to: &writer)
        #expect(decodedCommands(writer.bytes).messages == [.hangEnded(fullNotice)])
        let frames = (0...WireLimits.framesPerStack).map { "function \($0)" }
        let stack = StackSample(hang: 1, turn: 2, atNanoseconds: 3, frames: frames)
        var cut = stack
        cut.frames.removeLast()
        #expect(decoded(encoded([.stack(stack)])).messages == [.stack(cut)])
    }

    @Test("takes so many functions of a stack", arguments: around(WireLimits.framesPerStack))
    func manyFrames(count: Int) {
        var stack = StackSample(hang: 1, turn: 2, atNanoseconds: 3, frames: (0..<count).map { "function \($0)" })
        let bytes = encoded([.stack(stack)])
        stack.frames = Array(stack.frames.prefix(WireLimits.framesPerStack))
        #expect(decoded(bytes).messages == [.stack(stack)])
    }

    @Test("takes so many shares of a hang", arguments: around(WireLimits.sharesPerHang))
    func manyShares(count: Int) {
        var notice = fullNotice
        notice.hang.shares = (0..<count).map {
            Hang.Share(view: ViewKey(rawValue: "View \($0)"), nanoseconds: UInt64(100 - $0))
        }
        var writer = WireWriter()
        DaemonMessage.hangEnded(notice).write(to: &writer)
        notice.hang.shares = Array(notice.hang.shares.prefix(WireLimits.sharesPerHang))
        #expect(decodedCommands(writer.bytes).messages == [.hangEnded(notice)])
    }

    @Test("takes so many rows of sources", arguments: around(Int(WireLimits.rowsPerStore)))
    func manyRows(count: Int) {
        let rows = (0..<UInt8(count)).map { number in
            AppMessage.row(ItemMessage(storeID: 3, epoch: 2, index: number, item: fullRow))
        }
        let result = decoded(encoded(rows))
        let kept = min(count, Int(WireLimits.rowsPerStore))
        #expect(result.messages == Array(rows.prefix(kept)) && (result.error == nil) == (kept == count))
    }

    @Test("cuts the name of a row's thread", arguments: around(WireLimits.rowBytes))
    func longThread(bytes: Int) {
        var row = fullRow
        row.thread = String(repeating: "x", count: bytes)
        let message = encoded([.row(ItemMessage(storeID: 3, epoch: 2, index: 0, item: row))])
        row.thread = String(repeating: "x", count: min(bytes, WireLimits.rowBytes))
        #expect(decoded(message).messages == [.row(ItemMessage(storeID: 3, epoch: 2, index: 0, item: row))])
    }

    @Test("takes so many facts of widgets", arguments: around(Int(WireLimits.factsPerStore)))
    func manyFacts(count: Int) {
        let facts = (0..<UInt8(count)).map { number in
            AppMessage.fact(ItemMessage(storeID: 3, epoch: 2, index: number, item: fullFact))
        }
        let result = decoded(encoded(facts))
        let kept = min(count, Int(WireLimits.factsPerStore))
        #expect(result.messages == Array(facts.prefix(kept)) && (result.error == nil) == (kept == count))
    }

    @Test("refuses a hang cut anywhere, and numbers and words that it cannot have")
    func hostileHangs() {
        var writer = WireWriter()
        DaemonMessage.hangEnded(fullNotice).write(to: &writer)
        for count in 6..<writer.bytes.count {
            var frame = Array(writer.bytes[..<count])
            withUnsafeBytes(of: UInt32(count - 4).littleEndian) { frame.replaceSubrange(0..<4, with: $0) }
            let result = decodedCommands(frame)
            #expect(result.messages.isEmpty && result.error != nil, "cut at \(count)")
        }
        // A store, an epoch, a number, a pid, no name, three times, no view, handler, phase and store of it; then attribution, last rendered
        // and no store of it, verdict ….
        let head = [UInt8](repeating: 0, count: 2 * 4 + 8 + 4 + 2 + 3 * 8 + 2 + 2 + 1 + 1)
        func notice(_ fields: [UInt8]) -> [DaemonMessage]? {
            var writer = WireWriter()
            let rest = [UInt8](repeating: 0, count: 256)
            writer.message(kind: 6) { writer in for byte in head + fields + rest { writer.integer(byte) } }
            let result = decodedCommands(writer.bytes)
            return result.error == nil ? result.messages : nil
        }
        #expect(notice([1, 0, 120]) == nil, "an attribution")
        #expect(notice([0, 0, 0, 0, 0, 1, 0, 120]) == nil, "a verdict")
        let toShares = [UInt8](repeating: 0, count: 6 * 2 + 1 + 1 + 2 * 9 + 9)
        #expect(notice(toShares + [9]) == nil, "the number of shares")
        #expect(notice(toShares)?.count == 1)
        let functions = [UInt8](repeating: 0, count: 3 * 8) + [65] + [UInt8](repeating: 0, count: 130)
        var stack = WireWriter()
        stack.message(kind: 10) { writer in for byte in functions { writer.integer(byte) } }
        #expect(decoded(stack.bytes).error != nil)
    }

    @Test("skips kinds and fields that it does not know")
    func unknown() {
        var writer = WireWriter()
        writer.message(kind: 250) { $0.string("of the future", limit: 100) }
        AppMessage.storeEnded(storeID: 4).write(to: &writer)
        writer.message(kind: 7) {
            $0.integer(UInt32(5))
            $0.integer(UInt64(1))
        }
        #expect(decoded(writer.bytes).messages == [.storeEnded(storeID: 4), .storeEnded(storeID: 5)])
    }

    @Test("names both versions when they differ, and looks at nothing behind them")
    func version() {
        let theirs = WireProtocol.version + 1
        var writer = WireWriter()
        writer.message(kind: 1) {
            $0.integer(WireProtocol.magic)
            $0.integer(theirs)
        }
        let error = decoded(writer.bytes).error
        #expect(error == .versionMismatch(ours: WireProtocol.version, theirs: theirs))
        #expect(error?.description.contains("\(theirs)") == true)
        #expect(error?.description.contains("\(WireProtocol.version)") == true)
    }

    @Test("cuts what is too long at a character's boundary")
    func cutting() {
        let key = String(repeating: "é", count: 600)
        let bytes = encoded([.view(ViewDeclaration(storeID: 0, index: 0, key: key, file: "", line: 0))])
        guard case .view(let view) = decoded(bytes).messages.first else { return #expect(Bool(false)) }
        #expect(view.key == String(repeating: "é", count: 512))
    }

    @Test("turns bytes that are no UTF-8 into text")
    func invalidUTF8() {
        var bytes = encoded([.view(ViewDeclaration(storeID: 0, index: 0, key: "abc", file: "", line: 0))])
        let at = bytes.firstIndex(of: UInt8(ascii: "b"))!
        bytes[at] = 0xFF
        guard case .view(let view) = decoded(bytes).messages.first else { return #expect(Bool(false)) }
        #expect(view.key == "a\u{FFFD}c")
    }

    @Test("sends as many writers and chains as a view can have, in one message")
    func mostDetails() {
        var totals = TotalsMessage(ViewTotals(storeID: 1, index: 2, epoch: 3))
        for reason in Array(0..<UInt8(WireLimits.reasonsPerView)) + [ViewTotals.otherReason] {
            totals.reasonCounts.append(.init(index: reason, count: 1))
            for slot in 0..<DetailSlot.perReason { totals.details.append(.init(reason: reason, slot: slot, count: 2)) }
        }
        #expect(totals.details.count == DetailSlot.perView)
        #expect(decoded(encoded([.totals(totals)])).messages == [.totals(totals)])
        var tooMany = totals
        tooMany.details.append(.init(reason: 0, slot: 0, count: 9))
        #expect(decoded(encoded([.totals(tooMany)])).messages == [.totals(totals)])
    }

    @Test("carries waste that the export shows kind by kind")
    func waste() {
        var totals = WasteTotals()
        #expect(totals.waste == Waste())
        totals.add(.sameOutput, nanoseconds: 40, evaluations: 300)
        totals.add(.parentOnly, nanoseconds: 1, evaluations: 8)
        var expected = Waste()
        (expected.count, expected.measured, expected.inferred, expected.nanoseconds) = (308, 300, 8, 41)
        expected.kinds = [.sameOutput: 300, .parentOnly: 8]
        expected.kindNanoseconds = [.sameOutput: 40, .parentOnly: 1]
        #expect(totals.waste == expected)
        #expect(totals.nanoseconds(of: .sameOutput) == 40 && totals.nanoseconds(of: .sameValue) == 0)
        totals.add(.sameOutput, nanoseconds: .max, evaluations: .max - 300)
        #expect(totals.count == .max, "hostile numbers do not trap")
    }

    @Test("adds and takes back an evaluation in every sum", arguments: WasteKind.allCases)
    func addition(kind: WasteKind) {
        var totals = WasteTotals()
        for other in WasteKind.allCases { totals.add(other, nanoseconds: 100) }
        let before = totals
        totals.add(kind, nanoseconds: 7)
        totals.add(kind, nanoseconds: 5)
        totals.remove(kind, nanoseconds: 7)
        #expect(totals.count == 8)
        #expect(totals.measured == (kind == .sameOutput ? 2 : 1) && totals.inferred == (kind == .sameOutput ? 6 : 7))
        #expect(totals.nanoseconds == 705)
        for other in WasteKind.allCases {
            #expect(totals[other] == (other == kind ? 2 : 1))
            #expect(totals.nanoseconds(of: other) == (other == kind ? 105 : 100))
        }
        totals.remove(kind, nanoseconds: 5)
        #expect(totals == before)
    }

    @Test("takes back even what made a sum overflow")
    func overflow() {
        var totals = WasteTotals()
        totals.add(.sameValue, nanoseconds: .max, evaluations: .max)
        let before = totals
        totals.add(.sameValue, nanoseconds: 9, evaluations: 2)
        totals.remove(.sameValue, nanoseconds: 9, evaluations: 2)
        #expect(totals == before)
    }

    @Test("sends values as they lie in memory, which has no padding to tell of")
    func layout() {
        // Numbers of 8 bytes: counts, a time, two durations, what is unjudged, seven kinds of waste. Six of 4 bytes.
        #expect(MemoryLayout<ViewTotals>.size == 8 * (10 + 1 + 2 * 6 + 1 + 7 * 2) + 4 * 6)
        #expect(MemoryLayout<ViewTotals>.stride == MemoryLayout<ViewTotals>.size)
        #expect(MemoryLayout<HangTotals>.size == 8 * 11 && MemoryLayout<StoreHangs>.size == 8 * (2 * 11 + 1))
        #expect(MemoryLayout<FrameTotals>.size == 8 * 15 && MemoryLayout<QuietStretch>.size == 8 * 16)
        // Seven counts, eight parts of two numbers, three rows of seconds, a flag.
        #expect(MemoryLayout<LoopTotals>.size == 8 * (7 + 8 * 2 + 3 * 16 + 1))
        #expect(MemoryLayout<LoopRow.Numbers>.size == 8 * 11 && MemoryLayout<WidgetFact.Numbers>.size == 8 * 8)
    }

    @Test("has the slots that the limits give")
    func slots() {
        #expect(DetailSlot.writers == 0..<3 && DetailSlot.otherWriters == 3)
        #expect(DetailSlot.chains == 4..<7 && DetailSlot.otherChains == 7 && DetailSlot.perView == 264)
        #expect((0..<8).filter { DetailSlot.isNamed($0) } == [0, 1, 2, 4, 5, 6])
        #expect((0..<8).map { DetailSlot.other(of: $0) } == [3, 3, 3, 3, 7, 7, 7, 7])
    }
}
