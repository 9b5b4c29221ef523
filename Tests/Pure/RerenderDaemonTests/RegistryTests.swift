// SPDX-License-Identifier: MIT
import CRerender
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The registry")
struct RegistryTests {
    let fixture = RegistryFixture()

    @Test("shows what an app said")
    func shows() throws {
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(
            .store(evaluations: 15, dropped: 2), .view(0, "Cart"), .view(1, "Badge"), .reason(0, "initial"),
            .reason(1, "ticker.tick"), .totals(0, 10, body: 1_000, reasons: [0: 1, 1: 8, 255: 1]), .totals(1, 3),
            on: app)
        let process = try #require(try fixture.export().processes.first)
        #expect(process.pid == 4_711 && process.name == "shop" && process.store == "main" && process.connected)
        #expect(process.evaluations == 15 && process.dropped == 2 && process.lost == 0)
        #expect(process.views.map(\.key.rawValue) == ["Cart", "Badge"])
        let cart = process.views[0]
        #expect(cart.count == 10 && cart.body.averageNanoseconds == 100 && cart.line == 12)
        #expect(cart.lastReason == "initial")
        #expect(cart.reasons.map(\.reason) == ["ticker.tick", "initial", "other"])
        #expect(cart.reasons.map(\.count) == [8, 1, 1])
        #expect(cart.reasons.map(\.attribution) == [.announced, .announced, nil])
    }

