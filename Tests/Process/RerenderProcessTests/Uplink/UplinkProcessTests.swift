// SPDX-License-Identifier: MIT
// A real app against a daemon of the test's own: what it sends, and how it bears bad manners.
import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@Suite("Uplink of a real process")
struct UplinkProcessTests {
    /// A fifth of a second at its exit is little for an app beside other tests.
    private let patience = ["RERENDER_WAIT_AT_EXIT": "20000"]

    private static func isAnswer(_ message: AppMessage, to request: UInt32) -> Bool {
        if case .done(let result) = message { result.request == request } else { false }
    }

    @Test("everything counted arrives, said in order, and then there is silence", .promise)
    func complete() async throws {
        try await withApp(patience) { app, daemon in
            try await app.ask("run 20000")
            let connection = try await daemon.accept()
            let page = try #require(try await connection.page())
            #expect(try page.page().stores.reduce(0) { $0 + $1.evaluations } == 20_000)
            let messages = try #require(try await connection.messages { LatestTotals($0).sum == 20_000 })
            guard case .hello(let hello) = messages.first else {
                Issue.record("the first message is \(String(describing: messages.first))")
                return
            }
            #expect(hello.pid == app.processID)
            #expect(hello.processName == "counting")
            #expect(hello.copy == nil, "no daemon gave it a number")
            let truth = Truth(try await app.ask("counts"))
            #expect(truth.sum == 20_000)
            #expect(Truth(messages).counts == truth.counts)
            // What belongs to the run, such as its cost, may come before the first answer. From then on the app says what a command
            // changed and that it is done, and goodbye.
            var sent: [AppMessage] = []
            for request in 1...20 as ClosedRange<UInt32> {
                connection.send(.configure(request: request, storeID: nil, .init()))
                let messages = try #require(
                    try await connection.messages { $0.contains { Self.isAnswer($0, to: request) } })
                if request > 1 { sent += messages }
            }
            try app.send("exit")
            sent += try #require(try await connection.messages { $0.last == .goodbye })
            let others = sent.filter { if case .store = $0 { false } else { true } }
            let answers = (2...20).map { AppMessage.done(.init(request: $0, reached: 3)) }
            #expect(others == answers + [.goodbye], "an idle app sent something else")
        }
    }

    @Test("a connection that breaks is made again, and everything is told anew", .promise)
    func reconnects() async throws {
        try await withApp { app, daemon in
            try await app.ask("run 1000")
            let first = try await daemon.accept()
            _ = try await first.messages { LatestTotals($0).sum == 1_000 }
            first.send(.welcome(version: WireProtocol.version, copy: 3))
            // It answers in the order in which it reads.
            first.send(.configure(request: 1, storeID: nil, .init()))
            _ = try #require(try await first.messages { $0.contains(.done(.init(request: 1, reached: 3))) })
            first.shutDown()
            let second = try await daemon.accept()
            #expect(try await second.page() != nil)
            let messages = try #require(try await second.messages { LatestTotals($0).sum == 1_000 })
            guard case .hello(let hello)? = messages.first else { throw NeverHappened(description: "no hello") }
            #expect(hello.copy == 3, "it keeps the number that a daemon gave it")
            #expect(Truth(messages).counts == Truth(try await app.ask("counts")).counts)
        }
    }

    @Test("a daemon that never reads costs the app nothing, and gets the exact totals when it does", .promise)
    func neverReads() async throws {
        try await withApp { app, daemon in
            let connection = try await daemon.accept()
            for _ in 0..<20 { try await app.ask("run 20000") }
            let messages = try #require(try await connection.messages { LatestTotals($0).sum == 400_000 })
            #expect(Truth(messages).counts == Truth(try await app.ask("counts")).counts)
        }
    }

    @Test(
        "nonsense from the daemon ends the connection and nothing else", .promise,
        arguments: [
            [UInt8](repeating: 0xFF, count: 100), [3, 0, 0, 0, 3, 200, 0], [0, 0, 1, 0, 9],
            Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        ])
    func nonsense(bytes: [UInt8]) async throws {
        try await withApp { app, daemon in
            let connection = try await daemon.accept()
            connection.send(bytes)
            // A length that no frame has closes at once; for the rest of half a frame it waits until there is none to come.
            if bytes == [0, 0, 1, 0, 9] { connection.endSending() }
            #expect(try await connection.waitForClose())
            try await app.ask("run 100")
            let messages = try await daemon.accept().messages { LatestTotals($0).sum == 100 }
            #expect(messages != nil)
        }
    }

    @Test("a refusal keeps the app quiet, and it goes on")
    func refused() async throws {
        try await withApp { app, daemon in
            let connection = try await daemon.accept()
            let refusedAt = ContinuousClock.now
            connection.send(.refusal(.init(daemonVersion: 9, appVersion: 1, text: "build both from one release")))
            #expect(try await connection.waitForClose())
            try await app.ask("run 100")
            #expect(Truth(try await app.ask("counts")).sum == 100)
            _ = try await daemon.accept()
            #expect(ContinuousClock.now - refusedAt >= .seconds(5), "it came again before its longest pause was over")
        }
    }

    @Test("commands are carried out and answered after what they changed", .promise)
    func commands() async throws {
        try await withApp { app, daemon in
            try await app.ask("run 300")
            let connection = try await daemon.accept()
            let before = try #require(try await connection.messages { LatestTotals($0).sum == 300 })
            let store = try #require(before.compactMap(\.storeState).first { $0.name == "main" })
            connection.send(.reset(request: 1, storeID: store.storeID))
            let reset = try #require(
                try await connection.messages { $0.contains(.done(.init(request: 1, reached: 1))) })
            #expect(reset.compactMap(\.storeState).contains { $0.storeID == store.storeID && $0.epoch == 1 })

            connection.send(.configure(request: 2, storeID: nil, .init(isEnabled: false)))
            let off = try #require(try await connection.messages { $0.contains(.done(.init(request: 2, reached: 3))) })
            #expect(off.compactMap(\.storeState).allSatisfy { !$0.enabled })
            try await app.ask("run 100")

            connection.send(.configure(request: 3, storeID: nil, .init(hangThresholdMilliseconds: 99)))
            let set = try #require(try await connection.messages { $0.contains(.done(.init(request: 3, reached: 3))) })
            #expect(set.compactMap(\.storeState).allSatisfy { $0.hangThresholdMilliseconds == 99 })
            #expect(LatestTotals(set).sum == 0, "a store that is off counted")

            connection.send(.pulse(request: 4, storeID: store.storeID, key: "view 1"))
            _ = try await connection.messages { $0.contains(.done(.init(request: 4, reached: 1))) }
            #expect(try await app.nextLine() == "pulsed view 1")
        }
    }

    @Test("a daemon that commands and never reads is not listened to for ever")
    func floodOfCommands() async throws {
        try await withApp { app, daemon in
            let connection = try await daemon.accept()
            var writer = WireWriter()
            for request in UInt32(0)..<1_000 {
                DaemonMessage.configure(request: request, storeID: 999, .init()).write(to: &writer)
            }
            let limit = 16 << 20
            #expect(try await connection.flood(writer.bytes, upTo: limit) < limit)
            try await app.ask("run 100")
            #expect(Truth(try await app.ask("counts")).sum == 100)
        }
    }

    @Test(
        "an app that exits at once has sent everything, said goodbye, and left its page to the daemon", .promise
    )
    func exits() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.path)
        let app = try directory.startApp(patience)
        _ = try await app.nextLine()
        try await app.ask("run 5000")
        let truth = Truth(try await app.ask("counts"))
        try app.send("exit")
        let connection = try await daemon.accept()
        let held = try #require(try await connection.page())
        let messages = try #require(try await connection.messages { $0.last == .goodbye })
        #expect(Truth(messages).counts == truth.counts)
        #expect(await app.waitForExit() == .status(0))
        let page = try held.page()
        #expect(!page.isClosed)
        #expect(page.stores.reduce(0) { $0 + $1.evaluations } == 5_000)
    }

    @Test("a daemon that never reads holds up an exit for a moment only")
    func exitIsBounded() async throws {
        try await withApp { app, daemon in
            let connection = try await daemon.accept()
            try await app.ask("run 20000")
            try app.send("exit")
            // A fifth of a second by design; the rest is for a machine that is busy with other tests.
            #expect(await app.waitForExit() == .status(0))
            connection.shutDown()
        }
    }

    @Test("an app that is killed leaves its page to who holds it, which says how much it had counted", .promise)
    func killed() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp()
        _ = try await app.nextLine()
        try await app.ask("run 777")
        let held = try HeldPage(of: app.processID)
        try app.send("die")
        #expect(await app.waitForExit() == .signal(SIGKILL))
        let page = try held.page()
        #expect(page.stores.reduce(0) { $0 + $1.evaluations } == 777)
    }

    @Test("signals that the host takes while it exits do not cut the last words short")
    func interruptedExit() async throws {
        try await withApp(patience) { app, daemon in
            let connection = try await daemon.accept()
            try app.send("interrupted 300")
            let messages = try #require(try await connection.messages { $0.last == .goodbye })
            #expect(LatestTotals(messages).sum == 300)
            #expect(await app.waitForExit() == .status(0))
        }
    }

    @Test("stores that come and go faster than they can be sent are all accounted for")
    func briefStores() async throws {
        try await withApp(patience) { app, daemon in
            let connection = try await daemon.accept()
            _ = try await connection.messages { !$0.compactMap(\.storeState).isEmpty }
            try await app.ask("stores 300")
            try app.send("exit")
            let messages = try #require(try await connection.messages { $0.last == .goodbye })
            let brief = messages.compactMap(\.storeState).filter { $0.name.hasPrefix("brief") }
            let latest = Dictionary(brief.map { ($0.storeID, $0) }) { $1 }
            #expect(latest.values.reduce(0) { $0 + $1.evaluations } == 300)
            let ended = messages.count { if case .storeEnded(let store) = $0 { latest[store] != nil } else { false } }
            #expect(ended == 300)
        }
    }
}
