// SPDX-License-Identifier: MIT
// Pages that fake apps hand over to a daemon, and what becomes of them at their ends.

import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The memory of a flight page")
struct PageMemoryTests {
    private let ticks = TestFile.startTicks(of: getpid())

    private func page(_ evaluations: UInt64, startTicks: UInt64) throws -> LivePage {
        let page = try LivePage(startTicks: startTicks)
        page.page.stores = [(storeID: 0, name: "main", epoch: 0, evaluations: evaluations)]
        page.write()
        return page
    }

    @Test("tells what was counted after the goodbye")
    func afterGoodbye() async throws {
        let running = try await RunningDaemon.start()
        // Of a process that has ended by the time of its goodbye.
        let page = try page(11, startTicks: 1)
        let app = try running.app()
        _ = try app.greet(startTicks: 1, page: page.file)
        try app.send(.store(evaluations: 8), .view(0, "Cart"), .totals(0, 8), .goodbye)
        app.close()
        try await running.eventually("the end") { $0.processes.first?.lost == 3 }
        #expect(try running.stats().processes.map(\.evaluations) == [11])
        #expect(try running.health().dropped.flightPages == 0)
        try await running.stop()
    }

    @Test("accounts for a program that became another one by exec, though its process lives")
    func replaced() async throws {
        let running = try await RunningDaemon.start()
        let page = try page(9, startTicks: ticks)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, copy: nil, page: page.file)
        try app.send(.store(evaluations: 8), .view(0, "Cart"), .totals(0, 5))
        try await running.eventually("the totals") { $0.processes.first?.evaluations == 5 }
        app.close()
        try await running.eventually("the end of the connection") { $0.processes.allSatisfy { !$0.connected } }
        #expect(try running.stats().processes.map(\.lost) == [0], "it is mapped, and may connect again")
        // The next program is there before the daemon has looked.
        let next = try running.app()
        let later = try LivePage(startTicks: ticks)
        #expect(
            try next.greet(startTicks: ticks, copy: nil, page: later.file)
                == .welcome(version: WireProtocol.version, copy: 1))
        page.leave()
        try await running.eventually("its account") { $0.processes.first { !$0.connected }?.lost == 4 }
        #expect(try running.stats().processes.first { !$0.connected }?.evaluations == 9)
        try await running.stop()
    }

    @Test("of a living process without a connection is let go of where it is one of many")
    func disconnected() async throws {
        let running = try await RunningDaemon.start { $0.limits.disconnectedPages = 4 }
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(
                    "/memfd:test") ?? false
            }
        }
        let pages = try (0..<30).map { _ in try LivePage(startTicks: ticks) }
        for page in pages {
            let app = try running.app()
            _ = try app.greet(startTicks: ticks, copy: nil, page: page.file)
            app.close()
        }
        // Other tests of this process have pages, too.
        try await eventually("few descriptors", seen: { try descriptors() }) {
            try running.stats().processes.allSatisfy { !$0.connected } && descriptors() < 2 * pages.count ? () : nil
        }
        try await running.stop()
    }

    @Test("is of a living process while any of its threads runs, though its first thread has ended")
    func firstThreadEnded() async throws {
        let ledger = try TestFile.makeDirectory() + "/ledger"
        try TestFile.write([UInt8](repeating: 0, count: 128), to: ledger)
        let app = try PlainChild(
            [ChildProcess.product("counting"), "chaos", ledger, "1"], environment: ["RERENDER": "0"],
            output: ledger + ".output")
        try await app.waitFor("ready")
        app.send("headless")
        try await eventually("the end of the first thread") {
            try TestFile.text("/proc/\(app.pid)/stat").contains(") Z ") ? () : nil
        }
        let identity = ProcessInstance(pid: app.pid, startTicks: TestFile.startTicks(of: app.pid))
        #expect(ProcessTable.isAlive(identity) && !ProcessTable.hasEnded(app.pid))
        app.send(SIGKILL)
        try await eventually("the end of all of them") { ProcessTable.hasEnded(app.pid) ? () : nil }
        #expect(!ProcessTable.isAlive(identity))
    }
}
