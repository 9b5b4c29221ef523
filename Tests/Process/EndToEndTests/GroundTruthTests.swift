// SPDX-License-Identifier: MIT
// Counts from one end to the other: a process that counts for itself, a real daemon, `rerenderctl export`.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Ground truth")
struct GroundTruthTests {
    private static let million = 1_000_000

    @Test("three stores, ten threads and a million evaluations arrive exactly", .promise)
    func plain() async throws {
        let lab = try await Lab()
        let app = try await lab.startApp()
        try await app.ask("run \(Self.million)")
        try await lab.expectExport(toEqual: app, sum: Self.million)
    }

    @Test("killing the daemon with -9 in the middle, again and again, falsifies nothing", .promise)
    func daemonKilled() async throws {
        let lab = try await Lab()
        let app = try await lab.startApp()
        // It evaluates until it is told to stop, so each kill is in the middle.
        try await app.ask("spin")
        for part in 1...4 {
            try await lab.waitForSum(atLeast: part * Self.million / 4)
            try await lab.killDaemon()
            try await lab.startDaemon()
        }
        #expect(try await app.ask("stop") == "done")
        let truth = Truth(try await app.ask("counts"))
        #expect(truth.sum >= UInt64(Self.million))
        try await lab.expect(truth, of: app.processID)
    }

    @Test("a daemon that starts after the app hears of everything that came before", .promise)
    func daemonStartsLater() async throws {
        let lab = try await Lab(startsDaemon: false)
        let app = try await lab.startApp()
        try await app.ask("run \(Self.million)")
        try await lab.startDaemon()
        try await lab.expectExport(toEqual: app, sum: Self.million)
    }

    @Test("an app that exits at once has lost nothing", .promise)
    func exitsAtOnce() async throws {
        let lab = try await Lab()
        // A fifth of a second at its exit is little for an app beside compilers.
        let app = try await lab.startApp()
        try await app.ask("run \(Self.million)")
        let truth = Truth(try await app.ask("counts"))
        try app.send("exit")
        #expect(await app.waitForExit() == .status(0))
        try await lab.expect(truth, of: app.processID)
        let processes = try lab.export().processes
        #expect(processes.count == 3)
        for process in processes {
            #expect(!process.connected)
            #expect(process.lost == 0)
            #expect(process.dropped == 0)
        }
        let health = try lab.health()
        #expect(health.dropped == HealthReport.Drops(), "a process that took its leave is no fault")
    }

    @Test("what a killed app had not sent is exported as lost, to the last evaluation", .promise)
    func killed() async throws {
        let lab = try await Lab()
        let app = try await lab.startApp()
        try await app.ask("run 300000")
        try app.send("die")
        #expect(await app.waitForExit() == .signal(SIGKILL))
        let processes = try await lab.eventually("the app's end being noticed") {
            let processes = try lab.export().processes
            return processes.allSatisfy { !$0.connected } && !processes.isEmpty ? processes : nil
        }
        #expect(processes.reduce(0) { $0 + $1.evaluations } == 300_000)
        for process in processes {
            let shown = process.views.reduce(0) { $0 + $1.count }
            #expect(shown + process.dropped + process.lost == process.evaluations)
        }
    }

    @Test("an app that ends while its daemon is away is not silently missing: the next one says so", .promise)
    func endedUnheard() async throws {
        let lab = try await Lab()
        let app = try await lab.startApp()
        try await app.ask("run 1000")
        try await lab.waitForSum(atLeast: 1_000)
        try await lab.killDaemon()
        try await app.ask("run 500")
        try app.send("exit")
        #expect(await app.waitForExit() == .status(0))
        try await lab.startDaemon()
        let health = try UnixHTTP(lab.directory.url.path + "/query.sock").get("/v1/health").json(HealthReport.self)
        #expect(health.dropped.flightPages == 1)
    }

    @Test("curl, rerenderctl export and the store itself give the same document", .promise)
    func sameDocument() async throws {
        let lab = try await Lab()
        let app = try await lab.startApp()
        try await app.ask("run 20000")
        try await lab.expectExport(toEqual: app, sum: 20_000)
        let curl = try #require(ChildProcess.path(of: "curl"), "curl is not installed")
        let body = try await ChildProcess.run([
            curl, "-sS", "--unix-socket", lab.directory.url.path + "/query.sock", "http://localhost/v1/stats",
        ]).standardOutput
        let exported = try await lab.ctl("export").standardOutput
        #expect(withoutTime(body) == withoutTime(exported))

        let whole = try JSONDecoder().decode(StatsExport.self, from: Data(exported.utf8))
        for (index, name) in ["main", "sidebar", "detail"].enumerated() {
            let data = try #require(Data(base64Encoded: try await app.ask("export \(index)")))
            let own = try JSONDecoder().decode(StatsExport.self, from: data)
            #expect(own.processes == whole.processes.filter { $0.store == name })
        }
    }

