// SPDX-License-Identifier: MIT
// `rerenderctl off` and `on` against real programs, with a daemon, without one, and under one of their own.

import Foundation
import Glibc
import RerenderModel
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("rerenderctl off and on", .serialized)
struct SwitchTests {
    private static let off = "Rerender is off: programs that start from now on count nothing"

    /// What the process has open in Rerender's own table, but the three events that fill its first numbers.
    private func descriptors(_ pid: pid_t) throws -> [String] {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        return tasks.flatMap { task -> [String] in
            let folder = "/proc/\(pid)/task/\(task)"
            let isOurs = (try? String(contentsOfFile: folder + "/comm", encoding: .utf8)) == "rerender-files\n"
            return isOurs ? files(folder).filter { !["0", "1", "2", "3"].contains($0.key) }.map(\.value) : []
        }
    }

    /// A program without the descriptors that other tests have open when it starts.
    private static let alone = [
        "/bin/bash", "-c",
        "for f in $(ls /proc/$$/fd); do [ $f -gt 2 ] && eval \"exec $f>&-\"; done; exec \(Program.counting)",
    ]

    /// What a thread's table has, by its numbers.
    private func files(_ folder: String) -> [String: String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")) ?? []
        return numbers.reduce(into: [:]) { files, number in
            files[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(number)")
        }
    }

    /// What the app counted in its bodies, in all.
    private func truth(_ app: Spawned) async throws -> Int {
        let offset = app.outputBytes.count
        app.type("counts\n")
        try await app.expect("\n", after: offset)
        return Int(Truth(String(decoding: app.outputBytes[offset...].dropLast(), as: UTF8.self)).sum)
    }

    /// Has the app do something, and waits until it has.
    private func order(_ app: Spawned, _ text: String) async throws {
        let offset = app.outputBytes.count
        app.type(text + "\n")
        try await app.expect("done", after: offset)
    }

    private func sum(_ key: String, of pid: pid_t, _ bench: Bench) async throws -> Int {
        try await RawHTTP.get("/v1/stats", bench.querySocket).processes.filter { $0["pid"] as? Int == Int(pid) }
            .reduce(0) { $0 + ($1[key] as? Int ?? 0) }
    }

    @Test(
        "running programs send what they counted and stay off; their bodies run on, and `on` is for those that start",
        .promise)
    func running() async throws {
        let bench = try await Bench(withDaemon: ())
        let apps = [try await bench.app(evaluating: 100), try await bench.app(evaluating: 2_000)]
        let off = try await bench.ctl("off")
        #expect(off.ending == .exited(0), "\(off.errors)")
        #expect(off.output == Self.off + ". 2 running processes were switched off, and stay so until started again.\n")
        for (app, count) in zip(apps, [100, 2_000]) {
            try await LibraryThreads.waitUntilLeft(app.pid)
            #expect(try descriptors(app.pid).isEmpty)
            // Nothing brings it back: not what the app does, and no new store.
            for order in ["run 500", "stores 10", "cascade 5", "reset"] { try await self.order(app, order) }
            #expect(try await truth(app) == count + 500)
            #expect(try await sum("evaluations", of: app.pid, bench) == count)
            #expect(try await sum("lost", of: app.pid, bench) == 0)
            try await LibraryThreads.waitUntilLeft(app.pid)
        }
        #expect(apps.allSatisfy { HeldPage.paths(of: $0.pid).isEmpty })
        let again = try await bench.ctl("off")
        #expect(again.ending == .exited(0) && again.output == Self.off + ". No running process was connected.\n")

        for _ in 0..<2 {
            let on = try await bench.ctl("on")
            #expect(on.ending == .exited(0))
            #expect(on.output == "Rerender is on: programs count again once they are started.\n")
        }
        try await order(apps[0], "run 500")
        try await LibraryThreads.waitUntilLeft(apps[0].pid)
        _ = try await bench.app(evaluating: 300)
        for app in apps {
            app.type("exit\n")
            #expect(try await app.wait() == .exited(0))
        }
        #expect(try await sum("lost", of: apps[0].pid, bench) == 0)
    }

    @Test(
        "what ten threads evaluate while it is switched off is counted by the app and the daemon alike, and none is lost"
    )
    func busy() async throws {
        let bench = try await Bench(withDaemon: ())
        for _ in 0..<3 {
            _ = try await bench.ctl("on")
            let app = try await bench.app(evaluating: 50)
            app.type("spin\n")
            try await app.expect("spinning")
            try await bench.seen("news") { $0.evaluations(of: app.pid) > 5_000 }
            let off = try await bench.ctl("off")
            #expect(off.ending == .exited(0), "\(off.errors)")
            try await LibraryThreads.waitUntilLeft(app.pid)
            let known = try await sum("evaluations", of: app.pid, bench)
            try await order(app, "")
            var own = 0
            for store in 0..<3 {
                let offset = app.outputBytes.count
                app.type("export \(store)\n")
                try await app.expect("\n", after: offset)
                let text = String(decoding: app.outputBytes[offset...], as: UTF8.self)
                let data = try #require(Data(base64Encoded: text.trimmingCharacters(in: .newlines)))
                let stores = try JSONDecoder().decode(StatsExport.self, from: data).processes
                #expect(stores.allSatisfy { !$0.enabled })
                own += Int(stores.reduce(0) { $0 + $1.evaluations })
            }
            #expect(known == own)
            #expect(try await truth(app) > known)
            #expect(try await sum("lost", of: app.pid, bench) == 0)
            app.send(SIGKILL)
            try await app.wait()
            try await bench.seen("its end") { $0.processes.allSatisfy { $0["connected"] as? Bool == false } }
            #expect(try await sum("lost", of: app.pid, bench) == 0)
        }
    }

    @Test("stores that are made at that moment keep nothing alive, and nothing of them is lost")
    func storesMade() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 50)
        let offset = app.outputBytes.count
        app.type("stores 20000\n")
        try await bench.seen("a new store") {
            $0.processes.contains { ($0["store"] as? String)?.hasPrefix("brief") == true }
        }
        #expect(try await bench.ctl("off").ending == .exited(0))
        try await LibraryThreads.waitUntilLeft(app.pid)
        try await app.expect("done", after: offset)
        try await order(app, "stores 100")
        app.type("exit\n")
        #expect(try await app.wait() == .exited(0))
        #expect(try await sum("lost", of: app.pid, bench) == 0)
    }

    @Test("without a daemon, running programs see it by themselves, leave no page, and end without a wait", .promise)
    func withoutDaemon() async throws {
        let bench = try Bench()
        let app = try Spawned(
            [Program.counting], environment: bench.environment(["RERENDER_WAIT_AT_EXIT": "60000"]))
        try await app.expect("ready")
        try await order(app, "run 100")
        #expect(HeldPage.paths(of: app.pid).count == 1)
        try await LibraryThreads.waitUntilBegun(app.pid)
        let off = try await bench.ctl("off")
        #expect(off.ending == .exited(0))
        #expect(
            off.output == Self.off
                + ". Running ones that count switch themselves off, and stay so until they are started again.\n")
        try await LibraryThreads.waitUntilLeft(app.pid)
        #expect(HeldPage.paths(of: app.pid).isEmpty)
        #expect(try descriptors(app.pid).isEmpty)
        try await order(app, "run 100")
        #expect(try await truth(app) == 200)
        // A daemon that comes later is not told anything.
        let daemon = try Spawned([Program.rerenderd, "--foreground", "--runtime-dir", bench.path])
        try await daemon.expectError(" ready ")
        try await order(app, "run 100")
        app.type("exit\n")
        // A wait would last for a minute, at a word in memory and for a time.
        try await eventually("the end") { () -> ()? in
            guard let wait = try? KernelWait(of: "/proc/\(app.pid)/task/\(app.pid)") else { return () }
            try #require(!wait.isAtWord || wait.isEndless, "it waits at its end: \(wait)")
            return nil
        }
        #expect(try await app.wait() == .exited(0))
        #expect(try await RawHTTP.get("/v1/processes", bench.querySocket).processes.isEmpty)
        #expect(try await bench.ctl("on").ending == .exited(0))
        _ = try await bench.app(evaluating: 10)
    }

    @Test("a program that outlives its command does not make the command's directory anew")
    func outlived() async throws {
        let bench = try Bench()
        let directory = "/tmp/rerender-run-\(UUID().uuidString.prefix(6))"
        let app = try Spawned(
            [Program.counting], environment: bench.environment(["RERENDER_RUNTIME_DIR": directory]))
        try await app.expect("ready")
        try await order(app, "run 100")
        try await LibraryThreads.waitUntilBegun(app.pid)
        #expect(try await truth(app) == 100)
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test(
        "a program that starts while it is off is as with RERENDER=0, in every directory that is its user's", .promise)
    func starting() async throws {
        let (bench, session) = (try Bench(), try TemporaryDirectory())
        mkdir(session.path + "/rerender", 0o700)
        try await #require(bench.ctl("off").ending == .exited(0))
        #expect(try mode(bench.path + "/off") == 0o600)
        for directory in [bench.path, session.path + "/rerender"] {
            try? FileManager.default.removeItem(atPath: bench.path + "/off")
            try Data().write(to: URL(filePath: directory + "/off"))
            let environment = bench.environment(
                ["XDG_RUNTIME_DIR": session.path].merging(try LTTngSocket.alone(in: session.path)) { $1 })
            let app = try Spawned(Self.alone, environment: environment)
            try await app.expect("ready")
            for order in ["run 100", "cascade 5", "stores 5"] { try await self.order(app, order) }
            #expect(try await truth(app) == 100)
            #expect(try LibraryThreads.names(app.pid).isEmpty)
            let twin = try Spawned(Self.alone, environment: environment.merging(["RERENDER": "0"]) { $1 })
            try await twin.expect("ready")
            for order in ["run 100", "cascade 5", "stores 5"] { try await self.order(twin, order) }
            #expect(Set(files("/proc/\(app.pid)").keys) == Set(files("/proc/\(twin.pid)").keys))
            #expect(try !TestFile.text("/proc/\(app.pid)/maps").contains("lttng-ust"))
            #expect(HeldPage.paths(of: app.pid).isEmpty)
        }
        // The session's directory keeps programs off: `on` in the other one says so, and leaves its file.
        let other = session.path + "/rerender"
        let on = try await bench.ctl("on", environment: ["XDG_RUNTIME_DIR": session.path])
        #expect(on.ending == .exited(69))
        #expect(on.errors.contains("by \(other)/off.\nRun: RERENDER_RUNTIME_DIR=\(other) rerenderctl on\n"))
        #expect(FileManager.default.fileExists(atPath: other + "/off"))
    }

    @Test("where others could have made the file, it does not count", .promise)
    func foreign() async throws {
        let bench = try Bench()
        try Data().write(to: URL(filePath: bench.path + "/off"))
        chmod(bench.path, 0o777)
        let app = try Spawned([Program.counting], environment: bench.environment())
        try await app.expect("ready")
        try await LibraryThreads.waitUntilBegun(app.pid)
        let refused = try await bench.ctl("off")
        #expect(refused.ending == .exited(69) && refused.errors.contains("can be written by others"))
        chmod(bench.path, 0o700)
        // A link is neither followed nor in the way.
        let target = bench.path + "/elsewhere"
        unlink(bench.path + "/off")
        symlink(target, bench.path + "/off")
        #expect(try await bench.ctl("off").ending == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: target))
        try await LibraryThreads.waitUntilLeft(app.pid)
        #expect(try await bench.ctl("on").ending == .exited(0))
        #expect(try !FileManager.default.contentsOfDirectory(atPath: bench.path).contains("off"))
    }

    @Test("a process that is stopped is named, and leaves once it continues", .promise)
    func stopped() async throws {
        let bench = try await Bench(withDaemon: ())
        let (app, other) = (try await bench.app(evaluating: 70), try await bench.app(evaluating: 30))
        app.send(SIGSTOP)
        let off = try await bench.ctl("off")
        #expect(off.ending == .exited(1) && off.output.isEmpty)
        #expect(
            off.errors == "rerenderctl: " + Self.off + ", but 1 of 2 running processes did not switch off in time: "
                + "counting[\(app.pid)].\nA process that is stopped or hangs does so when it continues. "
                + "To be sure, start it again.\n")
        try await LibraryThreads.waitUntilLeft(other.pid)
        app.send(SIGCONT)
        try await LibraryThreads.waitUntilLeft(app.pid)
        try await order(app, "run 30")
        #expect(try await sum("evaluations", of: app.pid, bench) == 70)
        #expect(try await sum("lost", of: app.pid, bench) == 0)
    }

    @Test(
        "run, record and check start nothing while it is off", .promise,
        arguments: [["run"], ["record"], ["check", "--update", "--budget", "/tmp/no-such-directory/budget.json"]])
    func refused(command: [String]) async throws {
        let bench = try Bench()
        _ = try await bench.ctl("off")
        let process = try bench.start(command + ["--", "/bin/touch", bench.path + "/started"])
        #expect(try await process.wait() == .exited(69))
        #expect(
            process.standardError
                == "rerenderctl: Rerender is switched off for this user, by \(bench.path)/off.\nRun: rerenderctl on\n")
        #expect(!FileManager.default.fileExists(atPath: bench.path + "/started"))
    }

    @Test("the user's switch reaches commands under daemons of their own, whose table says what is missing", .promise)
    func privateDaemon() async throws {
        let session = try TemporaryDirectory()
        chmod(session.path, 0o700)
        // Without a directory that the environment names: that of the session is the user's.
        let environment = ["XDG_RUNTIME_DIR": session.path]
        let run = try Spawned([Program.rerenderctl, "run", "--", Program.counting], environment: environment)
        try await run.expect("ready")
        run.type("run 100\n")
        try await run.expect("done")
        let place = try #require(
            FileManager.default.contentsOfDirectory(atPath: session.path).first { $0.hasPrefix("rerender-run-") })
        let socket = "\(session.path)/\(place)/query.sock"
        try await UnixHTTP(socket).eventually("a connected process") {
            try await RawHTTP.get("/v1/processes", socket).processes.isEmpty ? nil : ()
        }
        let off = try Spawned([Program.rerenderctl, "off"], environment: environment)
        #expect(try await off.wait() == .exited(0))
        #expect(
            off.standardOutput == Self.off + ". 1 running process was switched off, and stays so until started again.\n"
        )
        let refused = try Spawned([Program.rerenderctl, "run", "--", "true"], environment: environment)
        #expect(try await refused.wait() == .exited(69))
        // Counts are missing all the same.
        let on = try Spawned([Program.rerenderctl, "on"], environment: environment)
        #expect(try await on.wait() == .exited(0))
        let offset = run.outputBytes.count
        run.type("run 100\ncounts\nexit\n")
        #expect(try await run.wait() == .exited(0))
        let own = String(decoding: run.outputBytes[offset...], as: UTF8.self).split(separator: "\n")
        #expect(Truth(String(try #require(own.last))).sum == 200)
        #expect(run.standardError.contains("100 evaluations"))
        #expect(
            run.standardError.contains(
                "rerenderctl: Rerender was switched off meanwhile: what was evaluated after that is missing\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: session.path + "/rerender").isEmpty)
    }

    @Test("run says at its end that it was switched off meanwhile, also where nothing was counted")
    func uncounted() async throws {
        let session = try TemporaryDirectory()
        chmod(session.path, 0o700)
        let environment = ["XDG_RUNTIME_DIR": session.path]
        let run = try Spawned(
            [Program.rerenderctl, "run", "--", "/bin/sh", "-c", "echo ready; read -r line"], environment: environment)
        try await run.expect("ready")
        let off = try Spawned([Program.rerenderctl, "off"], environment: environment)
        #expect(try await off.wait() == .exited(0))
        run.type("go on\n")
        #expect(try await run.wait() == .exited(0))
        #expect(
            run.standardError.withoutProgress == """
                rerenderctl: /bin/sh exited, and the daemon knows no instrumented process of it.
                rerenderctl: Rerender was switched off meanwhile: what was evaluated after that is missing

                """)
    }

    @Test("stats, top and doctor say it where they have nothing to show")
    func told() async throws {
        let bench = try await Bench(withDaemon: ())
        _ = try await bench.ctl("off")
        let what = "Rerender is switched off for this user, by"
        let stats = try await bench.ctl("stats", environment: ["COLUMNS": "200"])
        #expect(
            stats.ending == .exited(0) && stats.output.contains(what) && stats.output.contains("Run: rerenderctl on"))
        #expect(try await bench.ctl("stats", "--csv").errors.contains(what))
        let doctor = try await bench.ctl("doctor", environment: ["COLUMNS": "300"])
        #expect(doctor.output.contains("warn  switch: \(what) \(bench.path)/off"))
        let top = try bench.start(["top"], environment: ["TERM": "xterm"], terminal: .init(columns: 160, lines: 24))
        try await top.expect(what)
        top.type("q")
        #expect(try await top.wait() == .exited(0))
    }

    @Test("without a daemon, top says it as well, before the ways to a daemon")
    func topWithoutDaemon() async throws {
        let bench = try Bench()
        try await #require(bench.ctl("off").ending == .exited(0))
        let top = try bench.start(
            ["top", "--interval", "0.2"], environment: ["TERM": "xterm"], terminal: .init(columns: 160, lines: 24))
        try await top.expect("Rerender is switched off for this user, by \(bench.path)/off.")
        try await top.expect("Run: rerenderctl on")
        top.type("q")
        #expect(try await top.wait() == .exited(0))
        // The ways to a daemon follow.
        let screen = top.standardOutput
        let on = try #require(screen.range(of: "Run: rerenderctl on"))
        #expect(screen[on.upperBound...].contains("rerenderctl run -- CMD"))
    }

    private func mode(_ path: String) throws -> UInt32 {
        var info = stat()
        try #require(lstat(path, &info) == 0)
        return info.st_mode & 0o777
    }
}
