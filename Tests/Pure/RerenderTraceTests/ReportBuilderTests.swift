// SPDX-License-Identifier: MIT
// What a report makes of events, event by event.

import CShared
import Foundation
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

@Suite("Report of events")
struct ReportBuilderTests {
    @Test("an instance evaluated twice in a turn is a double evaluation, two instances are not")
    func doubles() throws {
        let script = EventScript()
        script.turn(1) {
            for instance in 1...20 as ClosedRange<UInt64> { script.evaluate("Row", turn: 1, instance: instance) }
        }
        script.turn(2) {
            script.evaluate("Row", turn: 2, instance: 1)
            script.evaluate("Row", turn: 2, instance: 1)
            script.evaluate("Row", turn: 2, instance: 1)
            script.evaluate("Total", turn: 2)
        }
        script.turn(3) { script.evaluate("Row", turn: 3, instance: 1) }
        let report = try script.report()
        #expect(report.doubleTurns == 1 && report.doubleEvaluations == 2)
        let turn = try #require(report.worstDoubleTurns.first)
        #expect(turn.turn == 2 && turn.views.map(\.again) == [2])
        #expect(turn.views.map { report.doubleKeys[$0.key] } == ["Row"])
    }

    @Test("passes are counted by view and by reason, and are no double evaluations; what was written was written once")
    func passes() throws {
        let script = EventScript()
        script.turn(1) {
            for _ in 0..<4 {
                script.evaluate("Row", turn: 1, instance: 1, writers: "tick()")
                script.evaluate("Row", turn: 1, instance: 1, writers: "tick()", isPass: true)
                script.evaluate("Row", turn: 1, instance: 1, writers: "tick()", isPass: true)
            }
            script.evaluate("Older", turn: 1, isPass: nil)
        }
        let report = try script.report()
        #expect(report.doubleTurns == 1 && report.doubleEvaluations == 3)
        let views = report.export.processes.flatMap(\.views)
        let row = try #require(views.first { $0.key == "Row" })
        #expect(row.count == 12 && row.passes == 8 && row.updates == 4)
        #expect(row.reasons.map(\.passes) == [8] && row.reasons.first?.writers.map(\.count) == [4])
        #expect(report.causes.first?.causes.first?.writers.map(\.count) == [4])
        #expect(views.first { $0.key == "Older" }?.passes == nil, "an older trace does not say")
        let page = try script.page().page
        #expect(page.views.map(\.passes).sorted() == [0, 8])
        #expect(
            page.evaluations.map { page.reasons[Int($0.reason)] }.count {
                $0 == "tick (a further pass of the same update)"
            } == 8)
        let chrome = Written()
        try script.feed(ChromeFormat(chrome.output, script.texts))
        #expect(chrome.text.components(separatedBy: "\"pass\":true").count - 1 == 8)
    }

    @Test(
        "in a turn of very many instances those that are remembered are double, and the others are said not to be known"
    )
    func manyInstances() throws {
        let script = EventScript()
        let instances = UInt64(TraceLimits.instancesPerTurn)
        script.turn(1) {
            for instance in 1...instances { script.evaluate("Row", turn: 1, instance: instance) }
            for instance in 1...instances { script.evaluate("Row", turn: 1, instance: instance) }
        }
        var report = try script.report()
        #expect(report.doubleTurns == 1 && report.doubleEvaluations == instances && report.overflowed == 0)
        script.turn(2) {
            for instance in 0...instances { script.evaluate("Row", turn: 2, instance: instance) }
            script.evaluate("Row", turn: 2, instance: instances)
            script.evaluate("Row", turn: 2, instance: 0)
        }
        report = try script.report()
        #expect(report.doubleEvaluations == instances + 1 && report.overflowed == 2)
    }

    @Test(
        "so many instances of a turn are told apart, and evaluations of further ones are counted",
        arguments: around(TraceLimits.instancesPerTurn))
    func furtherInstances(count: Int) throws {
        let script = EventScript()
        script.turn(1) {
            for _ in 0..<2 {
                for instance in 1...UInt64(count) { script.evaluate("Row", turn: 1, instance: instance) }
            }
        }
        let report = try script.report()
        let kept = min(count, TraceLimits.instancesPerTurn)
        #expect(report.doubleEvaluations == UInt64(kept) && report.overflowed == UInt64(2 * (count - kept)))
    }

    @Test("evaluations outside of turns are no double evaluations")
    func noTurn() throws {
        let script = EventScript()
        for _ in 0..<5 { script.evaluate("Row", turn: 0, instance: 1) }
        #expect(try script.report().doubleTurns == 0)
    }

    @Test("missing evaluations are exact, before the first and between, in whatever order threads record them")
    func missing() throws {
        let script = EventScript()
        for count in [11, 13, 12, 20] as [UInt64] { script.evaluate("Row", count: count) }
        let report = try script.report()
        let missing = try #require(report.missing.first)
        #expect(missing.key == "Row" && missing.before == 10 && missing.between == 6)
        let store = try #require(report.export.processes.first)
        #expect(store.evaluations == 20 && store.lost == 16 && store.views[0].count == 4)
    }

    @Test("after a reset only the new epoch counts, and what is missing of it was lost and not before the trace")
    func epochs() throws {
        let script = EventScript()
        for _ in 0..<5 { script.evaluate("Row") }
        script.evaluate("Gone")
        script.evaluate("Row", epoch: 1, count: 2)
        let report = try script.report()
        #expect(report.export.processes[0].views.map(\.key) == ["Row"])
        #expect(report.export.processes[0].views[0].count == 1)
        #expect(report.beforeReset == 6)
        let reset = try #require(script.events.last).nanoseconds
        #expect(report.export.processes[0].countedSince == Timestamp(nanosecondsSince1970: reset))
        // A view that is met later in the epoch changes nothing.
        script.evaluate("Late", epoch: 1)
        #expect(try script.report().export.processes[0].countedSince == report.export.processes[0].countedSince)
        let plain = EventScript()
        plain.evaluate("Row")
        #expect(try plain.report().export.processes[0].countedSince == nil)
        #expect(report.missing.map(\.before) == [0] && report.missing.map(\.between) == [1])
    }

    @Test("a lost end does not give its view's time to others, and unpaired events are counted")
    func unpaired() throws {
        let script = EventScript()
        let outer = script.begin("Outer")
        _ = script.begin("Lost")
        script.end(outer, "Outer")
        script.end(77, "Unbegun")
        let report = try script.report()
        #expect(report.unended == 1 && report.unbegun == 1)
        #expect(report.export.processes[0].views.map(\.key) == ["Outer", "Unbegun"])
        #expect(report.export.processes[0].views.map(\.file) == ["App/Outer.swift", ""])
    }

    @Test("self time is what the app recorded, and in an older trace what nesting shows", arguments: [true, false])
    func selfTime(isTold: Bool) throws {
        let script = EventScript()
        for waste in [TraceWaste.measured, .none] {
            let outer = script.begin("Outer")
            let middle = script.begin("Middle")
            script.evaluate("Inner", body: 100, own: isTold ? 100 : nil)
            script.end(middle, "Middle", body: 300, waste: waste, own: isTold ? 200 : nil)
            script.evaluate("Inner", body: 50, own: isTold ? 50 : nil)
            script.end(outer, "Outer", body: 1_000, waste: waste, own: isTold ? 650 : nil)
        }
        // Its beginning is lost, and with it what ran inside of it.
        script.end(77, "Unbegun", body: 500, own: isTold ? 20 : nil)
        let views = try #require(script.report().export.processes.first).views
        let own = Dictionary(views.map { ($0.key.rawValue, $0.selfNanoseconds) }, uniquingKeysWith: { $1 })
        #expect(own == ["Outer": 1_300, "Middle": 400, "Inner": 300, "Unbegun": isTold ? 20 : 500])
        let wasted = Dictionary(views.map { ($0.key.rawValue, $0.wasted.nanoseconds) }, uniquingKeysWith: { $1 })
        #expect(wasted["Outer"] == (isTold ? 650 : 1_000) && wasted["Middle"] == (isTold ? 200 : 300))
    }

    @Test("a hang that a daemon tells is listed once, whether its turn ends before it is told or after")
    func hangs() throws {
        for isTurnFirst in [true, false] {
            let script = EventScript()
            let hang = { (isEnd: Bool) in
                var hang = script.hang(300_000_000, view: "Slow", isEnd: isEnd, pid: 1)
                hang.turn = 5
                return hang
            }
            script.beginTurn(5)
            let outer = script.begin("Outer")
            script.evaluate("Slow", body: 250_000_000, turn: 5)
            script.end(outer, "Outer", body: 260_000_000, turn: 5)
            script.add(.hangBegan(hang(false)), pid: 99)
            // The script's steps have taken some microseconds.
            let rest: Int64 = 300_000_000
            if isTurnFirst { script.endTurn(5, evaluations: 2, after: rest) }
            script.add(.hangEnded(hang(true)), pid: 99)
            if !isTurnFirst { script.endTurn(5, evaluations: 2, after: rest) }
            let report = try script.report()
            let found = try #require(report.hangs.first)
            #expect(report.hangs.count == 1 && report.hasDaemon && !found.open && found.turn == 5)
            #expect(found.view == "Slow" && found.attribution == .inBody && found.verdict == .running)
            // The daemon tells the shares, and it told none.
            #expect(found.shares.isEmpty && found.unattributedNanoseconds == nil)
            let slow = try #require(report.export.processes[0].views.first { $0.key == "Slow" })
            #expect(slow.hangs.count == 1 && slow.hangs.worstNanoseconds == 300_000_000)
        }
    }

    @Test("hangs that took as long are of the turns and views that the daemon says")
    func hangsByTurn() throws {
        let script = EventScript()
        for (turn, view) in [(5, "First"), (6, "Second")] as [(UInt64, String)] {
            script.turn(turn, length: 300_000_000) { script.evaluate(view, body: 250_000_000, turn: turn) }
        }
        for (turn, view) in [(5, "First"), (6, "Second")] as [(UInt64, String)] {
            var hang = script.hang(300_000_000, id: turn, view: view, isEnd: true)
            (hang.turn, hang.starved_ns, hang.at_threshold) = (turn, 9, script.texts.intern("Row"))
            if turn == 6 { hang.verdict = TraceCode.code(HangVerdict.starved, none: .unknown) }
            script.add(.hangEnded(hang), pid: 99)
        }
        let report = try script.report()
        let hangs = report.hangs
        let process = try #require(report.export.processes.first { !$0.views.isEmpty })
        #expect(process.hangs.count == 2 && process.hangs.starved == 1 && process.hangs.starvedNanoseconds == 18)
        #expect(process.views.map(\.hangs.starved) == [0, 1])
        #expect(hangs.map(\.turn) == [6, 5] && hangs.map(\.view) == ["Second", "First"])
        #expect(hangs.allSatisfy { $0.viewAtThreshold == "Row" && $0.starvedNanoseconds == 9 && !$0.guess })
    }

    @Test("a hang began as long before its event as that says, and an open one is a guess")
    func hangsByAge() throws {
        let script = EventScript()
        var told = script.hang(300_000_000, view: "Slow", isEnd: true)
        told.age_ns = 420_000_000
        script.add(.hangEnded(told), pid: 99, after: 500_000_000)
        script.add(.hangBegan(script.hang(0, id: 2, view: "Slow", isEnd: false)), pid: 99)
        let hangs = try script.report().hangs
        #expect(hangs.map(\.startedAtNanoseconds) == [1_500_001_000, 1_080_000_000])
        #expect(hangs.map(\.guess) == [true, false] && hangs.map(\.open) == [true, false])
    }

    @Test("of a hang that is open at the end, no times are known, whatever its event says")
    func openHang() throws {
        let script = EventScript()
        _ = script.begin("Open")
        var open = script.hang(0, view: "Open", isEnd: false)
        open.shares = script.texts.intern("0;1/1/0/0/4:Open;")
        script.add(.hangBegan(open), pid: 99)
        let hangs = try script.report().hangs
        #expect(hangs.map(\.view) == ["Open"] && hangs.map(\.open) == [true])
        #expect(hangs.allSatisfy { $0.shares.isEmpty && $0.unattributedNanoseconds == nil }, "\(hangs)")
    }

    @Test("without a daemon, a turn in which another copy of the library evaluated names no view")
    func turnOfAnotherCopy() throws {
        let script = EventScript()
        // The other copy says that its evaluations are of no turn.
        script.turn(2, length: 400_000_000) { script.evaluate("PlugIn", body: 250_000_000) }
        let hangs = try script.report().hangs
        #expect(hangs.map(\.view) == [nil] && hangs.map(\.unattributedNanoseconds) == [nil])
    }

    @Test("without a daemon, a turn of which a body is missing names no view")
    func incompleteTurnWithoutDaemon() throws {
        let script = EventScript()
        script.turn(1, length: 300_000_000, lost: 1) { script.evaluate("Row", body: 250_000_000, turn: 1) }
        let report = try script.report()
        #expect(report.hangs.map(\.view) == [nil] && report.hangs.map(\.unattributedNanoseconds) == [nil])
        #expect(report.hangs.map(\.guess) == [true] && report.export.processes[0].views[0].hangs.count == 0)
    }

    @Test("the time of views beyond the listed ones is that of other views, and not outside of views")
    func manyViewsOfHang() throws {
        let script = EventScript()
        script.turn(1, length: 300_000_000) {
            for view in 1...300 { script.evaluate("V\(view)", body: 1_000_000, turn: 1) }
        }
        let hang = try #require(try script.report().hangs.first)
        #expect(hang.shares.count == 8 && hang.shares[7].view == .otherViews)
        #expect(hang.shares[7].nanoseconds == 293_000_000, "\(hang)")
    }

    @Test(
        "the view with most time is in the list, however many came before it",
        arguments: [7, 8, 9, 255, 256, 257, 1_000])
    func lastOfManyViews(count: Int) throws {
        let script = EventScript()
        script.turn(1, length: 500_000_000) {
            for view in 1..<count { script.evaluate("V\(view)", body: 1_000, turn: 1) }
            script.evaluate("Last", body: 400_000_000, turn: 1)
        }
        let hang = try #require(try script.report().hangs.first)
        #expect(hang.view == "Last" && hang.shares.first?.view == "Last" && hang.share == 400_000_000)
        #expect(hang.shares.count == min(count, 8))
        #expect((hang.shares.last?.view == .otherViews) == (count > 8))
        let sum = hang.shares.reduce(0) { $0 + $1.nanoseconds }
        #expect(sum == 400_000_000 + UInt64(count - 1) * 1_000)
    }

    @Test("a hang has the shares that the daemon told, of views and handlers, with their phases and stores")
    func toldShares() throws {
        let script = EventScript()
        script.turn(1, length: 466_000_000) {
            let host = script.begin("Host")
            script.end(host, "Host", body: 464_000_000, turn: 1)
        }
        var truth = Hang(id: 1, pid: 1, process: "app", startedAt: Timestamp(nanosecondsSince1970: 0), turn: 1)
        let store = Hang.Store(number: 0, name: "main")
        truth.shares = [
            .init(view: "Host", handler: "inner; 1/2:", phase: .handler, store: store, nanoseconds: 404_000_000),
            .init(view: "Host", phase: .body, store: store, nanoseconds: 60_000_000),
            .init(view: "Größe\n", phase: .layout, store: store, nanoseconds: 5),
            .init(view: .otherViews, phase: nil, nanoseconds: 7),
        ]
        truth.unattributedNanoseconds = 1_900_000
        var hang = script.hang(466_000_000, view: "Host", isEnd: true)
        (hang.handler, hang.turn) = (script.texts.intern("inner; 1/2:"), 1)
        (hang.attribution, hang.store_id) = (TraceCode.code(HangAttribution.inHandler, none: .none), 0)
        let text = HangShareText.text(of: truth)
        hang.shares = script.texts.intern(text)
        script.add(.hangEnded(hang), pid: 99)
        let found = try #require(try script.report().hangs.first)
        #expect(found.shares == truth.shares && found.unattributedNanoseconds == 1_900_000)
        #expect(found.share == 404_000_000 && found.phase == .handler)
        // Where the daemon does not tell them, the turn's evaluations do not say what a handler had.
        script.forgetShares(text)
        let old = try #require(try script.report().hangs.first)
        #expect(old.shares.isEmpty && old.unattributedNanoseconds == nil)
    }

    @Test("shares that do not fit a hang, or are no shares, are not believed")
    func wrongShares() {
        let good = "10;90/1/0/0/3:Row;"
        let read = { (text: String) in HangShareText.shares(in: text, of: 100) { Hang.Store(number: $0, name: "s") } }
        #expect(read(good)?.shares.map(\.nanoseconds) == [90] && read(good)?.unattributed == 10)
        for wrong in [
            "", " ", "-;", "11;90/1/0/0/3:Row;", "10;90/1/0/0/4:Row;", "10;90/1/0/0/2:Row;", "10;90/99/0/0/3:Row;",
            "10;90/1/0/0/3:Row", "10;90/1/0/0/18446744073709551615:Row;", "10;18446744073709551615/1/0/0/3:Row;",
            "10;90/1/0/0/-3:Row;", "x;", "10", "0;" + String(repeating: "1/1/0/0/1:a;", count: 10),
        ] { #expect(read(wrong) == nil, "\(wrong)") }
        var long = Hang(id: 1, pid: 1, process: "", startedAt: Timestamp(nanosecondsSince1970: 0), turn: 1)
        for bytes in [1_900, 1_980, 2_000, 4_000] {
            long.shares = [.init(view: ViewKey(rawValue: String(repeating: "k", count: bytes)), nanoseconds: 1)]
            let text = HangShareText.text(of: long)
            #expect(text.isEmpty == (bytes >= 2_000) && text.utf8.count <= HangShareText.mostBytes)
        }
    }

    @Test("a hang is of the view of the store that the daemon says, and of none where several may be meant")
    func hangsByStore() throws {
        for number in [UInt32(1), nil] {
            let script = EventScript()
            for store in [(0, "A"), (1, "B")] as [(UInt32, String)] {
                script.store = store
                script.evaluate("Gamma")
            }
            var hang = script.hang(300_000_000, view: "Gamma", isEnd: true)
            (hang.store_id, hang.at_threshold, hang.at_threshold_store_id) = (number ?? .max, hang.name, 0)
            script.add(.hangEnded(hang), pid: 99)
            let report = try script.report()
            let stores = report.export.processes.sorted { $0.store < $1.store }
            #expect(stores.map { $0.views[0].hangs.count } == [0, number == nil ? 0 : 1])
            #expect(stores.map(\.hangs.count) == [1, 1])
            #expect(report.hangs[0].viewStore == number.map { Hang.Store(number: $0, name: "B") })
            #expect(report.hangs[0].viewAtThresholdStore == Hang.Store(number: 0, name: "A"))
        }
    }

    @Test("a hang counts as the daemon says, whatever was done for most of it, and a guess for no view")
    func hangsThatCount() throws {
        let script = EventScript()
        script.evaluate("Slow")
        for (id, counts, isGuess) in [(1, true, false), (2, false, false), (3, true, true)] as [(UInt64, Bool, Bool)] {
            var hang = script.hang(1_400_000_000, id: id, view: "Slow", isEnd: true, verdict: .stopped)
            (hang.counts, hang.guess) = (counts ? 1 : 0, isGuess ? 1 : 0)
            script.add(.hangEnded(hang), pid: 99)
        }
        let report = try script.report()
        let process = report.export.processes[0]
        #expect(process.hangs.count == 2 && process.hangs.totalNanoseconds == 2_800_000_000)
        #expect(process.views[0].hangs.count == 1 && process.hangsOfNoView?.totalNanoseconds == 1_400_000_000)
        #expect(report.hangs.count { $0.counts } == 2)
    }

    @Test("a hang in a handler is a hang of its view, with what the handler had of it")
    func hangInHandler() throws {
        let script = EventScript()
        script.evaluate("Toolbar")
        var opened = script.hang(0, view: "Toolbar", isEnd: false)
        var hang = script.hang(400_000_000, view: "Toolbar", isEnd: true)
        opened.handler = script.texts.intern("click")
        opened.attribution = TraceCode.code(HangAttribution.inHandler, none: .none)
        (hang.handler, hang.attribution) = (opened.handler, opened.attribution)
        (opened.turn, hang.turn, hang.own_ns) = (1, 1, 300_000_000)
        script.turn(1, length: 400_000_000) {
            script.evaluate("Row", body: 30_000_000, turn: 1)
            script.add(.hangBegan(opened), pid: 99)
        }
        script.add(.hangEnded(hang), pid: 99)
        let report = try script.report()
        let found = try #require(report.hangs.first)
        #expect(found.view == "Toolbar" && found.handler == "click" && found.attribution == .inHandler)
        let view = try #require(report.export.processes[0].views.first { $0.key == "Toolbar" })
        #expect(view.hangs.count == 1 && view.hangs.ownNanoseconds == 300_000_000)
        #expect(report.export.processes[0].views.map(\.hangs.count).reduce(0, +) == 1)
    }

    @Test("without a daemon a view is named from a fifth of the turn on, and only one of the loop's thread")
    func blameWithoutDaemon() throws {
        let script = EventScript()
        script.turn(1, length: 400_000_000) { script.evaluate("Row", body: 30_000_000, turn: 1) }
        script.turn(2, length: 400_000_000) {
            script.end(script.begin("Background"), "Background", body: 390_000_000, turn: 2, tid: 9)
        }
        script.turn(3, length: 100_000_000) {
            let slow = script.begin("Slow")
            script.write("", "", views: 1, after: 300_000_000)
            script.end(slow, "Slow", body: 300_000_000, turn: 3)
        }
        script.turn(4, length: 400_000_000) { script.evaluate("Row", body: 100_000_000, turn: 4) }
        let hangs = try script.report().hangs
        #expect(hangs.map(\.turn) == [4, 3, 2, 1] && hangs.map(\.view) == ["Row", "Slow", nil, nil])
        #expect(hangs.map(\.attribution) == [.share, .inBody, .none, .none])
        #expect(hangs.map(\.viewAtThreshold) == [nil, "Slow", nil, nil])
        #expect(hangs[2].shares.isEmpty && hangs[3].shares.map(\.view) == ["Row"])
    }

    @Test("without a daemon in the trace a turn over the threshold is a hang by its largest share")
    func hangsWithoutDaemon() throws {
        let script = EventScript()
        script.turn(1, length: 120_000_000) { script.evaluate("Row", turn: 1) }
        script.turn(2, length: 400_000_000) { script.evaluate("Row", body: 390_000_000, turn: 2) }
        let report = try script.report()
        #expect(!report.hasDaemon && report.hangs.map(\.view) == ["Row"])
        #expect(report.hangs.map(\.attribution) == [.share] && report.hangs.map(\.verdict) == [.unknown])
        #expect(report.export.processes[0].microHangs == 1 && report.export.processes[0].hangs.count == 1)
    }

    @Test("of turns with double evaluations so many are listed", arguments: around(TraceLimits.doubleTurns))
    func manyDoubleTurns(count: Int) throws {
        let script = EventScript()
        for number in 1...UInt64(count) {
            script.turn(number) { for _ in 0..<2 { script.evaluate("Row", turn: number, instance: 1) } }
        }
        let report = try script.report()
        #expect(report.doubleTurns == UInt64(count) && report.doubleEvaluations == UInt64(count))
        #expect(report.worstDoubleTurns.count == min(count, TraceLimits.doubleTurns))
    }

    @Test("so many views of one are named, and all are counted", arguments: around(TraceLimits.viewsPerDoubleTurn))
    func manyDoubleViews(count: Int) throws {
        let script = EventScript()
        script.turn(1) {
            for number in 0..<count {
                for _ in 0..<2 { script.evaluate("view \(number)", turn: 1, instance: 1) }
            }
        }
        let turn = try #require(try script.report().worstDoubleTurns.first)
        #expect(turn.again == UInt64(count) && turn.views.count == min(count, TraceLimits.viewsPerDoubleTurn))
    }

    @Test(
        "all hangs count for their process and view, the newest are listed, and the others are counted",
        arguments: around(TraceLimits.hangs), [true, false])
    func manyHangs(count: Int, hasDaemon: Bool) throws {
        let script = EventScript()
        for number in 1...UInt64(count) {
            script.turn(number, length: 300_000_000) { script.evaluate("Row", body: 290_000_000, turn: number) }
            if hasDaemon {
                var hang = script.hang(300_000_000, id: number, view: "Row", isEnd: true)
                hang.turn = number
                script.add(.hangEnded(hang), pid: 99)
            }
        }
        let report = try script.report()
        #expect(report.hasDaemon == hasDaemon && report.hangs.count == min(count, TraceLimits.hangs))
        #expect(report.hangs.count + Int(report.hangsForgotten) == count)
        #expect(report.hangs.first?.turn == UInt64(count), "the newest first")
        let process = try #require(report.export.processes.first)
        #expect(process.hangs.count == UInt64(count) && process.views.map(\.hangs.count) == [UInt64(count)])
    }

    @Test("a turn whose end or beginning was lost is no hang, however long the next one is away")
    func lostEndOfTurn() throws {
        let script = EventScript()
        script.beginTurn(1)
        script.evaluate("Row", turn: 1)
        script.beginTurn(2, after: 900_000_000)
        script.endTurn(2, evaluations: 0)
        script.evaluate("Row", turn: 3)
        script.endTurn(3, evaluations: 1, after: 900_000_000)
        #expect(try script.report().hangs.isEmpty)
    }

    @Test("an evaluation of a worker that is told in the next turn does not end that one")
    func workerOfTurnBefore() throws {
        let script = EventScript()
        script.turn(1) { script.evaluate("Row", turn: 1) }
        script.turn(2, length: 400_000_000) {
            script.evaluate("Row", turn: 2, instance: 3)
            script.end(0, "Worker", turn: 1, instance: 7, tid: 2)
            script.evaluate("Row", body: 390_000_000, turn: 2, instance: 3)
        }
        let report = try script.report()
        #expect(report.hangs.map(\.turn) == [2] && report.hangs.map(\.view) == ["Row"])
        #expect(report.doubleTurns == 1 && report.doubleEvaluations == 1)
    }

    @Test("a hang that was stopped is listed and does not count, an open one is open")
    func uncountedHangs() throws {
        let script = EventScript()
        script.evaluate("Row")
        script.add(.hangEnded(script.hang(500_000_000, view: "Row", isEnd: true, verdict: .stopped)), pid: 99)
        script.add(.hangBegan(script.hang(0, id: 2, view: "Row", isEnd: false)), pid: 99)
        let report = try script.report()
        #expect(report.hangs.map(\.open).sorted { !$0 && $1 } == [false, true])
        #expect(report.export.processes[0].views[0].hangs.count == 0)
    }

    @Test("a hang that turned out to be none is none, and the next one under another number is one")
    func hangThatWasNone() throws {
        let script = EventScript()
        script.evaluate("Row")
        script.add(.hangBegan(script.hang(0, id: 2, view: "Row", isEnd: false)), pid: 99)
        script.add(.hangEnded(script.hang(0, id: 2, view: "Row", isEnd: true)), pid: 99)
        script.add(.hangEnded(script.hang(500_000_000, id: 3, view: "Row", isEnd: true)), pid: 99)
        #expect(try script.report().hangs.map(\.durationNanoseconds) == [500_000_000])
    }

    @Test(
        "so many reasons of a view have a row, and further ones are `other`",
        arguments: around(TraceLimits.reasonsPerView))
    func manyReasons(count: Int) throws {
        let script = EventScript()
        for number in 0..<count { script.evaluate("Row", reason: "reason \(number)") }
        let rows = try #require(try script.report().export.processes[0].views.first).reasons
        let kept = min(count, TraceLimits.reasonsPerView)
        #expect(rows.count { $0.reason.hasPrefix("reason ") && $0.count == 1 } == kept)
        let others = rows.filter { $0.reason == Reason.other }
        #expect(others.map(\.count) == (count > kept ? [UInt64(count - kept)] : []))
        #expect(rows.count == kept + others.count)
    }

    @Test(
        "beside as many reasons as an app tells of, what it counts as `other` is one, and a property of that name is not",
        arguments: around(TraceLimits.reasonsOfApp))
    func manyOthers(count: Int) throws {
        let script = EventScript()
        for number in 1..<count { script.evaluate("Row", reason: "reason \(number)") }
        for attribution in [1, 3] as [UInt8] { script.evaluate("Row", reason: Reason.other, attribution: attribution) }
        let rows = try #require(try script.report().export.processes[0].views.first).reasons
        let others = rows.filter { $0.reason == Reason.other }
        #expect(others.map(\.count) == (count >= TraceLimits.reasonsOfApp ? [2] : [1, 1]))
        #expect(rows.count == count - 1 + others.count)
    }

    @Test("so many chains of a reason have a name", arguments: around(TraceLimits.chains))
    func manyChains(count: Int) throws {
        let script = EventScript()
        for number in 0..<count { script.evaluate("Row", reason: "parent: List", chain: "List ← cause \(number)") }
        let row = try #require(try script.report().export.processes[0].views.first)
        let chains = row.reasons.first { $0.reason == "parent: List" }?.chains ?? []
        #expect(chains.count { $0.chain.hasPrefix("List ← cause ") } == min(count, TraceLimits.chains))
        #expect(chains.reduce(0) { $0 + $1.count } == UInt64(count))
    }

    @Test("so many writers of a cause have a name", arguments: around(TraceLimits.writersPerCause))
    func manyWriters(count: Int) throws {
        let script = EventScript()
        for number in 0..<count { script.evaluate("Row", reason: "ticker.tick", writers: "write\(number)()") }
        let causes = try #require(try script.report().causes.first).causes
        let writers = try #require(causes.first { $0.text == "ticker.tick" }).writers
        let kept = min(count, TraceLimits.writersPerCause)
        #expect(writers.count { $0.writer.hasPrefix("write") } == kept)
        let others = writers.first { $0.writer == Reason.other }?.count ?? 0
        #expect(others == UInt64(count - kept))
    }

    @Test("causes are a tree from the first cause down the chain, with who wrote")
    func causes() throws {
        let script = EventScript()
        for _ in 0..<3 {
            script.evaluate("Panel", reason: "ticker.tick", writers: "advance() A.swift:4 ×2; other() B.swift:5")
            script.evaluate("Part", reason: "parent: Panel", chain: "Panel ← ticker.tick")
            script.evaluate("Detail", reason: "parent: Part", chain: "Part ← Panel ← ticker.tick")
        }
        script.evaluate("Panel", reason: "initial")
        let causes = try #require(try script.report().causes.first).causes
        #expect(causes.map(\.text) == ["ticker.tick", "initial"] && causes.map(\.evaluations) == [9, 1])
        #expect(causes[0].writers.map(\.writer) == ["advance() A.swift:4", "other() B.swift:5"])
        #expect(causes[0].writers.map(\.count) == [6, 3])
        let panel = try #require(causes[0].views.first)
        #expect(panel.text == "Panel" && panel.evaluations == 3)
        #expect(panel.views.map(\.text) == ["Part"] && panel.views[0].views.map(\.text) == ["Detail"])
        #expect(panel.views[0].views[0].evaluations == 3)
    }

    @Test("a hostile trace of ever new views, processes, causes and texts stays within its bounds, and says so")
    func bounds() throws {
        let script = EventScript()
        for number in 0..<70_000 { script.evaluate("view \(number)", reason: "reason \(number)") }
        let report = try script.report()
        #expect(report.export.processes[0].views.count == TraceLimits.views)
        #expect(report.overflowed > 0)
    }
}
