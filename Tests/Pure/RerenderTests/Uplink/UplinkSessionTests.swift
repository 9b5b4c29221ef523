// SPDX-License-Identifier: MIT
// What a connection is told, read back through the wire format.

import RerenderModel
import RerenderWire
import Synchronization
import TestSupport
import Testing

@testable import Rerender

@Suite("Uplink session")
struct UplinkSessionTests {
    private let process = TestProcess()

    @Test("a session begins with a hello")
    func hello() throws {
        var writer = WireWriter()
        _ = UplinkSession(identity: process.context.identity, copy: nil, writer: &writer)
        let hello = Hello(pid: 4_711, startTicks: 99, copy: nil, processName: "shop")
        #expect(try messages(writer) == [.hello(hello)])
    }

    @Test("a view's name and reasons come before its totals, and once per connection")
    func namesOnce() throws {
        let core = process.makeStore()
        core.evaluate("A", reason: "tap")
        var session = makeSession()
        let first = try burst(&session, [core])
        #expect(first.map(\.kindName) == ["store", "view", "reason", "totals"])
        core.evaluate("A", reason: "tap")
        core.evaluate("A", reason: "key")
        let second = try burst(&session, [core])
        #expect(second.map(\.kindName) == ["store", "reason", "totals"])
        #expect(second.last?.totals?.count == 3)
        #expect(try burst(&session, [core]).isEmpty)
    }

    @Test("views are declared in the order of their numbers, whatever order they changed in")
    func declaredInOrder() throws {
        let core = process.makeStore()
        for label in ["A", "B", "C"] { _ = core.view(label: label, file: "", line: 0) }
        for label in ["C", "A"] { core.evaluate(label) }
        var session = makeSession()
        let told = try burst(&session, [core])
        #expect(told.compactMap(\.viewDeclaration).map(\.key) == ["A", "B", "C"])
        #expect(Set(told.compactMap(\.totals).map(\.index)) == [0, 2])
    }

