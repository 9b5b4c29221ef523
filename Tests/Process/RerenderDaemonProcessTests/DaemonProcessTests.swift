// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// Arguments, the exit status, and what is said.
private let usages: [(arguments: [String], status: Int32, text: String)] = [
    (["--help"], 0, "--keep"), (["--version"], 0, RerenderVersion.current), (["--keep", "soon"], 64, "keep"),
    (["--runtime-dir", "relative"], 64, "begins with /"), (["--nope"], 64, "nope"),
]

@Suite("The rerenderd process")
struct DaemonProcessTests {
    private func stats(_ daemon: DaemonProcess) throws -> [ProcessStats] {
        try daemon.http.get("/v1/stats").json(StatsExport.self).processes
    }

    @Test("has no timer while no app is connected", .promise)
    func idle() async throws {
        let daemon = try await DaemonProcess()
        let process = "/proc/\(daemon.process.pid)"
        func descriptors(_ kind: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: process + "/fd").filter {
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)")
                return file == "anon_inode:" + kind
            }
        }
        func watched(by loop: String) throws -> Set<String> {
            let lines = try TestFile.text("\(process)/fdinfo/\(loop)").split(separator: "\n").filter {
                $0.hasPrefix("tfd:")
            }
            return Set(lines.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        }
        // Dispatch has a timer of its own, which looks at its threads once a second: the event loop's are those beside the notices.
        let timers = try await eventually("the event loop's timers, and its watch of the sockets") { () -> [String]? in
            guard let notices = try descriptors("inotify").first else { return nil }
            let loops = try descriptors("[eventpoll]").map(watched).filter { $0.contains(notices) }
            let timers = try descriptors("[timerfd]").filter { timer in loops.contains { $0.contains(timer) } }
            return timers.isEmpty ? nil : timers
        }
        let states = try timers.map { try TestFile.text("\(process)/fdinfo/\($0)") }
        #expect(states.allSatisfy { $0.contains("it_value: (0, 0)") }, "\(states)")
    }

    /// The counts of views that a state file has, read by what a daemon reads it with.
    private func saved(_ state: String) throws -> [[UInt64]] {
        let kept = RegistryFixture()
        let bytes = try TestFile.read(state + "/processes.state")
        try StateFile.restore(bytes, into: kept.registry, bootID: ProcessTable.bootID, now: .now())
        return try kept.export().processes.map { $0.views.map(\.count) }
    }

    private func wireApp(_ daemon: DaemonProcess, sent: Int, unsent: Int) async throws -> PlainChild {
        let app = try PlainChild(
            ChildProcess.product("daemon-lab"), ["wire", daemon.directory, "\(sent)", "\(unsent)"])
        try await app.waitFor("ready")
        try await daemon.http.eventually("the totals") {
            try stats(daemon).contains { $0.pid == app.pid && $0.views.first?.count == UInt64(sent) } ? () : nil
        }
        return app
    }

    @Test("knows what an app had not sent that was killed", .promise)
    func killedApp() async throws {
        let daemon = try await DaemonProcess()
        let app = try await wireApp(daemon, sent: 100, unsent: 23)
        #expect(try stats(daemon).map(\.lost) == [0])
        app.send(SIGKILL)
        #expect(try await app.wait() == -SIGKILL)
        let process = try await daemon.http.eventually("the end") { try stats(daemon).first { $0.lost > 0 } }
        #expect(process.lost == 23 && process.evaluations == 123 && process.views.map(\.count) == [100])
        #expect(!process.connected && process.pid == app.pid && process.name == "wire-app")
    }

    @Test("notices the end of an app whose child holds its connection open", .promise)
    func heldConnection() async throws {
        let daemon = try await DaemonProcess()
        let app = try PlainChild(ChildProcess.product("daemon-lab"), ["wire", daemon.directory, "100", "23", "child"])
        try await app.waitFor("ready")
        let child = app.output.split(separator: "\n").compactMap {
            $0.hasPrefix("child ") ? pid_t($0.dropFirst(6)) : nil
        }
        defer { for pid in child { kill(pid, SIGKILL) } }
        try await daemon.http.eventually("the totals") { try stats(daemon).first?.views.first?.count == 100 ? () : nil }
        app.send(SIGKILL)
        let process = try await daemon.http.eventually("the end") { try stats(daemon).first { !$0.connected } }
        #expect(process.lost == 23 && process.evaluations == 123)
        #expect(child.count == 1 && kill(child[0], 0) == 0, "the child still holds it")
    }

    @Test(
        "closes the hang of an app that became a program without Rerender, though its process lives on")
    func exec() async throws {
        let daemon = try await DaemonProcess()
        func hangs() throws -> [Hang] { try daemon.http.get("/v1/hangs").json(HangList.self).hangs }
        func health() throws -> HealthReport { try daemon.http.get("/v1/health").json(HealthReport.self) }
        let app = try PlainChild(ChildProcess.product("daemon-lab"), ["wire", daemon.directory, "1", "0", "hang"])
        // The app's first hang took place before it said hello.
        let open = try await daemon.http.eventually("the hangs") {
            let hangs = try hangs()
            return hangs.count == 2 && !hangs[1].open ? hangs.first { $0.open } : nil
        }
        app.closeInput()
        try await daemon.http.eventually("the end of the watch", seen: { try hangs() }) {
            try health().watchdog.watched == 0 && !hangs().contains { $0.open } ? () : nil
        }
        let closed = try hangs().first { $0.turn == 3 }
        #expect(closed?.id == open.id && closed?.ended == .exited)
        // The first one ended before the store was made.
        let counted: UInt64 = 1
        #expect(kill(app.pid, 0) == 0, "the process lives on")
        #expect(try stats(daemon).allSatisfy { $0.hangs.count == counted })
        app.send(SIGKILL)
        _ = try await app.wait()
        try await daemon.http.eventually("the end of the process") { try health().endedProcesses == 1 ? () : nil }
        #expect(
            try hangs().count == Int(counted) + 1 && stats(daemon).map(\.hangs.count) == [counted],
            "and nothing is counted twice")
    }

    @Test(
        "starts with no state directory that others may write to", .promise,
        arguments: [(0o777, false), (0o770, false), (0o702, false), (0o755, true), (0o700, true)])
    func stateDirectoryMode(mode: mode_t, starts: Bool) async throws {
        let (directory, state) = (try TestFile.makeDirectory(), try TestFile.makeDirectory())
        #expect(chmod(state, mode) == 0)
        let process = try PlainChild(
            ChildProcess.product("rerenderd"), ["--foreground", "--runtime-dir", directory, "--state-dir", state])
        if starts {
            try await process.waitFor(" ready ")
            process.send(SIGTERM)
        }
        #expect(try await process.wait() == (starts ? 0 : 78))
        #expect(process.output.contains("chmod 700 \(state)") != starts)
        #expect(TestFile.exists(state + "/processes.state") == starts)
    }

    @Test("starts with no state directory of someone else", .promise, .enabled(if: getuid() == 0))
    func foreignStateDirectory() async throws {
        let (directory, state) = (try TestFile.makeDirectory(), try TestFile.makeDirectory())
        #expect(chown(state, 4_711, 4_711) == 0)
        let process = try PlainChild(
            ChildProcess.product("rerenderd"), ["--foreground", "--runtime-dir", directory, "--state-dir", state])
        #expect(try await process.wait() == 78)
        #expect(process.output.contains("belongs to user 4711"))
    }

    @Test(
        "that is killed has lost nothing of a process that ended, and little of one that ends before it is back",
        .promise)
    func killedDaemon() async throws {
        let state = try TestFile.makeDirectory()
        var daemon = try await DaemonProcess(["--state-dir", state])
        let ended = try await wireApp(daemon, sent: 50, unsent: 0)
        ended.closeInput()
        #expect(try await ended.wait() == 0)
        let lives = try await wireApp(daemon, sent: 100, unsent: 23)
        try await daemon.http.eventually("the end") { try stats(daemon).filter(\.connected).count == 1 ? () : nil }
        try await eventually("the state file", in: state) { try saved(state) == [[50], [100]] ? () : nil }
        daemon.process.send(SIGKILL)
        #expect(try await daemon.process.wait() == -SIGKILL)
        lives.send(SIGKILL)
        _ = try await lives.wait()
        daemon = try await DaemonProcess(directory: daemon.directory, ["--state-dir", state])
        let known = try stats(daemon)
        #expect(known.map(\.pid) == [ended.pid, lives.pid] && known.allSatisfy { !$0.connected })
        #expect(known.map { $0.views.map(\.count) } == [[50], [100]] && known.map(\.lost) == [0, 0])
        #expect(known.map(\.evaluations) == [50, 100])
    }

    @Test(
        "says which apps ended while no daemon held their pages, before its start or behind it", .promise,
        arguments: [SIGTERM, SIGKILL], [true, false])
    func endedMeanwhile(signal: Int32, endsBefore: Bool) async throws {
        let state = try TestFile.makeDirectory()
        let first = try await DaemonProcess(["--state-dir", state])
        let app = try await wireApp(first, sent: 100, unsent: 23)
        first.process.send(signal)
        _ = try await first.process.wait()
        let saved = try saved(state)
        func end() async throws {
            app.send(SIGKILL)
            _ = try await app.wait()
        }
        if endsBefore { try await end() }
        let second = try await DaemonProcess(directory: first.directory, ["--state-dir", state])
        if !endsBefore { try await end() }
        try await second.process.waitFor("wire-app (\(app.pid)) ended while no daemon held its flight page")
        #expect(try second.http.get("/v1/health").json(HealthReport.self).dropped.flightPages == 1)
        // A stop keeps what was received; a daemon that is killed has saved that the app began, and perhaps what it counted.
        if signal == SIGTERM { #expect(saved == [[100]]) }
        let known = try stats(second)
        #expect(known.map { $0.views.map(\.count) } == saved)
        #expect(known.allSatisfy { $0.pid == app.pid && $0.evaluations == 100 && $0.lost == 0 })
    }

    @Test("takes in on SIGTERM what an app had sent before", .promise, arguments: [SIGTERM, SIGINT])
    func drain(signal: Int32) async throws {
        let state = try TestFile.makeDirectory()
        let daemon = try await DaemonProcess(["--state-dir", state], environment: DaemonProcess.patience)
        var apps: [FakeApp] = []
        // Few, because a daemon that ends does not read for long, and a busy machine gives it little of that time.
        for ticks in UInt64(1)...4 {
            let app = try FakeApp(daemon.pushSocket)
            _ = try app.greet(startTicks: ticks)
            try app.send(.store())
            try app.send((0..<50).map { .view(UInt32($0), "v\($0)") })
            apps.append(app)
        }
        // Stopped, it reads nothing: all of this waits in the sockets when the signal comes.
        daemon.process.send(SIGSTOP)
        // Three rounds fit into the buffer of a socket that nobody reads; sending more would block a thread of the pool.
        for app in apps {
            for round in UInt64(1)...3 { try app.send((0..<50).map { .totals(UInt32($0), round) }) }
        }
        daemon.process.send(signal)
        daemon.process.send(SIGCONT)
        #expect(try await daemon.process.wait() == 0)
        let again = try await DaemonProcess(directory: daemon.directory, ["--state-dir", state])
        let processes = try stats(again)
        #expect(processes.count == 4)
        #expect(processes.allSatisfy { $0.views.count == 50 && $0.views.allSatisfy { $0.count == 3 } })
    }

    @Test("says that it is drained only when it has read connections whose other end is closed, accepted or not")
    func drained() async throws {
        let daemon = try await DaemonProcess()
        func say(_ app: FakeApp, _ count: UInt64) throws {
            try app.send(.store())
            try app.send((0..<50).map { .view(UInt32($0), "v\($0)") })
            for round in 1...count { try app.send((0..<50).map { .totals(UInt32($0), round) }) }
        }
        for round in UInt64(1)...10 {
            let accepted = try FakeApp(daemon.pushSocket)
            _ = try accepted.greet(startTicks: 2 * round)
            daemon.process.send(SIGSTOP)
            let waiting = try FakeApp(daemon.pushSocket)
            try waiting.hello(startTicks: 2 * round + 1)
            for app in [accepted, waiting] {
                try say(app, 3)
                app.close()
            }
            // The question is there when the daemon goes on, beside all that it has not read.
            let question = try UnixStream.connect(daemon.directory + "/query.sock")
            defer { close(question) }
            try UnixStream.send(Array("GET /v1/health HTTP/1.0\r\n\r\n".utf8), on: question)
            daemon.process.send(SIGCONT)
            var answer: [UInt8] = []
            while case let more = try UnixStream.receive(on: question, within: WaitLimit.seconds, limit: 1 << 20),
                !more.isEmpty
            {
                answer += more
            }
            var isDrained = try UnixHTTP.parse(answer).json(HealthReport.self).drained
            try await eventually("the end of the intake") {
                if !isDrained { isDrained = try daemon.http.get("/v1/health").json(HealthReport.self).drained }
                return isDrained ? () : nil
            }
            let processes = try stats(daemon)
            #expect(processes.count == Int(2 * round))
            #expect(processes.allSatisfy { $0.views.count == 50 && $0.views.allSatisfy { $0.count == 3 } })
        }
    }

    @Test("ends on SIGTERM while an app goes on pushing")
    func stopDuringPush() async throws {
        let daemon = try await DaemonProcess()
        let path = daemon.pushSocket
        let pusher = Thread {
            guard let app = try? FakeApp(path), (try? app.hello()) != nil else { return }
            try? app.send(.store(), .view(0, "Cart"))
            var count: UInt64 = 0
            while (try? app.send(.totals(0, count))) != nil { count += 1 }
        }
        pusher.start()
        try await daemon.http.eventually("the push") {
            try stats(daemon).first?.views.first.map { $0.count > 100 ? () : nil } ?? nil
        }
        daemon.process.send(SIGTERM)
        #expect(try await daemon.process.wait() == 0)
        try await eventually("the end of the pusher") { pusher.isFinished ? () : nil }
    }

    @Test("refuses to start where a daemon runs, and says what to do; the first one goes on", .promise)
    func secondDaemon() async throws {
        let daemon = try await DaemonProcess()
        let second = try PlainChild(ChildProcess.product("rerenderd"), ["--runtime-dir", daemon.directory])
        #expect(try await second.wait() == 75)
        #expect(second.output.contains("another rerenderd listens on \(daemon.pushSocket)"))
        #expect(second.output.hasPrefix("<2>") && second.output.split(separator: "\n").count == 1)
        #expect(try stats(daemon).isEmpty)
    }

    @Test("leaves a socket alone on which anyone listens, as systemd does before the first connection")
    func listener() async throws {
        let directory = try TestFile.makeDirectory()
        let listener = try UnixStream.listen(directory + "/push.sock")
        defer { close(listener) }
        let process = try PlainChild(ChildProcess.product("rerenderd"), ["--runtime-dir", directory])
        #expect(try await process.wait() == 75)
        close(try UnixStream.connect(directory + "/push.sock"))
    }

    @Test("touches nothing that is no socket", .promise)
    func notASocket() async throws {
        let directory = try TestFile.makeDirectory()
        try TestFile.write(Array("precious".utf8), to: directory + "/query.sock")
        let process = try PlainChild(ChildProcess.product("rerenderd"), ["--runtime-dir", directory])
        #expect(try await process.wait() == 73)
        #expect(process.output.contains("query.sock exists and is not a socket: remove it"))
        #expect(try String(contentsOfFile: directory + "/query.sock", encoding: .utf8) == "precious")
        #expect(!TestFile.exists(directory + "/push.sock"), "what it made it removed")
    }

    @Test("removes its sockets on a stop, and not those that took their place")
    func ownSocketsOnly() async throws {
        let daemon = try await DaemonProcess()
        unlink(daemon.pushSocket)
        try TestFile.write([], to: daemon.pushSocket)
        daemon.process.send(SIGTERM)
        #expect(try await daemon.process.wait() == 0)
        #expect(TestFile.exists(daemon.pushSocket))
        #expect(!TestFile.exists(daemon.directory + "/query.sock"))
    }

    @Test("makes what it makes for its user alone, whatever the umask", .promise)
    func modes() async throws {
        let directory = try TestFile.makeDirectory() + "/rr"
        let process = try PlainChild(
            "/bin/sh",
            ["-c", "umask 0; exec \(ChildProcess.product("rerenderd")) --foreground --runtime-dir \(directory)"])
        try await process.waitFor(" ready ")
        for (name, mode) in [("", 0o700), ("/push.sock", 0o600), ("/query.sock", 0o600)] {
            var status = stat()
            #expect(lstat(directory + name, &status) == 0 && Int(status.st_mode & 0o777) == mode, "\(name)")
        }
    }

    @Test("no line of its help is broken by the usual width")
    func helpLines() async throws {
        let process = try PlainChild(ChildProcess.product("rerenderd"), ["--help"])
        #expect(try await process.wait() == 0)
        #expect(process.output.contains("It takes its sockets from systemd, or makes push.sock and query.sock\n"))
    }

    @Test("teaches by its help and refuses wrong usage", arguments: usages)
    func usage(arguments: [String], status: Int32, text: String) async throws {
        let process = try PlainChild(ChildProcess.product("rerenderd"), arguments)
        #expect(try await process.wait() == status)
        #expect(process.output.contains(text))
    }

    @Test(
        "starts, serves and stops on a full disk, and the next one knows all", .promise,
        .enabled(if: SmallDisk.isAvailable, "needs to mount a small file system"))
    func fullDisk() async throws {
        let disk = try SmallDisk(bytes: 65_536)
        let directory = disk.path
        let daemon = try await DaemonProcess(directory: directory, ["--state-dir", directory + "/state"])
        try disk.fill(true)
        try await countFiveAndStop(daemon)
        #expect(daemon.process.output.contains("the state is saved in the file that there was"))
        #expect(!TestFile.exists(directory + "/state/processes.state.new"), "no half a file")
        let again = try await DaemonProcess(directory: directory, ["--state-dir", directory + "/state"])
        #expect(try stats(again).map(\.evaluations) == [5])
    }

    @Test(
        "says that it cannot save the state where a full disk never had room for one",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a small file system"))
    func diskWasFull() async throws {
        let disk = try SmallDisk(bytes: 65_536)
        let state = disk.path + "/state"
        try #require(mkdir(state, 0o700) == 0)
        try disk.fill(true)
        let daemon = try await DaemonProcess(directory: disk.path, ["--state-dir", state])
        try await countFiveAndStop(daemon)
        #expect(daemon.process.output.contains("cannot save the state"))
        let again = try await DaemonProcess(directory: disk.path, ["--state-dir", state])
        #expect(try stats(again).isEmpty && !again.process.output.contains("cannot read the saved state"))
    }

    /// Has an app tell of five evaluations, and then the daemon stop in order.
    private func countFiveAndStop(_ daemon: DaemonProcess) async throws {
        let app = try FakeApp(daemon.pushSocket)
        _ = try app.greet()
        try app.send(.store(), .view(0, "Cart"), .totals(0, 5))
        try await daemon.http.eventually("the totals") { try stats(daemon).first?.views.first?.count == 5 ? () : nil }
        daemon.process.send(SIGTERM)
        #expect(try await daemon.process.wait() == 0)
    }
}