    @Test("takes totals as cumulative: repeated and late ones change nothing")
    func cumulative() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 5), .totals(0, 5), .totals(0, 9), on: app)
        let process = try #require(try fixture.export().processes.first)
        #expect(process.views[0].count == 9)
        #expect(process.evaluations == 9, "totals may arrive before the store's number that includes them")
    }

    @Test("counts of a connected program those that its views have told, and all once it is gone")
    func onTheWay() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 12, dropped: 2), .view(0, "Cart"), .totals(0, 9), on: app)
        #expect(try fixture.export().processes[0].evaluations == 11)
        try fixture.say(.totals(0, 10), on: app)
        #expect(try fixture.export().processes[0].evaluations == 12)
        try fixture.say(.store(evaluations: 14, dropped: 2), on: app)
        fixture.registry.disconnected(app)
        #expect(try fixture.export().processes[0].evaluations == 14)
    }

    @Test("zeroes everything in a new epoch and takes nothing of an older one")
    func epochs() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(evaluations: 8), .view(0, "Cart"), .view(1, "Badge"), .reason(0, "initial"),
            .totals(0, 5, reasons: [0: 5]), .totals(1, 3), .store(epoch: 1), on: app)
        #expect(try fixture.export().processes[0].views.isEmpty)
        #expect(try fixture.export().processes[0].evaluations == 0)
        try fixture.say(.totals(0, 6, epoch: 0), .totals(0, 2, epoch: 1, reasons: [0: 2]), on: app)
        let process = try fixture.export().processes[0]
        #expect(process.views.map(\.count) == [2])
        #expect(process.views[0].reasons.map(\.reason) == ["initial"], "names outlive a reset")
        #expect(fixture.registry.drops.totals == 1)
        try fixture.say(.store(epoch: 0, evaluations: 99), on: app)
        #expect(try fixture.export().processes[0].evaluations == 2)
    }

    @Test("shows a store's frames, which a new epoch zeroes and a new connection keeps")
    func frames() throws {
        let app = try fixture.connect()
        var state = StoreState(storeID: 0, name: "main", startedAt: Timestamp(nanosecondsSince1970: 1))
        state.frames.add(
            MeasuredFrame(update: 1, layout: 2, snapshot: 3, drawing: 4, interval: 9, isIntervalTold: false))
        try fixture.say(.store(state), .view(0, "Cart"), on: app)
        var frames = try #require(try fixture.export().processes[0].frames)
        #expect(frames.count == 1 && frames.overInterval == 1 && frames.longestNanoseconds == 10)
        fixture.registry.disconnected(app)
        frames = try #require(try fixture.export().processes[0].frames)
        #expect(frames.count == 1)
        state.epoch = 1
        state.frames = FrameTotals()
        try fixture.say(.store(state), on: try fixture.connect())
        #expect(try fixture.export().processes[0].frames == nil)
    }

    @Test("begins a new epoch also when the totals come before the store's message")
    func epochByTotals() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 5), .view(0, "Cart"), .totals(0, 5), .totals(0, 1, epoch: 3), on: app)
        let process = try fixture.export().processes[0]
        #expect(process.evaluations == 1 && process.views[0].count == 1)
    }

    @Test("continues the entry of a process that reconnects, and re-sending changes nothing")
    func reconnect() throws {
        let first = try fixture.connect()
        try fixture.say(.store(evaluations: 5), .view(0, "Cart"), .reason(0, "initial"), .totals(0, 5), on: first)
        fixture.registry.disconnected(first)
        #expect(try fixture.export().processes.map(\.connected) == [false])
        #expect(try fixture.export().processes[0].views.map(\.count) == [5])
        let second = try fixture.connect()
        #expect(try fixture.export().processes.map(\.connected) == [true])
        try fixture.say(
            .store(evaluations: 7), .view(0, "Cart"), .reason(0, "initial"), .totals(0, 7, reasons: [0: 7]), on: second)
        let processes = try fixture.export().processes
        #expect(processes.count == 1)
        #expect(processes[0].views.map(\.count) == [7] && processes[0].evaluations == 7)
        #expect(processes[0].views[0].reasons.map(\.count) == [7])
    }

    @Test("keeps two processes apart that had the same number one after the other")
    func reusedPid() throws {
        let first = try fixture.connect(ticks: 1)
        fixture.registry.disconnected(first)
        try fixture.say(.store(), on: try fixture.connect(ticks: 2))
        #expect(fixture.registry.processes.count == 2)
    }

    @Test("lets the latest connection of a process win")
    func supersede() throws {
        let first = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), on: first)
        fixture.registry.actions = []
        let second = try fixture.connect()
        #expect(fixture.registry.actions == [.supersede(connection: first.serial), .welcome])
        #expect(throws: WireError.notRerender) { try fixture.say(.totals(0, 1), on: first) }
        fixture.registry.disconnected(first)
        #expect(try fixture.process(second).connection === second)
    }

    @Test("takes another store of the same number for another store: the process called exec")
    func exec() throws {
        let first = try fixture.connect()
        try fixture.say(.store(startedAt: 1), .view(0, "Old"), .totals(0, 5), on: first)
        fixture.registry.disconnected(first)
        let second = try fixture.connect()
        try fixture.say(.store(startedAt: 2), .view(0, "New"), .totals(0, 1), on: second)
        let processes = try fixture.export().processes
        #expect(processes.map(\.connected) == [false, true])
        #expect(processes.map { $0.views.map(\.key.rawValue) } == [["Old"], ["New"]])
    }

    @Test("shows several stores of a process as several entries, also one that ended")
    func stores() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(0, "main"), .store(1, "tools"), .view(0, "Cart", store: 1), .totals(0, 3, store: 1),
            .storeEnded(storeID: 1), on: app)
        let processes = try fixture.export().processes
        #expect(processes.map(\.store) == ["main", "tools"])
        #expect(processes.map(\.connected) == [true, false])
        #expect(processes[1].views.map(\.count) == [3])
    }

    @Test("wants a hello first, and only once")
    func hello() throws {
        let stranger = AppConnection(serial: 9, pid: 1)
        #expect(throws: WireError.notRerender) { try fixture.say(.store(), on: stranger) }
        #expect(throws: WireError.notRerender) { try fixture.say(.totals(0, 1), on: stranger) }
        let app = try fixture.connect()
        #expect(throws: WireError.invalid("a second hello")) {
            try fixture.say(.hello(Hello(pid: 1, startTicks: 1, processName: "")), on: app)
        }
    }

    @Test("believes the kernel's process number and not the app's")
    func kernelsPid() throws {
        let connection = AppConnection(serial: 1, pid: 77)
        try fixture.say(.hello(Hello(pid: 1, startTicks: 5, processName: "x")), on: connection)
        #expect(try fixture.process(connection).identity == ProcessInstance(pid: 77, startTicks: 5))
    }

    @Test("knows the copies of the library in a process apart, and none ends another's connection")
    func copies() throws {
        let apps = try (0..<3).map { copy in
            let app = AppConnection(serial: UInt64(copy), pid: 77)
            let hello = Hello(pid: 77, startTicks: 5, copy: copy < 2 ? nil : 2, processName: "shop")
            try fixture.say(.hello(hello), .store(), .view(0, "Cart"), .totals(0, UInt64(copy + 1)), on: app)
            return app
        }
        #expect(!fixture.registry.actions.contains { if case .supersede = $0 { true } else { false } })
        #expect(apps.allSatisfy { $0.process?.connection === $0 } && fixture.registry.connectionCount == 3)
        #expect(try fixture.export().processes.map { $0.views[0].count } == [1, 2, 3])
        // The same copy again: a new connection takes the place of the old.
        let again = AppConnection(serial: 9, pid: 77)
        try fixture.say(
            .hello(Hello(pid: 77, startTicks: 5, copy: 1, processName: "shop")), on: again)
        #expect(fixture.registry.actions.contains(.supersede(connection: 1)))
        #expect(try fixture.export().processes.count == 3)
    }

    @Test("gives a copy another number where a copy with another page has its own")
    func twoPages() throws {
        var fixture = fixture
        func app(_ serial: UInt64, _ page: OpenPage?, copy: UInt32? = 0) throws -> AppConnection {
            let app = AppConnection(serial: serial, pid: 77)
            app.page = page
            try fixture.say(.hello(Hello(pid: 77, startTicks: 5, copy: copy, processName: "shop")), on: app)
            return app
        }
        func page() throws -> OpenPage {
            try OpenPage(Descriptor(owning: crerender_sealed_memory("page", FlightPageLayout.byteCount)))
        }
        let held = try page()
        let first = try app(1, held)
        #expect(try fixture.process(app(2, page())).identity.copy == 1)
        #expect(first.process?.connection === first)
        // The same page again, and none: the copy has come back.
        #expect(try fixture.process(app(3, fixture.process(first).page)).identity.copy == 0)
        #expect(try fixture.process(app(4, nil)).identity.copy == 0)
        // The daemon before was killed before the copy heard of its number.
        let bytes = StateFile.joined(of: fixture.registry, bootID: "boot", limit: 1 << 20, now: .now())
        fixture = RegistryFixture()
        try StateFile.restore(bytes, into: fixture.registry, bootID: "boot", now: .now())
        #expect(try fixture.process(app(5, page(), copy: nil)).identity.copy == 2)
        #expect(try fixture.process(app(6, held, copy: nil)).identity.copy == 0)
        #expect(try fixture.process(app(7, held, copy: 1)).identity.copy == 0)
        #expect(fixture.registry.processes.count == 3)
    }

    @Test("renames a view that is declared anew and forgets the other's numbers")
    func rename() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 5), .view(0, "Badge"), on: app)
        #expect(try fixture.export().processes[0].views.isEmpty)
        try fixture.say(.totals(0, 1), on: app)
        let process = try fixture.export().processes[0]
        #expect(process.views.map(\.key.rawValue) == ["Badge"] && process.evaluations == 1)
    }

    @Test("counts what names an unknown store or view, and goes on")
    func unknown() throws {
        let app = try fixture.connect()
        try fixture.say(
            .totals(0, 1), .view(0, "Cart"), .store(), .totals(4, 1), .view(7, "Gap"), .reason(3, "gap"),
            .view(0, "Cart"), .totals(0, 2, reasons: [3: 2]), on: app)
        #expect(fixture.registry.drops.totals == 2)
        #expect(fixture.registry.drops.views == 2)
        #expect(try fixture.export().processes[0].views[0].reasons.map(\.reason) == ["other"])
    }

    @Test("does not trap on numbers of any size")
    func hostileNumbers() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(evaluations: .max, dropped: .max), .view(0, "a"), .view(1, "b"),
            .totals(0, .max, reasons: [0: .max, 255: .max]), .totals(1, .max, body: .max), on: app)
        fixture.registry.processEnded(try fixture.process(app), page: nil, now: .now())
        #expect(try fixture.export().processes[0].evaluations == .max)
    }
}