    @Test("reasons, writers, chains and waste arrive as the app has them, also at a daemon that comes later", .promise)
    func causes() async throws {
        let lab = try await Lab()
        let app = try await lab.startApp()
        try await app.ask("write 40")
        try await app.ask("cascade 10")
        let own = try await Self.views(of: app)
        let part = try #require(own.first { $0.key == "Part" })
        #expect(part.count == 21)
        #expect(part.wasted.kinds == [.parentOnly: 20])
        let reason = try #require(part.reasons.first { $0.reason == "parent: Panel" })
        #expect(reason.chains.map(\.chain).contains("Panel ← gauge.level"))
        #expect(reason.chains.reduce(0) { $0 + $1.count } == reason.count)
        let detail = try #require(own.first { $0.key == "Detail" })
        #expect(detail.wasted.measured == 21 && detail.wasted.inferred == 0)
        let left = try #require(own.first { $0.key == "Left" })
        #expect(left.reasons.first?.writers.map(\.count) == [40])
        try await lab.expectViews(own)
        try await lab.killDaemon()
        try await lab.startDaemon()
        try await lab.expectViews(own)
        let explained = try await lab.ctl("explain", "Part")
        #expect(explained.succeeded, "\(explained.standardError)")
        #expect(explained.standardOutput.contains("Panel ← gauge.level"))
        let ranked = try await lab.ctl("stats", "--sort", "wasted", "--json")
        let first = try JSONDecoder().decode(StatsExport.self, from: Data(ranked.standardOutput.utf8))
            .processes.flatMap(\.views).max { $0.wasted.nanoseconds < $1.wasted.nanoseconds }
        #expect(first?.key == own.max { $0.wasted.nanoseconds < $1.wasted.nanoseconds }?.key)
    }

    private static func views(of app: ChildProcess) async throws -> [Stats] {
        let data = try #require(Data(base64Encoded: try await app.ask("export 0")))
        return try JSONDecoder().decode(StatsExport.self, from: data).processes.flatMap(\.views)
    }

    private func withoutTime(_ document: String) -> [Substring] {
        document.split(separator: "\n").filter { !$0.contains("\"generatedAt\"") }
    }
}

/// A runtime directory with a real daemon, and apps and tools that find it.
private final class Lab {
    let directory: TemporaryDirectory
    private var daemon: DaemonProcess?
    /// Apps wait at their exit until their counts are kept, however busy the machine is.
    private var environment: [String: String] {
        [
            "RERENDER_RUNTIME_DIR": directory.url.path, "PATH": "/usr/bin:/bin", "HOME": directory.url.path,
            "RERENDER_WAIT_AT_EXIT": "20000",
        ]
    }

    init(startsDaemon: Bool = true) async throws {
        directory = try TemporaryDirectory()
        if startsDaemon { try await startDaemon() }
    }

    func startDaemon() async throws {
        // One that starts again knows by its state which apps there were.
        let state = directory.url.path + "/state"
        daemon = try await DaemonProcess(directory: directory.url.path, ["--state-dir", state])
    }

    func killDaemon() async throws {
        daemon?.process.send(SIGKILL)
        #expect(try await daemon?.process.wait() == -SIGKILL)
        daemon = nil
    }

    func startApp() async throws -> ChildProcess {
        let app = try ChildProcess([ChildProcess.product("counting")], environment: environment)
        #expect(try await app.nextLine() == "ready")
        return app
    }

    func ctl(_ arguments: String...) async throws -> ChildProcess.Output {
        try await ChildProcess.run([ChildProcess.product("rerenderctl")] + arguments, environment: environment)
    }

    func health() throws -> HealthReport { try answer("/v1/health").json(HealthReport.self) }

    func export() throws -> StatsExport { try answer("/v1/stats").json(StatsExport.self) }

    private func answer(_ path: String) throws -> HTTPAnswer { try #require(daemon).http.get(path) }

    /// Waits until the daemon's answer fits.
    @discardableResult
    func eventually<T>(_ what: String, _ ask: () throws -> T?) async throws -> T {
        try await #require(daemon).http.eventually(what, ask)
    }

    /// Waits until the daemon has these views of the store `main`, and nothing else about them.
    func expectViews(_ views: [Stats]) async throws {
        var shown: [Stats] = []
        try await eventually("the views") {
            shown = try export().processes.first { $0.store == "main" }?.views ?? []
            return shown == views ? () : nil
        }
        #expect(shown == views)
    }

    /// Waits until the daemon shows so many evaluations.
    func waitForSum(atLeast sum: Int) async throws {
        try await eventually("\(sum) evaluations") {
            let shown = try export().processes.reduce(UInt64(0)) { $0 + $1.views.reduce(0) { $0 + $1.count } }
            return shown >= UInt64(sum) ? () : nil
        }
    }

    /// Waits until the export is complete, and compares every count with the app's own.
    func expectExport(toEqual app: ChildProcess, sum: Int, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let truth = Truth(try await app.ask("counts"))
        #expect(truth.sum == UInt64(sum), sourceLocation: sourceLocation)
        try await expect(truth, of: app.processID, sourceLocation: sourceLocation)
    }

    func expect(_ truth: Truth, of pid: Int32, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitForSum(atLeast: Int(truth.sum))
        let export = try export()
        #expect(Truth(export, pid: pid) == truth, sourceLocation: sourceLocation)
        let evaluations = export.processes.filter { $0.pid == pid }.reduce(0) { $0 + $1.evaluations }
        #expect(evaluations == truth.sum, sourceLocation: sourceLocation)
    }
}
