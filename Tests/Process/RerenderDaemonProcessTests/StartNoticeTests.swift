// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("A daemon that starts")
struct StartNoticeTests {
    @Test(
        "wakes the programs that wait for a daemon at the pipe beside its sockets, however many, also after a kill",
        .promise)
    func startNotice() async throws {
        let first = try await DaemonProcess()
        first.process.send(SIGKILL)
        _ = try await first.process.wait()
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let waiting = (0..<300).map { _ in
            pollfd(fd: open(first.directory + "/started", flags), events: Int16(POLLIN), revents: 0)
        }
        defer { for entry in waiting { close(entry.fd) } }
        func woken() -> Int {
            var entries = waiting
            poll(&entries, nfds_t(entries.count), 0)
            return entries.count { $0.revents & Int16(POLLHUP) != 0 }
        }
        #expect(waiting.allSatisfy { $0.fd >= 0 })
        let before = woken()
        #expect(before == 0)
        let second = try await DaemonProcess(directory: first.directory)
        let after = woken()
        #expect(after == waiting.count)
        second.process.send(SIGTERM)
        #expect(try await second.process.wait() == 0)
    }

    @Test("takes in a thousand programs that come at once, before it has accepted the first")
    func queue() async throws {
        let daemon = try await DaemonProcess()
        daemon.process.send(SIGSTOP)
        try await eventually("the stop") {
            try TestFile.text("/proc/\(daemon.process.pid)/stat").contains(") T ") ? () : nil
        }
        var waiting: [CInt] = []
        defer { for socket in waiting { close(socket) } }
        for _ in 0..<1_000 { waiting.append(try UnixStream.connectAtOnce(daemon.pushSocket)) }
        daemon.process.send(SIGCONT)
        daemon.process.send(SIGKILL)
        _ = try await daemon.process.wait()
    }

    /// A user namespace has a limit of its own of instances of inotify.
    private static let withoutNotices = ["unshare", "--user", "--map-root-user", "/bin/sh", "-c"]
    private static let canLimitNotices = StartedChild.succeeds(
        [ChildProcess.path(of: "env") ?? "env"] + withoutNotices
            + ["echo 0 > /proc/sys/user/max_inotify_instances"])

    @Test(
        "is found at once by a program that has no instance of inotify and waits at the pipe",
        .enabled(if: canLimitNotices, "needs a user namespace with a limit of inotify"))
    func withoutInotify() async throws {
        let first = try await DaemonProcess()
        first.process.send(SIGKILL)
        _ = try await first.process.wait()
        let limit = "echo 0 > /proc/sys/user/max_inotify_instances; exec \(ChildProcess.product("counting")) steady 7"
        let app = try PlainChild(
            [ChildProcess.installed("env")] + Self.withoutNotices + [limit],
            environment: ["RERENDER_RUNTIME_DIR": first.directory], output: "/dev/null")
        let uplink = try await eventually("the uplink at the pipe") { try Self.uplink(of: app.pid) }
        // Its attempts without a daemon are five seconds apart in the end. After a call the pauses begin anew: they are of 0.1 s,
        // 0.2 s, 0.4 s, 0.8 s and 1.6 s.
        let wakes = try await eventually("a long pause") { () -> Substring? in
            let wakes = try Self.wakes(uplink)
            let rest = try KernelWait(of: uplink).rest(of: uplink)
            return rest.map { $0 > 3_000_000_000 } == true ? wakes : nil
        }
        // What a daemon does when it starts.
        close(open(first.directory + "/started", O_RDWR | O_CLOEXEC))
        let rest = try await eventually("the pause after a call") { () -> Int64? in
            try Self.wakes(uplink) == wakes ? nil : KernelWait(of: uplink).rest(of: uplink)
        }
        #expect(rest <= 1_600_000_000)
        let second = try await DaemonProcess(directory: first.directory)
        try await second.http.eventually("its connection") {
            let processes = try second.http.get("/v1/stats").json(StatsExport.self).processes
            return processes.first?.evaluations == 7 ? () : nil
        }
        app.send(SIGKILL)
        second.process.send(SIGTERM)
        #expect(try await second.process.wait() == 0)
    }

