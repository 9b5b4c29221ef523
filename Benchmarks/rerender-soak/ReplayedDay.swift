// SPDX-License-Identifier: MIT
// A day's load in an hour: processes that come and go, connected ones, hostile peers, and a window with the HUD.

import Foundation
import RerenderModel
import TestSupport

/// What a day is: 180,000 processes that come and go, as builds, tests and scripts of a busy developer's machine do, two a second
/// around the clock; here 50 a second for an hour. A shorter run has as much load a second, and its slope is told for the hour.
enum ReplayedDay {
    static let processesInSecond = 50.0
    private static let connected = 1_000
    /// As many as the daemon takes (`DaemonLimits.connections`).
    private static let mostConnected = 1_280
    private static let hostileInSecond: UInt32 = 3

    /// A program of GTK that is injected, with the HUD.
    struct Window {
        let program: String
        let preload: String
    }

    static func run(minutes: Int, window: Window?, _ report: inout Report) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let daemon = try PlainChild(
            [ChildProcess.product("rerenderd"), "--foreground", "--runtime-dir", path, "--state-dir", path + "/state"],
            environment: [:], output: path + "/log")
        try await daemon.waitFor(" ready ")
        let http = UnixHTTP(path + "/query.sock")
        let crowd = try ProgramCrowd(of: connected, evaluations: 20, in: path)
        let idle = try PlainChild(
            [ChildProcess.product("loops"), "stall", "cfrunloop"], environment: ["RERENDER_RUNTIME_DIR": path],
            output: path + "/idle")
        try await idle.waitFor("ready ")
        var screen: HUDWindow?
        if let window { screen = try await HUDWindow(window, runtimeDirectory: path) }
        let wanted = connected + 1 + (screen == nil ? 0 : 1)
        _ = try await eventually("all being connected") {
            if let screen, screen.hasEnded {
                throw ChildProcess.Failure("the program with a window ended: \(screen.output)")
            }
            return try http.get("/v1/health").json(HealthReport.self).connections >= wanted ? () : nil
        }
        try await fill(wanted, http, path)
        // Among a thousand others that begin, it takes its time until it is idle.
        _ = try await eventually("the idle program being so") {
            let before = try Wakeups.switches(idle.pid)
            try await Task.sleep(for: .seconds(2))
            return try Wakeups.switches(idle.pid) == before ? () : nil
        }
        let peers = HostilePeers(path, pause: 1_000_000 / hostileInSecond)
        let visitors = Visitors(in: path, each: 1 / processesInSecond)
        var queries = try HonestQueries(of: daemon.pid)
        var memory = MemorySlope(of: daemon.pid, minutes), drawn = screen.map { MemorySlope(of: $0.pid, minutes) }
        let begin = ContinuousClock.now, end = begin + .seconds(60 * minutes)
        let woken = try Wakeups.switches(idle.pid)
        var second = 0
        while ContinuousClock.now < end {
            second += 1
            try await Task.sleep(until: begin + .seconds(second))
            queries.ask(http)
            try memory.look(at: second)
            try drawn?.look(at: second)
            // A part of the connected ones has something to say.
            if second.isMultiple(of: 10) { crowd.evaluate() }
            if second.isMultiple(of: 300) {
                report.note("\(second / 60) min: \(visitors.count) processes, \(memory.text)")
            }
        }
        let wakeUps = try Wakeups.switches(idle.pid) - woken
        visitors.stop()
        peers.stop()
        let rate = Double(visitors.count) / Double(minutes * 60)
        report.line(
            "\(visitors.count) processes came and went, \(Int(rate.rounded())) a second; to reach: \(Int(processesInSecond))",
            rate >= processesInSecond * 0.98)
        let health = try http.get("/v1/health").json(HealthReport.self)
        report.note(
            "the daemon knew of \(health.forgottenProcesses + UInt64(health.endedProcesses)) of them; beside them "
                + "\(connected) programs were connected, and \(peers.count) hostile connections were made")
        memory.tell("the daemon", &report)
        drawn?.tell("the window with the HUD", &report)
        if screen == nil { report.note("no window: its figures are missing") }
        queries.tellWaiting("once a second", &report)
        report.line("an idle app was woken \(wakeUps) times; to reach: 0", wakeUps == 0)
        let peak = try kibibytes(of: daemon.pid, "VmHWM") / 1_024
        report.line(
            "the daemon had \(Int(peak.rounded())) MiB at most; to reach: \(HostileSoak.mostMebibytes)",
            peak <= HostileSoak.mostMebibytes)
        withExtendedLifetime((crowd, idle, screen)) {}
    }
}

extension ReplayedDay {
    /// Has as many programs connected for a moment as the daemon takes, so that its tables have their largest size from then on.
    ///
    /// How many are there at once changes with the load of the machine: each new maximum would be taken for growth.
    private static func fill(_ connected: Int, _ http: UnixHTTP, _ directory: String) async throws {
        func connections() throws -> Int { try http.get("/v1/health").json(HealthReport.self).connections }
        do {
            let others = try ProgramCrowd(of: mostConnected - connected, evaluations: 20, in: directory)
            _ = try await eventually("as many as there can be") {
                try connections() >= mostConnected ? () : nil
            }
            withExtendedLifetime(others) {}
        }
        _ = try await eventually("the others being gone") { try connections() <= connected ? () : nil }
    }
}

