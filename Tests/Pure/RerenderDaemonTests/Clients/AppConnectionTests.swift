// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A connection of an app")
struct AppConnectionTests {
    /// A well-behaved app that is connected all the while.
    private func witness(_ daemon: EmbeddedCore) throws -> EmbeddedApp {
        let app = try daemon.app(name: "witness", startTicks: 4_000)
        try app.send(.store(), .view(0, "Cart"), .totals(0, 1))
        return app
    }

    /// The counts of the views of a connected process; nil without one of that name.
    private func counts(of name: String, _ daemon: EmbeddedCore) throws -> [UInt64]? {
        try daemon.stats().first { $0.name == name && $0.connected }?.views.map(\.count)
    }

    @Test("waits for the rest of half a frame without keeping any other one waiting")
    func halfFrames() throws {
        let daemon = try EmbeddedCore()
        let witness = try witness(daemon)
        let slow = try daemon.app(name: "slow")
        let bytes = EmbeddedApp.bytes(of: [.store(), .view(0, "Cart"), .totals(0, 5)])
        try slow.send(bytes: Array(bytes.prefix(30)))
        try witness.send(.totals(0, 2))
        #expect(try counts(of: "witness", daemon) == [2])
        for byte in bytes.dropFirst(30) {
            #expect(try counts(of: "slow", daemon) != [5])
            try slow.send(bytes: [byte])
        }
        #expect(try counts(of: "slow", daemon) == [5])
    }

    @Test("is closed if it says no hello in time")
    func silence() throws {
        let daemon = try EmbeddedCore()
        let greeted = try witness(daemon)
        let silent = try daemon.connect()
        daemon.loop.advanceTime(by: daemon.limits.helloTimeout - .nanoseconds(1))
        #expect(silent.isConnected)
        daemon.loop.advanceTime(by: .nanoseconds(1))
        #expect(!silent.isConnected)
        #expect(try daemon.health().dropped.malformed == 1)
        try greeted.send(.totals(0, 3))
        #expect(try counts(of: "witness", daemon) == [3])
    }

    @Test("is given up with a frame that is not complete where these are too many, the oldest first, and no other is")
    func unfinished() throws {
        let daemon = try EmbeddedCore { $0.limits.unfinishedBytes = 100_000 }
        let witness = try daemon.app(name: "witness")
        let header: [UInt8] = withUnsafeBytes(of: UInt32(WireLimits.frameBytes).littleEndian, Array.init)
        let halves = try (0..<3).map { _ in
            let half = try daemon.connect()
            try half.send(bytes: header + [UInt8](repeating: 0, count: 39_996))
            return half
        }
        #expect(halves.map(\.isConnected) == [false, true, true])
        let health = try daemon.health()
        #expect(health.connections == 1 && health.dropped.malformed == 1 && health.bytesReceived >= 120_000)
        try witness.send(.store(), .view(0, "Cart"), .totals(0, 5))
        #expect(try counts(of: "witness", daemon) == [5])
    }

    @Test("that has ended is forgotten after its time though no client asks")
    func keep() throws {
        let daemon = try EmbeddedCore { $0.keep = .milliseconds(1) }
        let app = try daemon.app()
        try app.send(.store(), .goodbye)
        app.close()
        // The moments of processes are by the machine's clock: the loop's goes far past it.
        daemon.loop.advanceTime(to: .now() + .hours(1))
        #expect(daemon.core.registry.processes.isEmpty && daemon.core.registry.forgotten == 1)
        #expect(daemon.core.registry.drops.endedProcesses == 0)
    }

    @Test("carries commands, and the report says what became of them")
    func commands() throws {
        let daemon = try EmbeddedCore()
        let willing = try daemon.app(startTicks: 1)
        try willing.send(.store(4, "main"))
        let silent = try daemon.app(startTicks: 2)
        try silent.send(.store(0, "main"))
        guard case .hangCounts = try willing.received().last else { throw NeverHappened(description: "no counts came") }
        let body = #"{"store": "main", "hangThresholdMilliseconds": 300}"#
        let configuring = try daemon.begin("POST", "/v1/config", body)
        guard case .configure(let request, let storeID, let settings) = try willing.received().first else {
            throw NeverHappened(description: "no command came")
        }
        #expect(storeID == 4 && settings == .init(hangThresholdMilliseconds: 300))
        try willing.send(.done(CommandResult(request: request, reached: 1)))
        daemon.loop.advanceTime(by: daemon.limits.commandTimeout - .nanoseconds(1))
        #expect(try configuring.isActive && configuring.received().isEmpty, "the other may still answer")
        daemon.loop.advanceTime(by: .nanoseconds(1))
        let report = try daemon.answer(to: configuring).json(CommandReport.self)
        #expect(report == CommandReport(sent: 2, confirmed: 1, reached: 1))
        silent.close()
        let pulsing = try daemon.begin("POST", "/v1/pulse", #"{"key": "Cart"}"#)
        guard case .pulse(let pulse, nil, "Cart") = try willing.received().first else {
            throw NeverHappened(description: "no pulse came")
        }
        try willing.send(.done(CommandResult(request: pulse, reached: 3)))
        #expect(
            try daemon.answer(to: pulsing).json(CommandReport.self) == CommandReport(sent: 1, confirmed: 1, reached: 3))
        let showing = try daemon.begin("POST", "/v1/overlay", #"{"overlay": "hud", "on": true}"#)
        guard case .overlay(let overlay, nil, .hud, isOn: true) = try willing.received().first else {
            throw NeverHappened(description: "no overlay came")
        }
        try willing.send(
            .done(CommandResult(request: overlay, reached: 1, answered: 1, shown: 2, instances: 5)))
        #expect(
            try daemon.answer(to: showing).json(CommandReport.self)
                == CommandReport(sent: 1, confirmed: 1, reached: 1, answered: 1, shown: 2, instances: 5))
    }
}