    @Test(
        "is found by a program that lost its instance of inotify to another one, when something else was made in the directory",
        .enabled(if: canLimitNotices, "needs a user namespace with a limit of inotify"))
    func lostInotify() async throws {
        let directory = try TemporaryDirectory()
        let script = """
            echo 1 > /proc/sys/user/max_inotify_instances
            \(ChildProcess.product("counting")) steady 7 & echo "steady $!"
            read -r order
            echo 0 > /proc/sys/user/max_inotify_instances
            mkdir "$RERENDER_RUNTIME_DIR/news"
            wait
            """
        let shell = try PlainChild(
            [ChildProcess.installed("env")] + Self.withoutNotices + [script],
            environment: ["RERENDER_RUNTIME_DIR": directory.path], output: directory.path + ".output")
        defer { unlink(directory.path + ".output") }
        try await shell.waitFor("steady ")
        let pid = try #require(shell.output.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) })
        try await eventually("its watch of the directory") {
            try Self.files(of: pid).contains("anon_inode:inotify") ? () : nil
        }
        shell.send("go on")
        try await eventually("the end of its watch") {
            try Self.files(of: pid).contains("anon_inode:inotify") ? nil : ()
        }
        let daemon = try await DaemonProcess(directory: directory.path)
        try await daemon.http.eventually("its connection") {
            let processes = try daemon.http.get("/v1/stats").json(StatsExport.self).processes
            return processes.first?.evaluations == 7 ? () : nil
        }
        kill(pid, SIGKILL)
        try await shell.waitForEnd()
        daemon.process.send(SIGTERM)
        #expect(try await daemon.process.wait() == 0)
    }

    @Test(
        "says that it cannot watch its sockets where it has no instance of inotify, and serves",
        .enabled(if: canLimitNotices, "needs a user namespace with a limit of inotify"))
    func unwatched() async throws {
        let directory = try TestFile.makeDirectory()
        let rerenderd = "\(ChildProcess.product("rerenderd")) --foreground --runtime-dir \(directory)"
        let daemon = try PlainChild(
            ChildProcess.installed("env"),
            Self.withoutNotices + ["echo 0 > /proc/sys/user/max_inotify_instances; exec \(rerenderd)"])
        try await daemon.waitFor("cannot watch the sockets: restart rerenderd if they are removed")
        #expect(daemon.output.contains("cannot have an instance of inotify"), "\(daemon.output)")
        #expect(try UnixHTTP(directory + "/query.sock").get("/v1/health").json(HealthReport.self).connections == 0)
        daemon.send(SIGTERM)
        #expect(try await daemon.wait() == 0)
    }

    /// The uplink's thread, once the library's descriptors have the pipe, and no inotify among them.
    private static func uplink(of pid: Int32) throws -> String? {
        let files = try files(of: pid)
        guard files.contains(where: { $0.hasSuffix("/started") }), !files.contains("anon_inode:inotify") else {
            return nil
        }
        return try threads(of: pid).first { try TestFile.text($0 + "/comm").hasPrefix("rerender-uplink") }
    }

    private static func threads(of pid: Int32) throws -> [String] {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).map { "\(tasks)/\($0)" }
    }

    /// What all threads have open: the library has a table of descriptors that the host's threads do not have.
    private static func files(of pid: Int32) throws -> [String] {
        try threads(of: pid).flatMap { thread in
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: thread + "/fd")) ?? []
            return numbers.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(thread)/fd/\($0)")
            }
        }
    }

    /// How often a thread has slept.
    private static func wakes(_ thread: String) throws -> Substring? {
        try TestFile.text(thread + "/status").split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
    }
}
