// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Flight pages")
struct FlightPageSweepTests {
    private let deadPid = DeadProcess.pid

    private func directory() throws -> RuntimeDirectory { try .withFlightDirectory() }

    @Test("of dead processes that no daemon ever saw are exported on start and removed", .promise)
    func unheard() async throws {
        let directory = try directory()
        var page = FakeFlightPage(pid: deadPid, startTicks: 5)
        page.processName = "ghost"
        page.stores = [(0, "main", 0, 42), (1, "tools", 3, 7)]
        try page.write(to: directory.flightDirectory + "/\(deadPid).page")
        page.pid = deadPid - 1
        page.isClosed = true
        try page.write(to: directory.flightDirectory + "/\(deadPid - 1).page")
        let running = try await RunningDaemon.start(directory: directory)
        let processes = try running.stats().processes
        #expect(processes.map(\.name) == ["ghost", "ghost"] && processes.map(\.store) == ["main", "tools"])
        #expect(processes.map(\.lost) == [42, 7] && processes.map(\.evaluations) == [42, 7])
        #expect(processes.allSatisfy { !$0.connected && $0.views.isEmpty && $0.pid == deadPid })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.flightDirectory).isEmpty)
        try await running.stop()
    }

    @Test("of processes that end unheard while the daemon runs are exported when somebody asks")
    func unheardMeanwhile() async throws {
        let directory = try directory()
        let running = try await RunningDaemon.start(directory: directory)
        #expect(try running.stats().processes.isEmpty)
        var page = FakeFlightPage(pid: deadPid, startTicks: 5)
        page.stores = [(0, "main", 0, 42)]
        try page.write(to: directory.flightDirectory + "/\(deadPid).page")
        // Unreadable ones are counted once, however often somebody asks.
        mkdir(directory.flightDirectory + "/\(deadPid - 1).page", 0o700)
        // Where a look took long, the next ones are left out for a while.
        try await TestSupport.eventually("the account") {
            try running.stats().processes.map(\.lost) == [42] ? () : nil
        }
        for _ in 0..<3 { #expect(try running.stats().processes.map(\.lost) == [42]) }
        #expect(try running.health().dropped.flightPages == 1)
        try await running.stop()
    }

    @Test("of living processes are left alone on start")
    func living() async throws {
        let directory = try directory()
        let path = directory.flightDirectory + "/\(getpid()).page"
        try FakeFlightPage(pid: getpid(), startTicks: TestFile.startTicks(of: getpid())).write(to: path)
        try TestFile.write([], to: directory.flightDirectory + "/not a page")
        // One that found no room on the disk offers its memory when it connects.
        let empty = directory.flightDirectory + "/\(getpid()).1.page"
        try TestFile.write([], to: empty)
        let running = try await RunningDaemon.start(directory: directory)
        #expect(try running.stats().processes.isEmpty)
        #expect(TestFile.exists(path) && TestFile.exists(directory.flightDirectory + "/not a page"))
        #expect(TestFile.exists(empty))
        #expect(try running.health().dropped.flightPages == 0)
        try await running.stop()
    }

    @Test(
        "of programs that living processes were before an exec are exported and removed, whether they were heard of or not"
    )
    func replaced() async throws {
        let directory = try directory()
        let ticks = TestFile.startTicks(of: getpid())
        var page = FakeFlightPage(pid: getpid(), startTicks: ticks)
        page.stores = [(0, "main", 0, 42)]
        page.isReplaced = true
        try page.write(to: directory.flightDirectory + "/\(getpid()).page")
        let running = try await RunningDaemon.start(directory: directory)
        #expect(try running.stats().processes.map(\.lost) == [42])

        // One that was connected.
        page.isReplaced = false
        page.stores = [(1 << 20, "next", 0, 9)]
        try page.write(to: directory.flightDirectory + "/\(getpid()).1.page")
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, copy: 1, flightPage: "\(getpid()).1.page")
        let id: UInt32 = 1 << 20
        try app.send(.store(id, "next", evaluations: 8), .view(0, "Cart", store: id), .totals(0, 5, store: id))
        try await running.eventually("the totals") { $0.processes.contains { $0.evaluations == 8 } }
        app.close()
        try await running.eventually("the end of the connection") { $0.processes.allSatisfy { !$0.connected } }
        #expect(try running.stats().processes.map(\.lost) == [42, 0], "it lives, and may connect again")
        page.isReplaced = true
        try page.write(to: directory.flightDirectory + "/\(getpid()).1.page")
        try await running.eventually("its account") { $0.processes.map(\.lost) == [42, 4] }
        #expect(try running.stats().processes.map(\.evaluations) == [42, 9])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.flightDirectory).isEmpty)
        try await running.stop()
    }

