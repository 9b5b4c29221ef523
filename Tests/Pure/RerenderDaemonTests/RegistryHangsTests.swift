// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Hangs in the registry")
struct RegistryHangsTests {
    let fixture = RegistryFixture()

    @Test("shows what stores and views say of hangs, and ranks by them")
    func shows() throws {
        let app = try fixture.connect()
        try fixture.say(
            store(), .view(0, "A"), .view(1, "B"), .view(2, "C"), .totals(0, 9), on: app)
        try hang(app, 1, view: 1)
        try hang(app, 2, micro: 7, view: 2)
        var query = StatsQuery()
        query.order = .hangs
        let process = try fixture.export(query).processes[0]
        #expect(process.hangs.count == 3 && process.hangs.worstNanoseconds == 301_000_000 && process.microHangs == 7)
        #expect(process.hangs.totalNanoseconds == 901_000_000 && process.hangsOfNoView == nil)
        #expect(process.hangStacks == true)
        #expect(process.views.map(\.key.rawValue) == ["C", "B", "A"])
        #expect(process.views.map(\.hangs.count) == [2, 1, 0])
        #expect(process.views[0].count == 0, "a view may hang before its first evaluation ends")
    }

    @Test("a new epoch has none")
    func epochs() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), on: app)
        try hang(app, 3, micro: 7, view: 0)
        try fixture.say(.totals(0, 4, epoch: 1), on: app)
        let process = try fixture.export().processes[0]
        #expect(process.hangs.count == 0 && process.microHangs == 0)
        #expect(process.views.map(\.hangs.count) == [0])
    }

    @Test("they are kept over a clean restart")
    func kept() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), on: app)
        try hang(app, 1)
        try hang(app, 2, micro: 7, view: 0)
        let parts = StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, now: .now())
        let after = RegistryFixture()
        try StateFile.restore(Array(parts.joined()), into: after.registry, bootID: "boot", now: .now())
        let process = try after.export().processes[0]
        #expect(process.hangs.count == 3 && process.microHangs == 7 && process.hangStacks == true)
        #expect(process.views.map(\.hangs.count) == [2] && process.views[0].hangs.totalNanoseconds == 601_000_000)
        #expect(process.hangsOfNoView?.count == 1 && process.hangsOfNoView?.totalNanoseconds == 300_000_000)
    }

    @Test("those in which the thread had no processor are counted apart, over a restart, too")
    func starved() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), on: app)
        try hang(app, 2, view: 0)
        var starved = Hang(id: 9, pid: 10, process: "shop", startedAt: .now, turn: 9)
        (starved.durationNanoseconds, starved.starvedNanoseconds, starved.view) = (404_000_000, 300_000_000, "view")
        starved.verdict = .starved
        let process = try fixture.process(app)
        for view: UInt32? in [0, nil] {
            if view == nil { starved.view = nil }
            let blamed = view.map { FlightView(storeID: 0, index: $0, epoch: 0, key: "") }
            _ = fixture.registry.count(starved, blamed: blamed, of: process, isOver: false)
        }
        let parts = StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, now: .now())
        let after = RegistryFixture()
        try StateFile.restore(Array(parts.joined()), into: after.registry, bootID: "boot", now: .now())
        for process in [try fixture.export().processes[0], try after.export().processes[0]] {
            #expect(process.hangs.count == 4 && process.hangs.starved == 2 && process.hangs.faults == 4)
            #expect(process.hangs.starvedNanoseconds == 600_000_000 && process.hangsOfNoView?.starved == 1)
            #expect(process.hangs.microNanoseconds == 208_000_000, "what is left of each is a micro-hang")
            let view = try #require(process.views.first).hangs
            #expect(view.count == 3 && view.starved == 1 && view.nanosecondsOfApp == 705_000_000)
        }
    }

    @Test("each store counts by its own thresholds, each end included, and the app is told of what it counted")
    func thresholds() throws {
        let app = try fixture.connect()
        var slow = StoreState(storeID: 1, name: "slow", startedAt: Timestamp(nanosecondsSince1970: 1))
        (slow.hangThresholdMilliseconds, slow.microHangThresholdMilliseconds) = (301, 300)
        try fixture.say(store(), .store(slow), .view(0, "A"), .storeEnded(storeID: 7), on: app)
        let told = try hang(app, 2, micro: 1, view: 0)
        #expect(
            told.map(\.storeID) == [0, 1, 0, 1, 0] && told.map(\.isMicroHang) == [false, true, false, false, true])
        let stores = try fixture.process(app).stores
        #expect(stores.map(\.hangs.hangs.count) == [2, 1] && stores.map(\.hangs.microHangs) == [1, 1])
        #expect(told.last?.counts == stores[0].hangs, "a notice has the totals")
        #expect(told.map(\.blamed?.hangs.count) == [1, nil, 2, nil, nil])
    }

    @Test(
        "what is listed counts as a hang and nothing else does, although a store's thresholds are known late",
        arguments: [(100, 0, 1), (1_000, 1, 0), (250, 1, 1)] as [(UInt32, UInt64, UInt64)])
    func lateThresholds(known: UInt32, hangs: UInt64, microHangs: UInt64) throws {
        let app = try fixture.connect()
        var state = StoreState(storeID: 0, name: "main", startedAt: Timestamp(nanosecondsSince1970: 1))
        state.hangThresholdMilliseconds = known
        try fixture.say(.store(state), .view(0, "A"), on: app)
        let told = try hang(app, known == 100 ? 0 : 1, micro: known == 1_000 ? 0 : 1, view: 0)
        #expect(told.map(\.isMicroHang) == (hangs == 1 ? [false] : []) + (microHangs == 1 ? [true] : []))
        let counts = try fixture.process(app).stores[0].hangs
        #expect(counts.hangs.count == hangs && counts.microHangs == microHangs)
        #expect(try fixture.export().processes[0].views.allSatisfy { $0.hangs.count == hangs })
    }

    @Test(
        "the stores that were there when a hang ended count it, whether its program lives or not",
        arguments: [true, false])
    func stores(isOver: Bool) throws {
        let (app, now) = (try fixture.connect(), Timestamp.now)
        func ago(_ seconds: Int64) -> Timestamp {
            Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 - seconds * 1_000_000_000)
        }
        try fixture.say(
            .store(0, "lives"), .store(1, "ended before"), .store(2, "ended after"),
            .store(3, "made after", startedAt: ago(2).nanosecondsSince1970),
            .store(4, "by a clock that was set back", startedAt: ago(-3_600).nanosecondsSince1970), on: app)
        let process = try fixture.process(app)
        process.store(1)?.endedAt = ago(20)
        process.store(2)?.endedAt = ago(2)
        var hang = Hang(id: 1, pid: 10, process: "shop", startedAt: ago(10), turn: 1)
        hang.durationNanoseconds = 300_000_000
        let counted = fixture.registry.count(hang, blamed: nil, of: process, isOver: isOver)
        #expect(counted.map { $0.store.state.storeID } == [0, 2, 4])
        let told: [UInt32?] = isOver ? [nil, nil, nil] : [0, nil, 4]
        #expect(counted.map { $0.notice?.storeID } == told)
    }

    @Test("a hang is one also where the threshold of a micro-hang is longer")
    func reversedThresholds() {
        var state = StoreState(storeID: 0, name: "main", startedAt: .now)
        state.hangThresholdMilliseconds = 20
        let thresholds = state.thresholds
        #expect(thresholds.length(nanoseconds: 30_000_000) == .hang)
        #expect(thresholds.length(nanoseconds: 19_000_000) == .short)
    }

    @Test("blame of an earlier epoch's view is the store's hang and no view's")
    func foreignBlame() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), .totals(0, 1), on: app)
        try hang(app, 1, view: 0, epoch: 1)
        let process = try fixture.export().processes[0]
        #expect(process.hangs.count == 1 && process.views.map(\.hangs.count) == [0] && process.hangsOfNoView == nil)
    }

    @Test("a view that the app names after its hangs has them all, also after a restart of the daemon")
    func namedLater() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), .totals(0, 1), on: app)
        try hang(app, 2, view: 1)
        let notices = try hang(app, 1, view: 1)
        #expect(notices.last?.blamed == .init(index: 1, hangs: try fixture.process(app).stores[0].hangs.hangs))
        let after = RegistryFixture()
        let kept = StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, views: 0, now: .now())
        try StateFile.restore(Array(kept.joined()), into: after.registry, bootID: "boot", now: .now())
        for (fixture, app) in [(fixture, app), (after, try after.connect())] {
            try fixture.say(store(), .view(0, "A"), .view(1, "B"), .totals(1, 5), on: app)
            #expect(try fixture.export().processes[0].views.first { $0.key == "B" }?.hangs.count == 3)
        }
    }

    @Test("in a handler are named by it and its view, whose they are, by what the app says or else by the page")
    func inHandler() throws {
        let app = try fixture.connect()
        let long = String(repeating: "n", count: 100)
        try fixture.say(store(), .view(0, "A"), .view(1, "Toolbar"), .totals(1, 1), on: app)
        var isNameless = false
        func hang(_ index: UInt32, _ name: HandlerName) throws -> Hang {
            let handler = FlightView(
                storeID: 0, index: index, epoch: 0, phase: .handler, key: name.pageText)
            let turn = OpenTurn(
                id: 1, turn: 1, startedAt: 1, realStart: .now, threshold: 250_000_000, lastSeen: 400_000_001)
            var seen = SeenHang(turn, 400_000_000, .normally, isGuess: false)
            (seen.views.inBody, seen.hang.attribution) = (handler, .inHandler)
            seen.views.shares = [FlightShare(view: handler, nanoseconds: 300_000_000)]
            let process = try fixture.process(app)
            isNameless = fixture.registry.hasNamelessView(seen, of: process.identity)
            _ = fixture.registry.count(
                fixture.registry.named(seen, of: process.identity), blamed: seen.blamed, of: process, isOver: false)
            return fixture.registry.named(seen, of: process.identity)
        }
        let click = try hang(0, HandlerName(view: "Toolbar", name: "click on Save"))
        #expect(click.view == "Toolbar" && click.handler == "click on Save" && click.attribution == .inHandler)
        #expect(click.viewAtThreshold == nil && click.viewStore?.number == 0 && click.share == 300_000_000)
        #expect(click.phase == .handler && click.shares.map(\.phase) == [.handler])
        #expect(click.shares.map(\.view) == ["Toolbar"] && click.shares.map(\.handler) == ["click on Save"])
        let timer = try hang(1, HandlerName(view: nil, name: "timer"))
        #expect(
            timer.view == nil && timer.handler == "timer" && timer.blamedName == "timer" && timer.share == 300_000_000)
        let cut = try hang(2, HandlerName(view: "Toolbar", name: long))
        #expect(isNameless, "the app will say the rest")
        #expect(cut.view == "Toolbar" && cut.handler?.hasSuffix("…") == true, "the page has the beginning")
        try fixture.say(
            .handler(.init(storeID: 0, index: 0, name: HandlerName(view: "Toolbar", name: "click on Save"))),
            .handler(.init(storeID: 0, index: 1, name: HandlerName(view: nil, name: "timer"))),
            .handler(.init(storeID: 0, index: 2, name: HandlerName(view: "Toolbar", name: long))), on: app)
        #expect(try hang(2, HandlerName(view: "Toolbar", name: long)).handler == long && !isNameless)
        _ = try hang(3, HandlerName(view: "Later", name: "tap"))
        #expect(isNameless, "the view may be evaluated for the first time")
        let views = try fixture.export().processes[0].views
        #expect(views.map(\.key) == ["Toolbar"] && views[0].hangs.count == 3, "handlers are no views")
    }

    @Test("names of handlers count as memory, and those with gaps in their numbers are not taken")
    func handlerMemory() throws {
        let app = try fixture.connect()
        try fixture.say(store(), on: app)
        let before = fixture.registry.bytes
        let name = HandlerName(view: "Toolbar", name: "click")
        try fixture.say(.handler(.init(storeID: 0, index: 1, name: name)), on: app)
        #expect(fixture.registry.bytes == before)
        for _ in 0..<2 {
            try fixture.say(.handler(.init(storeID: 0, index: 0, name: name)), on: app)
            #expect(fixture.registry.bytes == before + StoreEntry.bytes(name))
        }
        fixture.registry.forget(try fixture.process(app))
        #expect(fixture.registry.bytes == 0)
    }

    @Test("totals and settings that come later change no count")
    func laterTotals() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), on: app)
        try hang(app, 1, micro: 1, view: 0)
        try fixture.say(store(), .totals(0, 4), on: app)
        let process = try fixture.export().processes[0]
        #expect(process.hangs.count == 1 && process.microHangs == 1 && process.views.map(\.hangs.count) == [1])
    }

    @Test("of a killed daemon are read from what was added hang by hang, before the app names its views")
    func journal() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), .view(1, "B"), .totals(0, 5), .totals(1, 6), on: app)
        let process = try fixture.process(app)
        var bytes = Array(
            StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, views: 0, now: .now()).joined()
        )
        for view in [0, 1, 1] as [UInt32] {
            for counted in try count(app, 1, micro: 1, view: view) {
                bytes += try added(counted, of: process)
            }
        }
        let rewritten = Array(
            StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, views: 0, now: .now()).joined()
        )
        for bytes in [bytes, rewritten] {
            let after = RegistryFixture()
            try StateFile.restore(bytes, into: after.registry, bootID: "boot", now: .now())
            #expect(after.registry.hangs.entries.map(\.hang.id) == [1, 2, 3])
            #expect(try after.export().processes[0].evaluations == 0, "the app tells of them when it comes back")
            let again = try after.connect()
            try after.say(store(), .view(0, "A"), .view(1, "B"), .totals(0, 7), .totals(1, 6), on: again)
            let entry = try after.export().processes[0]
            #expect(entry.hangs.count == 3 && entry.microHangs == 3 && entry.evaluations == 13)
            #expect(entry.views.map(\.hangs.count) == [1, 2])
            try after.say(.totals(0, 1, epoch: 1), on: again)
            #expect(try after.export().processes[0].hangs.count == 0, "a reset clears them")
        }
    }

    @Test("of stores of one number, before and after an exec, are each store's own when a killed daemon's file is read")
    func storesOfOneNumber() throws {
        let app = try fixture.connect()
        try fixture.say(.store(startedAt: 1), on: app)
        let process = try fixture.process(app)
        var bytes = whole(fixture)
        for counted in try count(app, 1) { bytes += try added(counted, of: process) }
        try fixture.say(.store(startedAt: 2), on: app)
        for _ in 1...20 { for counted in try count(app, 1) { bytes += try added(counted, of: process) } }
        for bytes in [bytes, whole(fixture)] {
            let after = try restored(bytes)
            #expect(after.registry.processes[0].stores.map(\.hangs.hangs.count) == [1, 20])
            #expect(after.registry.processes[0].stores.map(\.hasEnded) == [true, false])
        }
    }

    @Test("add to the file only what the stores say that counted them")
    func writesWhatCounted() throws {
        let app = try fixture.connect()
        var slow = StoreState(storeID: 1, name: "slow", startedAt: Timestamp(nanosecondsSince1970: 1))
        slow.hangThresholdMilliseconds = 301
        slow.microHangThresholdMilliseconds = 301
        try fixture.say(store(), .store(slow), on: app)
        try hang(app, 2)
        let process = try fixture.process(app)
        let counted = try #require(try count(app, 1).first)
        let after = try restored(whole(RegistryFixture()) + added(counted, of: process))
        #expect(after.registry.processes[0].stores.map(\.state.storeID) == [0])
    }

    @Test("of a view keep its name when a killed daemon's file is read, also if the app does not come back")
    func nameOfView() throws {
        let app = try fixture.connect()
        try fixture.say(store(), .view(0, "A"), .view(1, "B"), .view(2, "C"), .totals(2, 5), on: app)
        try hang(app, 2, view: 2)
        let after = try restored(whole(fixture))
        #expect(try after.export().processes[0].views.map(\.key) == ["C"], "no view that had no hang")
        #expect(try after.export().processes[0].views.map(\.hangs.count) == [2])
        let again = try restored(whole(after))
        try again.say(store(), .view(0, "A"), .totals(0, 1), on: try again.connect())
        #expect(try again.export().processes[0].views.map(\.key).sorted() == ["A", "C"])
    }

    @Test("of views without names count as memory, and leave with it")
    func memoryOfUnnamed() throws {
        let app = try fixture.connect()
        try fixture.say(store(), on: app)
        let before = fixture.registry.bytes
        for view in 0..<100 as Range<UInt32> { try hang(app, 1, view: view) }
        #expect(fixture.registry.bytes == before + 100 * StoreEntry.unnamedBytes)
        try fixture.say(.store(epoch: 1), on: app)
        #expect(fixture.registry.bytes == before)
        for view in 0..<100 as Range<UInt32> { try hang(app, 1, view: view) }
        fixture.registry.forget(try fixture.process(app))
        #expect(fixture.registry.bytes == 0)
    }

    @Test("stay within the state file's limit")
    func limit() throws {
        for pid in 1...3 as ClosedRange<Int32> {
            let app = try fixture.connect(pid: pid)
            try fixture.say(store(), on: app)
            for view in 0..<100 as Range<UInt32> { try hang(app, 1, view: view) }
        }
        let all = whole(fixture).count
        let parts = StateFile.parts(of: fixture.registry, bootID: "boot", limit: all - 1, views: 0, now: .now())
        #expect(try restored(Array(parts.joined())).registry.processes.map(\.identity.pid) == [3, 2])
    }

    @Test("readers of events are told")
    func events() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "A"), .totals(0, 1), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        _ = queue.lines(size: 1 << 20, of: fixture.registry)
        try hang(app, 1, micro: 2, view: 0)
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let lines = String(decoding: queue.lines(size: 1 << 20, of: fixture.registry), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.contains { $0.contains(#""event":"store""#) && $0.contains(#""microHangs":2"#) })
        #expect(
            lines.contains {
                $0.contains(#""event":"view""#)
                    && $0.contains(#""hangs":{"count":1,"excused":0,"excusedNanoseconds":0,"#)
            })
    }

    @Test("readers of events are told of a hang that was none, and of a trace that was saved after the end")
    func later() throws {
        _ = try fixture.connect()
        let registry = fixture.registry
        registry.recordChanges(true)
        var queue = EventQueue(of: registry, backlog: 100)
        func lines() -> [String] {
            queue.add(registry.takeChanges(), of: registry)
            let bytes = queue.lines(size: 1 << 20, of: registry)
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let process = ProcessInstance(pid: 10, startTicks: 1)
        for id in 1...2 as ClosedRange<UInt64> {
            let start = Timestamp(nanosecondsSince1970: Int64(id) * 5_000_000_000)
            registry.put(Hang(id: id, pid: 10, process: "shop", startedAt: start, turn: id), of: process, isNews: true)
        }
        #expect(lines().count == 2)
        registry.removeHang(1)
        registry.removeHang(1)
        let dropped = lines()
        #expect(dropped.count == 1 && dropped[0].contains(#""event":"hangDropped","hangID":1,"pid":10"#))
        registry.noteTrace("/tmp/trace", ofHang: 2)
        registry.noteTrace("/tmp/trace", ofHang: 2)
        let traced = lines()
        #expect(traced.count == 1 && traced[0].contains(#""trace":"/tmp/trace""#))
    }

    private func store() -> AppMessage {
        var state = StoreState(storeID: 0, name: "main", startedAt: Timestamp(nanosecondsSince1970: 1_000_000_000))
        state.hangStacks = true
        return .store(state)
    }

    /// A file of everything that the registry says of hangs.
    private func whole(_ fixture: RegistryFixture) -> [UInt8] {
        Array(
            StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, views: 0, now: .now()).joined()
        )
    }

    private func restored(_ bytes: [UInt8]) throws -> RegistryFixture {
        let fixture = RegistryFixture()
        try StateFile.restore(bytes, into: fixture.registry, bootID: "boot", now: .now())
        return fixture
    }

    /// What a hang adds to such a file.
    private func added(_ counted: Registry.HangCount, of process: ProcessEntry) throws -> [UInt8] {
        let notice = try #require(counted.notice)
        var hang = notice.hang
        if !notice.isMicroHang {
            hang.id = fixture.registry.hangs.latestID + 1
            hang.turn = hang.id
            hang.ended = .normally
            hang.open = false
            fixture.registry.put(hang, of: process.identity, isNews: true)
        }
        return StateFile.bytes(of: hang, process.identity, in: process, counted: [counted], now: .now())
    }

    /// Hangs of 300 ms and more, and micro-hangs; the first is blamed on a view.
    @discardableResult
    private func hang(
        _ app: AppConnection, _ count: Int, micro: Int = 0, view: UInt32? = nil, epoch: UInt32 = 0
    ) throws -> [HangNotice] {
        try self.count(app, count, micro: micro, view: view, epoch: epoch).compactMap { $0.notice }
    }

    private func count(
        _ app: AppConnection, _ count: Int, micro: Int = 0, view: UInt32? = nil, epoch: UInt32 = 0
    ) throws -> [Registry.HangCount] {
        let process = try fixture.process(app)
        return ((0..<count).map { 300 + $0 } + Array(repeating: 120, count: micro)).flatMap { milliseconds in
            // A micro-hang has no number.
            var hang = Hang(
                id: milliseconds < 300 ? 0 : 1, pid: 10, process: "shop", startedAt: .now, turn: 1)
            hang.durationNanoseconds = UInt64(milliseconds) * 1_000_000
            if view != nil { hang.view = "view" }
            return fixture.registry.count(
                hang, blamed: view.map { FlightView(storeID: 0, index: $0, epoch: epoch, key: "") }, of: process,
                isOver: false)
        }
    }
}
