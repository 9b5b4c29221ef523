// SPDX-License-Identifier: MIT
// What the live screen costs: the tool, the daemon, and an app that it shows.

import Foundation
import Glibc
import RerenderModel
import TestSupport

enum TopCost {
    private static let apps = 50
    private static let views = 500
    /// The goal for the tool, in percents of a core.
    private static let most = 1.5

    static func run(seconds: Int, _ report: inout Report) async throws {
        let daemon = try await DaemonProcess()
        let busy = try (0..<apps).map { _ in
            try ChildProcess(
                [ChildProcess.product("daemon-lab"), "wire", "fleet", daemon.pushSocket, "\(views)", "200"],
                seconds: Double(seconds) * 4 + 240)
        }
        for app in busy { _ = try await app.nextLine() }
        let idle = try IdleApp(daemon.directory)
        try await idle.ready()
        _ = try await eventually("all views being known") {
            try daemon.http.get("/v1/health").json(HealthReport.self).views >= apps * views ? true : nil
        }
        let alone = try await cost(of: daemon.process.pid, seconds)
        report.note("the daemon without the screen: \(figure(alone)) % of a core")
        for (columns, lines) in [(120, 40), (300, 80)] {
            let screen = try await TopScreen(daemon.directory, columns, lines, views: apps * views)
            let before = (try ticks(screen.pid), try ticks(daemon.process.pid), try idle.switches())
            try await Task.sleep(for: .seconds(seconds))
            let tool = Double(try ticks(screen.pid) - before.0) / Double(seconds)
            let served = Double(try ticks(daemon.process.pid) - before.1) / Double(seconds)
            let woken = try idle.switches() - before.2
            let size = "\(columns)×\(lines), \(apps) processes × \(views) views"
            report.line("\(size): top uses \(figure(tool)) % of a core; to reach: under \(most)", tool < most)
            report.note("\(size): the daemon uses \(figure(served)) %")
            report.line("\(size): an idle app was woken \(woken) times in \(seconds) s; to reach: 0", woken == 0)
            try screen.close()
        }
        withExtendedLifetime(busy) {}
    }

    private static func cost(of pid: Int32, _ seconds: Int) async throws -> Double {
        let before = try ticks(pid)
        try await Task.sleep(for: .seconds(seconds))
        return Double(try ticks(pid) - before) / Double(seconds)
    }

    /// Hundredths of a second of processor time, of all threads there were: in percents of a core if divided by seconds.
    private static func ticks(_ pid: Int32) throws -> Int {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // After the name, which may hold anything: state is the third field, utime the 14th, stime the 15th.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
            throw ChildProcess.Failure("cannot read /proc/\(pid)/stat")
        }
        return (user + system) * 100 / sysconf(Int32(_SC_CLK_TCK))
    }

    private static func figure(_ value: Double) -> String { String(Double(Int(value * 100)) / 100) }
}

/// An instrumented app that does nothing.
private final class IdleApp {
    private let app: ChildProcess
    private let directory: String

    init(_ directory: String) throws {
        self.directory = directory
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory
        app = try ChildProcess(
            [ChildProcess.product("loops"), "stall", "cfrunloop"], environment: environment, seconds: 600)
    }

    /// Its last totals leave a tenth of a second after the last turn.
    func ready() async throws {
        _ = try await app.nextLine()
        try await Task.sleep(for: .seconds(2))
    }

    func switches() throws -> Int { try Wakeups.switches(app.processID) }
}

/// `rerenderctl top` on a terminal of its own, that of a tmux server that nobody looks at.
private final class TopScreen {
    let pid: Int32
    private let socket: String

    init(_ directory: String, _ columns: Int, _ lines: Int, views: Int) async throws {
        socket = directory + "/tmux-\(columns)"
        let command =
            "RERENDER_RUNTIME_DIR=\(directory) LANG=C.UTF-8 exec \(ChildProcess.product("rerenderctl")) top"
        _ = try Self.tmux(
            socket, ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)", command])
        let text = try Self.tmux(socket, ["list-panes", "-F", "#{pane_pid}"])
        guard let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ChildProcess.Failure("tmux names no process: \(text)")
        }
        self.pid = pid
        let socket = socket
        // Everything is on the screen: the right number of views, and a rate, for which two samples are needed.
        _ = try await eventually("the screen") {
            let screen = try Self.tmux(socket, ["capture-pane", "-p"])
            return screen.contains("/s") && screen.contains("views") ? true : nil
        }
    }

    func close() throws { _ = try Self.tmux(socket, ["kill-server"]) }

    /// By a shell: the server would hold on to what `Foundation.Process` watches its children by.
    private static func tmux(_ socket: String, _ arguments: [String]) throws -> String {
        let words = ["tmux", "-u", "-S", socket] + arguments
        let command = words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1"
        guard let stream = popen(command, "r") else { throw ChildProcess.Failure("cannot run \(command)") }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, stream), count > 0 { bytes += piece.prefix(count) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard pclose(stream) == 0 else { throw ChildProcess.Failure("\(command): \(text)") }
        return text
    }
}
