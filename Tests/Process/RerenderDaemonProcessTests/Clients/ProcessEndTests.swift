// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("The ends of processes")
struct ProcessEndTests {

    /// Which of them have ended, by one question.
    private func answers(_ ends: [ProcessEnd]) -> [Bool] {
        var questions = ends.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        UnixSocket.answer(&questions)
        return questions.map { $0.revents != 0 }
    }

    @Test("are seen, also of one for which its parent has not waited")
    func zombie() async throws {
        let children = try (0..<3).map { _ in
            try PlainChild(["/bin/sleep", "600"], environment: [:], output: "/dev/null")
        }
        let ends = children.compactMap { ProcessEnd(of: $0.pid) }
        try #require(ends.count == 3)
        #expect(answers(ends) == [false, false, false])
        children[1].send(SIGKILL)
        try await eventually("its end") { answers(ends) == [false, true, false] ? () : nil }
        #expect(kill(children[1].pid, 0) == 0, "it is a zombie")
        #expect(ProcessEnd(of: children[1].pid).map { answers([$0]) } == [true], "its end can still be asked for")
        try await children[1].waitForEnd()
        #expect(answers(ends) == [false, true, false], "and is known after that")
        #expect(ProcessEnd(of: children[1].pid) == nil, "there is no such process")
    }

    @Test(
        "are looked up where the kernel tells nothing: a child holds the connection of an app that was killed",
        .enabled(if: Fixture.hasC, "needs a C compiler"))
    func withoutCall() async throws {
        let directory = try TestFile.makeDirectory()
        let filter = try await Fixture.made("c/without_call")
        let daemon = try PlainChild(
            filter,
            ["pidfd_open", ChildProcess.product("rerenderd"), "--foreground", "--runtime-dir", directory])
        try await daemon.waitFor(" ready ")
        let http = UnixHTTP(directory + "/query.sock")
        func stats() throws -> [ProcessStats] { try http.get("/v1/stats").json(StatsExport.self).processes }
        let app = try PlainChild(ChildProcess.product("daemon-lab"), ["wire", directory, "100", "23", "child"])
        try await app.waitFor("ready")
        let child = app.output.split(separator: "\n").compactMap {
            $0.hasPrefix("child ") ? pid_t($0.dropFirst(6)) : nil
        }
        defer { for pid in child { kill(pid, SIGKILL) } }
        try await http.eventually("the totals") { try stats().first?.views.first?.count == 100 ? () : nil }
        app.send(SIGKILL)
        let process = try await http.eventually("the end") { try stats().first { !$0.connected } }
        #expect(process.lost == 23 && process.evaluations == 123)
        #expect(child.count == 1 && kill(child[0], 0) == 0, "the child still holds it")
        daemon.send(SIGTERM)
        #expect(try await daemon.wait() == 0)
    }

    @Test("cost a question about the daemon little, however many are connected")
    func crowd() async throws {
        let daemon = try await DaemonProcess()
        let crowd = try ChildProcess([
            ChildProcess.product("daemon-lab"), "wire", "crowd", daemon.pushSocket, "1000", "1000",
        ])
        #expect(try await crowd.nextLine() == "ready 0")
        func health() throws -> HealthReport { try daemon.http.get("/v1/health").json(HealthReport.self) }
        let files = "/proc/\(daemon.process.pid)/fd"
        try await eventually("all of them being accepted, each with its end") {
            try FileManager.default.contentsOfDirectory(atPath: files).count > 2_000 ? () : nil
        }
        let before = try ProcessorTime.milliseconds(of: daemon.process.pid)
        for _ in 0..<10 { _ = try health() }
        let used = (try ProcessorTime.milliseconds(of: daemon.process.pid) - before) / 10
        Figure.note("processor time of a question with 1,000 apps", used, "ms")
        #expect(used < 30, "\(used) ms a question; by /proc it was 250 in a debug build")
        crowd.closeInput()
        #expect(await crowd.finish().succeeded)
    }
}

/// What a process has used of processors.
enum ProcessorTime {
    /// By the kernel's account, all threads together.
    static func milliseconds(of pid: Int32) throws -> Double {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").reduce(0) { sum, thread in
            let times = try TestFile.text("/proc/\(pid)/task/\(thread)/schedstat")
            return sum + (times.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
        }
    }
}
