// SPDX-License-Identifier: MIT
// What a real app notices of us: nothing, whatever it does and wherever it runs.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@Suite("Uplink's host")
struct UplinkHostTests {
    @Test("a forked child is silent, does not crash, and leaves the parent's counts alone", .promise)
    func fork() async throws {
        try await withApp { app, daemon in
            try await app.ask("run 1000")
            let connection = try await daemon.accept()
            _ = try await connection.messages { LatestTotals($0).sum == 1_000 }
            #expect(try await app.ask("fork 500") == "exited")
            let parents = try #require(try await connection.messages { !LatestTotals($0).counts.isEmpty })
            // What the child had sent would come before this.
            try await app.ask("run 10")
            let messages = try #require(try await connection.messages { !LatestTotals($0).counts.isEmpty })
            #expect(!(parents + messages).contains { $0.isView(named: "in the child") })
            #expect(!daemon.hasWaitingConnection, "the child was heard of")
            #expect(Truth(try await app.ask("counts")).sum == 1_011)
        }
    }

    @Test("whatever a forked child does, its parent's page stays as it is")
    func forkInsideABody() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp()
        _ = try await app.nextLine()
        try await app.ask("run 777")
        #expect(try await app.ask("fork 500") == "exited")
        let held = try HeldPage(of: app.processID)
        try app.send("die")
        #expect(await app.waitForExit() == .signal(SIGKILL))
        let page = try held.page()
        #expect(page.stores.map(\.name) == ["main", "sidebar", "detail"])
        #expect(page.stores.allSatisfy { $0.epoch == 0 })
        #expect(page.stores.reduce(0) { $0 + $1.evaluations } == 778)
    }

    @Test(
        "nothing waits for the loader while our own thread loads a library for ever: neither the host's threads nor the uplink",
        .promise,
        .enabled(if: Fixture.hasC, "needs a C compiler"))
    func loaderIsStuck() async throws {
        let loader = try await StuckLoader()
        try await withApp(loader.environment) { app, daemon in
            try await loader.waitUntilLoading()
            // What a model reads and writes is named by symbols; each new store looks for main loops.
            let write = try await app.ask("write 20")
            #expect(UInt(write) != nil)
            for order in ["cascade 20", "stores 3", "nest 2", "run 1000"] {
                #expect(try await app.ask(order) == "done")
            }
            #expect(try await app.ask("export 0").utf8.count > 1_000)
            let truth = Truth(try await app.ask("counts"))
            let connection = try await daemon.accept()
            let messages = try #require(try await connection.messages { LatestTotals($0).sum >= truth.sum })
            let reasons = messages.compactMap { if case .reason(let reason) = $0 { reason.text } else { nil } }
            #expect(reasons.contains("gauge.level"), "\(Set(reasons))")
        }
    }

    @Test(
        "the library's threads have ordinary priority, whatever their host has",
        .enabled(if: ChildProcess.path(of: "chrt") != nil, "needs chrt"))
    func ordinaryPriority() async throws {
        let directory = try TemporaryDirectory()
        let chrt = try #require(ChildProcess.path(of: "chrt"))
        let app = try directory.startApp(under: [chrt, "--batch", "0"])
        #expect(try await app.nextLine() == "ready")
        let own = ["rerender-files", "rerender-watch", "rerender-alarm", "rerender-uplink"]
        // A thread takes its name when it first runs.
        let policies = try await eventually("the library's threads") {
            let policies = try schedulingPolicies(of: app.processID)
            return own.allSatisfy { policies[$0] != nil } ? policies : nil
        }
        let batch: Int32 = 3  // SCHED_BATCH, which Glibc's module does not show
        #expect(policies["main"] == batch)
        for name in own { #expect(policies[name] == SCHED_OTHER) }
        #expect(await app.finish().exit == .status(0))
    }

    @Test(
        "an app without a daemon is counted and is not woken while it idles, also where a socket's path would be too long",
        arguments: ["", String(repeating: "/long", count: 30)])
    func noWakeUps(below: String) async throws {
        let directory = try TemporaryDirectory()
        let place = directory.url.path + below
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let app = try directory.startApp(["RERENDER_RUNTIME_DIR": place])
        _ = try await app.nextLine()
        try await app.ask("run 100")
        // That which decides, those that have our descriptors, that which waits for them, and that which waits for the alarm, which no
        // main loop of this program sets. Each takes its name when it first runs.
        try await eventually("the rest of the library's threads", seen: { try ThreadRest.waits(of: app.processID) }) {
            try ThreadRest(of: app.processID, where: ThreadRest.isOurs)?.switches.count == 5 ? () : nil
        }
        #expect(Truth(try await app.ask("counts")).sum == 100)
        #expect(await app.finish().exit == .status(0))
    }

    @Test("RERENDER=0 switches the app off: no thread, no page, no count", .promise)
    func switchedOff() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp(["RERENDER": "0"])
        _ = try await app.nextLine()
        try await app.ask("run 100")
        #expect(try threadNames(of: app.processID).allSatisfy { !$0.hasPrefix("rerender") })
        #expect(HeldPage.paths(of: app.processID).isEmpty)
        let export = try #require(Data(base64Encoded: try await app.ask("export 0")))
        #expect(try JSONDecoder().decode(StatsExport.self, from: export).processes.first?.evaluations == 0)
    }

    @Test(
        "a set-uid program is left alone: no thread, no page, no count, no LTTng, whatever its user's environment says",
        .promise,
        .enabled(if: getuid() == 0, "needs root to make one"))
    func setUID() async throws {
        let (directory, files) = (try TemporaryDirectory(), try TemporaryDirectory())
        let program = files.url.path + "/counting"
        try await ChildProcess.copyProgram(ChildProcess.product("counting"), to: program)
        try #require(chmod(files.url.path, 0o755) == 0 && chown(program, 65_534, 65_534) == 0)
        try #require(chmod(program, 0o4755) == 0)
        chmod(directory.url.path, 0o777)
        let app = try directory.startApp(LTTngSocket.alone(in: files.path), program: program)
        #expect(try await app.nextLine() == "ready")
        #expect(try await app.ask("run 100") == "done")
        let status = try String(contentsOfFile: "/proc/\(app.processID)/status", encoding: .utf8)
        #expect(status.contains("Uid:\t0\t65534\t65534"), "the file system takes no set-uid programs")
        #expect(try threadNames(of: app.processID).allSatisfy { $0 == "counting" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
        let maps = try TestFile.text("/proc/\(app.processID)/maps")
        #expect(!maps.contains("lttng"))
        let export = try #require(Data(base64Encoded: try await app.ask("export 0")))
        #expect(try JSONDecoder().decode(StatsExport.self, from: export).processes.first?.evaluations == 0)
    }

    @Test(
        "nothing of LTTng is in an app before a session daemon comes, and then it is recorded", .promise, .exclusive,
        .enabled(if: LTTngDaemon.isInstalled && !LTTngSocket.isRoots, "needs lttng-tools, and no session daemon yet"))
    func sessionDaemon() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let home = daemon.home + "/another"
            let runtime = ["RERENDER_RUNTIME_DIR": daemon.home + "/runtime"]
            // Who takes the app's counts, and asks it.
            let counting = try await daemon.start(product: "rerenderd", ["--foreground"], environment: runtime)
            try await counting.waitForError(" ready ")
            let environment = runtime.merging(["LTTNG_HOME": home]) { $1 }
            let app = try await daemon.start(product: "counting", environment: environment)
            #expect(try await app.nextLine() == "ready")
            func threadsOfLTTng() throws -> Int {
                try threadNames(of: app.processID).count { $0.hasSuffix("-ust") }
            }
            try await app.ask("run 10")
            let http = UnixHTTP(daemon.home + "/runtime/query.sock")
            // What comes from the daemon makes a look due, and the answer is sent behind it.
            for _ in 0..<3 {
                try await http.eventually("the app's answer") {
                    let report = try? http.post("/v1/pulse", #"{"key": "no view"}"#).json(CommandReport.self)
                    return report?.sent == 1 && report?.confirmed == 1 ? () : nil
                }
            }
            // Had a look found a daemon, it would be "loading" before that answer, and then loaded or missing for good.
            try await eventually("that LTTng was not tried") {
                try await app.ask("tracing") == "notTried" ? () : nil
            }
            // The path of the program has the word, too.
            #expect(try !TestFile.text("/proc/\(app.processID)/maps").contains("liblttng"))
            #expect(try threadsOfLTTng() == 0)
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: home + "/.lttng", withDestinationPath: daemon.home + "/.lttng")
            try await eventually("the app's events") {
                try await app.ask("run 10")
                return try await daemon.command(["lttng", "--no-sessiond", "list", "--userspace"])
                    .contains("com.rerender.BodyEval:end") ? () : nil
            }
            #expect(try threadsOfLTTng() == 2)
            #expect(await app.finish().exit == .status(0))
            counting.kill(SIGTERM)
            #expect(await counting.waitForExit() == .status(0))
        }
    }

    @Test(
        "an app that finds a session daemon at its first store is recorded without being asked to wait", .exclusive,
        .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools"))
    func sessionDaemonBefore() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let app = try await daemon.start(
                product: "counting", environment: ["RERENDER_RUNTIME_DIR": daemon.home + "/runtime"])
            #expect(try await app.nextLine() == "ready")
            // It evaluates nothing.
            try await eventually("the app's events") {
                try await daemon.command(["lttng", "--no-sessiond", "list", "--userspace"])
                    .contains("com.rerender.BodyEval:end") ? () : nil
            }
            #expect(await app.finish().exit == .status(0))
        }
    }

    @Test(
        "a socket of another user is not talked to", .promise, .enabled(if: getuid() == 0, "needs root to be two users")
    )
    func foreignDaemon() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        chown(directory.url.path, 65_534, 65_534)
        // It comes to each of its attempts, the one at its end too.
        let app = try directory.startApp(["RERENDER_WAIT_AT_EXIT": "60000"])
        _ = try await app.nextLine()
        try await app.ask("run 100")
        #expect(Truth(try await app.ask("counts")).sum == 100)
        #expect(await app.finish().exit == .status(0))
        #expect(!daemon.hasWaitingConnection)
        // Where the directory is this user's again, the same daemon hears of an app.
        chown(directory.url.path, getuid(), getgid())
        let heard = try directory.startApp()
        _ = try await heard.nextLine()
        try await heard.ask("run 100")
        let messages = try #require(try await daemon.accept().messages { LatestTotals($0).sum == 100 })
        #expect(LatestTotals(messages).sum == 100)
    }

    /// The scheduling policy of each thread by name, `main` for the first: field 41 of its `stat`.
    private func schedulingPolicies(of pid: Int32) throws -> [String: Int32] {
        var policies: [String: Int32] = [:]
        for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
            let path = "/proc/\(pid)/task/\(task)"
            guard let comm = try? String(contentsOfFile: "\(path)/comm", encoding: .utf8),
                let stat = try? String(contentsOfFile: "\(path)/stat", encoding: .utf8)
            else { continue }
            let name = comm.trimmingCharacters(in: .newlines)
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            policies[task == String(pid) ? "main" : name] = fields.count > 39 ? Int32(fields[39]) : nil
        }
        return policies
    }

    private func threadNames(of pid: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").compactMap {
            (try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/comm", encoding: .utf8))?
                .trimmingCharacters(in: .newlines)
        }
    }
}