    @Test(
        "of a program that lives when the daemon starts, and never connects, are accounted for at its end, though nobody asks"
    )
    func livingUnknown() async throws {
        let directory = try directory()
        let child = try PlainChild(["/bin/sleep", "600"], environment: [:], output: "/dev/null")
        var page = FakeFlightPage(pid: child.pid, startTicks: TestFile.startTicks(of: child.pid))
        page.stores = [(0, "main", 0, 42)]
        let path = directory.flightDirectory + "/\(child.pid).page"
        try page.write(to: path)
        let running = try await RunningDaemon.start(directory: directory)
        #expect(TestFile.exists(path))
        child.send(SIGKILL)
        try await child.waitForEnd()
        // No question to the daemon, which would have it look.
        try await eventually("its account") { TestFile.exists(path) ? nil : () }
        #expect(try running.stats().processes.map(\.lost) == [42])
        try await running.stop()
    }

    @Test("tell what was counted after the goodbye")
    func afterGoodbye() async throws {
        let running = try await RunningDaemon.start()
        let name = "\(getpid()).page"
        // Of a process that has ended by the time of its goodbye.
        var page = FakeFlightPage(pid: getpid(), startTicks: 1)
        page.stores = [(0, "main", 0, 11)]
        try page.write(to: running.directory.flightDirectory + "/" + name)
        let app = try running.app()
        _ = try app.greet(startTicks: 1, flightPage: name)
        try app.send(.store(evaluations: 8), .view(0, "Cart"), .totals(0, 8), .goodbye)
        app.close()
        try await running.eventually("the end") { $0.processes.first?.lost == 3 }
        #expect(try running.stats().processes.map(\.evaluations) == [11])
        #expect(try running.health().dropped.flightPages == 0)
        try await running.stop()
    }

    @Test("are of a living process while any of its threads runs, though its first thread has ended")
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

    @Test("of another process are counted where this one ends, and the store's own number stands")
    func hostileOnEnd() async throws {
        let running = try await RunningDaemon.start()
        let name = "\(getpid()).page"
        let app = try running.app()
        _ = try app.greet(startTicks: 1, flightPage: name)
        try app.send(.store(evaluations: 8), .view(0, "Cart"), .totals(0, 5))
        var page = FakeFlightPage(pid: getpid(), startTicks: 2)
        page.stores = [(0, "main", 0, 1_000)]
        try page.write(to: running.directory.flightDirectory + "/" + name)
        app.close()
        try await running.eventually("the end") { $0.processes.first?.lost == 3 }
        #expect(try running.health().dropped.flightPages == 1)
        try await running.stop()
    }

    @Test("of another process are not removed by one that claims them")
    func claimed() async throws {
        let running = try await RunningDaemon.start()
        // Of a process that lives as long as the machine runs.
        let other = running.directory.flightDirectory + "/1.page"
        try FakeFlightPage(pid: 1, startTicks: TestFile.startTicks(of: 1)).write(to: other)
        let app = try running.app()
        _ = try app.greet(startTicks: 1, flightPage: "1.page")
        try app.send(.store(evaluations: 8))
        app.close()
        try await running.eventually("the end") { $0.processes.first?.lost == 8 }
        #expect(TestFile.exists(other))
        try await running.stop()
    }

    @Test(
        "of a program in another pid namespace, named by its number there, are counted once and removed when it has ended"
    )
    func otherNamespace() async throws {
        let running = try await RunningDaemon.start()
        let file = running.directory.flightDirectory + "/\(deadPid).page"
        var page = FakeFlightPage(pid: deadPid, startTicks: 1)
        page.stores = [(0, "main", 0, 11)]
        try page.write(to: file)
        let app = try running.app()
        _ = try app.greet(startTicks: 1, flightPage: "\(deadPid).page")
        try app.send(.store(evaluations: 8))
        app.close()
        try await running.eventually("the end") { !TestFile.exists(file) && $0.processes.first?.connected == false }
        let processes = try running.stats().processes
        #expect(
            processes.count == 1 && processes[0].evaluations == 11,
            "\(processes.map { ($0.pid, $0.evaluations, $0.lost) })")
        try await running.stop()
    }
}