    @Test("labels of any text are told as they are, cut at the limit, and escaped where they are shown")
    func hostileLabels() throws {
        let core = process.makeStore()
        let title = "\u{1B}]0;title\u{7}\r\n\u{202E}", nul = "nul\u{0}inside"
        let bytes = String(decoding: [98, 97, 100, 32, 0xC3, 0xFF, 32, 98, 121, 116, 101, 115], as: UTF8.self)
        let long = String(repeating: "long ", count: 1_000)
        for label in [title, nul, bytes, long] { core.evaluate(label) }
        var session = makeSession()
        let keys = try burst(&session, [core]).compactMap(\.viewDeclaration).map(\.key)
        #expect(keys.prefix(3) == [title, nul, "bad \u{FFFD}\u{FFFD} bytes"] && keys.count == 4)
        #expect(keys.allSatisfy { $0.utf8.count <= WireLimits.keyBytes })
        let shown = ViewKey(rawValue: title).displayName.unicodeScalars
        #expect(shown.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }

    @Test("a cycle is told of when it went round, and all of them to a new connection and after a reset")
    func cycles() throws {
        let core = process.makeStore()
        let step = CauseLink.Step.evaluation(storeID: core.id, view: 0, key: "Row", instance: 1)
        var link = CauseLink(step, after: nil)
        func goRound(_ rounds: Int) {
            for _ in 0..<rounds {
                let (next, cycle) = CauseLink.closing(step, writer: nil, after: link, at: MonotonicClock.now)
                link = next
                guard let cycle else { continue }
                if core.cycles.withLock({ $0.note(cycle, epoch: core.epoch) }) { core.markStateDirty() }
            }
        }
        func told(_ session: inout UplinkSession) throws -> [(UInt32, UInt8, UInt64)] {
            try burst(&session, [core]).compactMap { message in
                guard case .cycle(let told) = message else { return nil }
                return (told.epoch, told.index, told.item.rounds)
            }
        }
        var session = makeSession()
        goRound(9)
        #expect(try told(&session).isEmpty)
        for rounds in [10, 11] as [UInt64] {
            goRound(1)
            #expect(try told(&session).map { [UInt64($0), UInt64($1), $2] } == [[0, 0, rounds]])
            #expect(try told(&session).isEmpty)
        }
        var again = makeSession()
        #expect(try told(&again).map(\.2) == [11])
        core.reset()
        #expect(try told(&session).isEmpty)
        goRound(1)
        #expect(try told(&session).map { [UInt64($0), UInt64($1), $2] } == [[1, 0, 1]])
    }

    @Test("a handler is named when it first runs, once per connection, and goes on where a burst ended")
    func handlers() throws {
        let core = process.makeStore()
        var session = makeSession()
        _ = try burst(&session, [core])
        for name in ["a", "b", "a"] { core.handle(name, of: "Toolbar", reactingTo: nil) {} }
        let names = ["a", "b"].enumerated().map {
            AppMessage.handler(
                HandlerDeclaration(
                    storeID: core.id, index: UInt32($0.offset), name: HandlerName(view: "Toolbar", name: $0.element)))
        }
        #expect(try burst(&session, [core]).dropFirst() == ArraySlice(names))
        core.handle("b", of: "Toolbar", reactingTo: nil) {}
        #expect(try burst(&session, [core]).isEmpty)
        var again = makeSession()
        #expect(try burst(&again, [core]).dropFirst() == ArraySlice(names))
        var small = makeSession()
        var told: [AppMessage] = []
        for budget in [1, 60, 100, 100, 1_000] {
            told += try burst(&small, [core], budget: budget).filter { $0.kindName == "handler" }
        }
        #expect(told == names)
        #expect(small.isComplete(core))
    }

    @Test("a view that was not evaluated since the reset is not told of")
    func nothingOfOldEpoch() throws {
        let core = process.makeStore()
        for label in ["A", "B"] { core.evaluate(label) }
        core.reset()
        core.evaluate("B")
        var session = makeSession()
        #expect(try burst(&session, [core]).compactMap(\.totals).map(\.index) == [1])
    }

    @Test("a view that was in an output and never seen is told of, without evaluations, until it is seen")
    func notSeen() throws {
        let core = process.makeStore()
        core.evaluate("Card")
        core.noteInOutput(
            try #require(core.view(label: "Badge", file: "Shop/Cart.swift", line: 12)).takeUnretainedValue())
        var session = makeSession()
        func told() throws -> [UInt32: Bool] {
            let totals = try burst(&session, [core]).compactMap(\.totals)
            return Dictionary(uniqueKeysWithValues: totals.map { ($0.index, $0.totals.isNotSeen) })
        }
        #expect(try told() == [0: false, 1: true])
        core.evaluate("Badge")
        #expect(try told() == [1: false])
    }

    @Test("a new session is told everything again")
    func fullResend() throws {
        let core = process.makeStore()
        for label in ["A", "B", "C"] { core.evaluate(label) }
        var session = makeSession()
        _ = try burst(&session, [core])
        var other = makeSession()
        let again = try burst(&other, [core])
        #expect(again.compactMap(\.totals).map(\.count) == [1, 1, 1])
        #expect(again.filter { $0.kindName == "view" }.count == 3)
    }

    @Test("a budget ends the burst between two views, and every view gets its turn")
    func roundRobin() throws {
        let core = process.makeStore()
        for number in 0..<1_000 { core.evaluate("view \(number)") }
        var session = makeSession()
        var seen: [UInt32: Int] = [:]
        for round in 0..<25 {
            // Views that were sent already change again; they must not push back those that still wait.
            for number in 0..<100 { core.evaluate("view \(number)") }
            var writer = WireWriter()
            _ = session.write([core], to: &writer, budget: 20_000)
            #expect(writer.bytes.count < 20_000 + 1_000, "round \(round)")
            for totals in try messages(writer).compactMap(\.totals) { seen[totals.index, default: 0] += 1 }
        }
        #expect(seen.count == 1_000)
    }

    @Test("a store that fills every burst does not starve another")
    func fairStores() throws {
        let busy = process.makeStore("busy")
        let calm = process.makeStore("calm")
        for number in 0..<1_000 { busy.evaluate("view \(number)") }
        calm.evaluate("A")
        var session = makeSession()
        var sawCalm = false
        for _ in 0..<3 {
            for number in 0..<1_000 { busy.evaluate("view \(number)") }
            var writer = WireWriter()
            _ = session.write([busy, calm], to: &writer, budget: 10_000)
            sawCalm = try messages(writer).compactMap(\.totals).contains { $0.storeID == calm.id } || sawCalm
        }
        #expect(sawCalm)
    }

    @Test("after a reset the epoch is told before totals of it, and reasons are told anew")
    func epochFirst() throws {
        let core = process.makeStore()
        core.evaluate("A", reason: "tap")
        var session = makeSession()
        _ = try burst(&session, [core])
        core.reset()
        core.evaluate("A", reason: "other")
        let told = try burst(&session, [core])
        #expect(told.map(\.kindName) == ["store", "reason", "totals"])
        #expect(told.first?.storeState?.epoch == 1)
        #expect(told.last?.totals?.epoch == 1)
        #expect(told.last?.totals?.count == 1)
    }

    @Test("after a reset writers are named anew, too")
    func writersAnew() throws {
        let store = RerenderStore(name: "session")
        var session = makeSession()
        for writer in ["first()", "second()"] {
            store.evaluate("A") {}
            store.invalidate("A", cause: "tap", writer: writer)
            store.evaluate("A") {}
            let told = try burst(&session, [store.core])
            #expect(told.compactMap(\.detailText) == [writer])
            store.reset()
        }
    }

    @Test("the last burst holds the exact totals")
    func exact() throws {
        let core = process.makeStore()
        var session = makeSession()
        var latest: [UInt32: TotalsMessage] = [:]
        for round in 0..<50 {
            for number in 0...round { core.evaluate("view \(number)", nanoseconds: UInt64(round)) }
            for totals in try burst(&session, [core]).compactMap(\.totals) { latest[totals.index] = totals }
        }
        #expect(latest.values.reduce(0) { $0 + $1.count } == core.state().evaluations)
        #expect(latest[0]?.count == 50)
    }

    private func makeSession() -> UplinkSession {
        var writer = WireWriter()
        return UplinkSession(identity: process.context.identity, copy: nil, writer: &writer)
    }

    private func burst(_ session: inout UplinkSession, _ cores: [StoreCore], budget: Int = .max) throws -> [AppMessage]
    {
        var writer = WireWriter()
        let isMoreLeft = session.write(cores, to: &writer, budget: budget)
        #expect(!isMoreLeft || budget != .max)
        return try messages(writer)
    }

    private func messages(_ writer: WireWriter) throws -> [AppMessage] {
        var messages: [AppMessage] = []
        let bytes = writer.bytes
        let used = try FrameReader.frames(in: bytes.span.bytes) { frame throws(WireError) in
            try FrameReader.messages(in: frame) { kind, fields throws(WireError) in
                if let message = try AppMessage(kind: kind, fields: &fields) { messages.append(message) }
            }
        }
        #expect(used == bytes.count)
        return messages
    }
}

extension AppMessage {
    var totals: TotalsMessage? { if case .totals(let totals) = self { totals } else { nil } }
    var detailText: String? { if case .detail(let detail) = self { detail.text } else { nil } }
    var kindName: String {
        switch self {
        case .hello: "hello"
        case .store: "store"
        case .view: "view"
        case .handler: "handler"
        case .reason: "reason"
        case .detail: "detail"
        case .cycle: "cycle"
        case .work: "work"
        case .loop: "loop"
        case .row: "row"
        case .fact: "fact"
        case .threads: "threads"
        case .mark: "mark"
        case .totals: "totals"
        case .done: "done"
        case .storeEnded: "storeEnded"
        case .goodbye: "goodbye"
        case .stack: "stack"
        }
    }
}