@Suite("The registry's bounds")
struct RegistryBoundsTests {
    @Test("refuse keys beyond the limit of a process and count their evaluations as dropped")
    func keys() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        try fixture.say(.store(0), .store(1, "other"), on: app)
        for index in 0..<UInt32(WireLimits.keysPerProcess) {
            try fixture.say(.view(index, "v\(index)", store: index == 0 ? 0 : 0), on: app)
        }
        try fixture.say(.view(0, "one too many", store: 1), on: app)
        try fixture.say(.store(1, "other", evaluations: 5), .totals(0, 5, store: 1), on: app)
        #expect(fixture.registry.drops.views == 1)
        let other = try #require(try fixture.export().processes.last)
        #expect(other.views.isEmpty && other.evaluations == 5 && other.dropped == 5)
    }

    @Test("keep the memory of names within its budget")
    func memory() throws {
        let fixture = RegistryFixture { $0.registryBytes = 100_000 }
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<2_000 {
            try fixture.say(.view(UInt32(index), String(repeating: "k", count: 1_000) + "\(index)"), on: app)
        }
        #expect(fixture.registry.bytes <= 100_000)
        #expect(fixture.registry.drops.views > 1_800)
        #expect(try fixture.process(app).viewCount > 50)
    }

    @Test("forget ended processes first when memory is short")
    func memoryOfEnded() throws {
        let fixture = RegistryFixture { $0.registryBytes = 100_000 }
        let old = try fixture.connect(pid: 1)
        try fixture.say(.store(), on: old)
        for index in 0..<40 { try fixture.say(.view(UInt32(index), String(repeating: "k", count: 900)), on: old) }
        fixture.registry.processEnded(try fixture.process(old), page: nil, now: .now())
        let new = try fixture.connect(pid: 2)
        try fixture.say(.store(), on: new)
        for index in 0..<40 { try fixture.say(.view(UInt32(index), String(repeating: "k", count: 900)), on: new) }
        #expect(fixture.registry.processes.map(\.identity.pid) == [2])
        #expect(fixture.registry.drops.views == 0 && fixture.registry.drops.endedProcesses == 1)
    }

    @Test("count memory the same on the way in as on the way out")
    func balance() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        try fixture.say(
            .store(), .store(1, "tools"), .view(0, "Cart"), .reason(0, "initial"), .reason(0, "longer than that"),
            .detail(0, "advance()"), .detail(0, "advance() but longer"), .detail(4, "List ← tick"),
            .detail(2, "of others", reason: 255), .detail(0, "no such reason", reason: 7), .reason(0, "another"),
            .detail(1, "again"), .view(0, "Renamed"), .view(1, "Badge"), .detail(0, "too early", view: 1),
            .reason(0, "x", view: 1), .store(0, "a longer name"), on: app)
        let process = try fixture.process(app)
        func all() -> Int { process.stores.reduce(process.bytes) { $0 + $1.bytes } }
        #expect(fixture.registry.bytes == all())
        fixture.registry.disconnected(app)
        _ = try fixture.connect(name: "renamed shop")
        #expect(fixture.registry.bytes == all())
        fixture.registry.forget(process)
        #expect(fixture.registry.bytes == 0)
        #expect(fixture.registry.storesBySerial.isEmpty)
    }

    @Test("have so many stores of a process, and count further ones", arguments: around(WireLimits.storesPerProcess))
    func fewStores(count: Int) throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        for id in 0..<UInt32(count) { try fixture.say(.store(id), on: app) }
        let kept = min(count, WireLimits.storesPerProcess)
        #expect(try fixture.process(app).stores.count == kept)
        #expect(fixture.registry.drops.stores == UInt64(count - kept))
    }

    @Test("make room for a store by forgetting one that ended")
    func stores() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        for id in 0..<UInt32(WireLimits.storesPerProcess) { try fixture.say(.store(id), on: app) }
        try fixture.say(.store(50_000), on: app)
        #expect(fixture.registry.drops.stores == 1)
        try fixture.say(.storeEnded(storeID: 5), .store(50_000), on: app)
        #expect(fixture.registry.drops.stores == 1)
        #expect(try fixture.process(app).stores.count == WireLimits.storesPerProcess)
    }
}