/// Processes that evaluate, and exit.
private final class Visitors: Sendable {
    /// Living at once: what a machine that stood still for seconds has missed is made up for, within the daemon's limit.
    private static let most = 200

    private let state: SharedCount

    var count: Int { state.count }

    init(in directory: String, each pause: Double) {
        let state = SharedCount()
        self.state = state
        Thread.detachNewThread {
            var living: [(child: PlainChild, until: Double)] = []
            var next = Self.now
            while !state.isOver {
                if living.count + state.ending.count < Self.most,
                    let child = try? PlainChild(
                        [ChildProcess.product("counting"), "steady", "20"],
                        environment: ["RERENDER_RUNTIME_DIR": directory],
                        output: "/dev/null")
                {
                    living.append((child, Self.now + 0.3))
                }
                // An exit by their own code, on SIGTERM.
                while let first = living.first, first.until < Self.now {
                    first.child.send(SIGTERM)
                    state.ending.append(living.removeFirst().child)
                }
                state.reap()
                next += pause
                usleep(UInt32(max(0, next - Self.now) * 1e6))
            }
        }
    }

    func stop() { state.isOver = true }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }
}

/// What the thread of ``Visitors`` and its owner share; `ending` is the thread's alone.
private final class SharedCount: @unchecked Sendable {
    private let lock = NSLock()
    private var (ended, over) = (0, false)
    var ending: [PlainChild] = []

    var count: Int { lock.withLock { ended } }
    var isOver: Bool {
        get { lock.withLock { over } }
        set { lock.withLock { over = newValue } }
    }

    func reap() {
        let before = ending.count
        ending.removeAll { $0.looksEnded }
        lock.withLock { ended += before - ending.count }
    }
}

/// A program with a window, on an X server of its own.
private final class HUDWindow {
    private let server: PlainChild
    private let program: PlainChild
    var pid: Int32 { program.pid }
    var hasEnded: Bool { program.looksEnded }
    var output: String { program.output }

    init(_ window: ReplayedDay.Window, runtimeDirectory: String) async throws {
        // A display that no other server has; it says which once programs can connect.
        let server = try PlainChild(
            [ChildProcess.installed("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x1024x24"], environment: [:],
            output: runtimeDirectory + "/display")
        self.server = server
        let display = try await eventually("the X server", seen: { server.output }) {
            server.output.split(separator: "\n").last { $0.allSatisfy(\.isNumber) && server.output.hasSuffix("\n") }
        }
        program = try PlainChild(
            [window.program],
            environment: [
                "DISPLAY": ":\(display)", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                "GSETTINGS_BACKEND": "memory", "LD_PRELOAD": window.preload, "RERENDER_HUD": "1",
                "RERENDER_RUNTIME_DIR": runtimeDirectory,
            ], output: runtimeDirectory + "/window")
    }
}

/// How a process's memory grows: the slope of Theil and Sen through the least of each twelfth of a run, five minutes of an hour.
///
/// A process that works has memory beside what it keeps: the daemon up to 1 MB, with what a thousand programs say at once. It gives
/// that back where it writes its state anew. Whether a look finds it there is chance, which alone made slopes of −199 and +132 kB. What
/// is kept is in each look, and so in the least of them.
private struct MemorySlope {
    private static let most = 100.0

    private let pid: Int32
    /// A twelfth.
    private let partSeconds: Int
    private var latest = 0.0
    private var least: [Int: Double] = [:]

    var text: String { "\(Int(latest)) KiB" }

    init(of pid: Int32, _ minutes: Int) { (self.pid, partSeconds) = (pid, minutes * 5) }

    /// Its own memory: what it allocated and stacks, without files.
    mutating func look(at second: Int) throws {
        latest = try kibibytes(of: pid, "RssAnon")
        let part = (second - 1) / partSeconds
        least[part] = min(latest, least[part] ?? .infinity)
    }

    /// Of a day, which an hour is; the first ten minutes, or the first sixth of a shorter run, are left out.
    func tell(_ who: String, _ report: inout Report) {
        let first = min(600, 2 * partSeconds)
        let later = least.filter { $0.key * partSeconds >= first }.sorted { $0.key < $1.key }
        var slopes: [Double] = []
        for (index, left) in later.enumerated() {
            for right in later[(index + 1)...] {
                slopes.append((right.value - left.value) / Double((right.key - left.key) * partSeconds))
            }
        }
        let slope = Spread(slopes).quantile(0.5) * 3_600 * 1.024
        report.line(
            "\(who) grows by \(Int(slope.rounded())) kB a replayed day, of \(Int(later.last?.value ?? 0)) KiB of its own "
                + "memory, after the first \(first) s; to reach: 0 ± \(Int(Self.most))", abs(slope) <= Self.most)
    }
}
