// SPDX-License-Identifier: MIT
// Who wakes an idle app, and what watching many of them costs; both counted from outside.

import Foundation
import RerenderModel
import TestSupport

enum Wakeups {
    static func run(seconds: Int, _ report: inout Report) async throws {
        for loop in ["cfrunloop", "glib"] {
            let lab = try await HangLab(loop: loop)
            // Its last totals leave a tenth of a second after the last turn.
            try await Task.sleep(for: .seconds(2))
            let before = try switches(lab.app.processID)
            try await Task.sleep(for: .seconds(seconds))
            let after = try switches(lab.app.processID)
            report.line(
                "\(loop): woken \(after - before) times in \(seconds) s while idle; to reach: 0", after == before)
        }
    }

    /// How often the kernel gave a processor to any thread of a process.
    static func switches(_ pid: Int32) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").reduce(0) { sum, thread in
            let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
            let counts = status.split(separator: "\n").filter { $0.contains("ctxt_switches:") }
            return sum
                + counts.compactMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } }.reduce(0, +)
        }
    }
}

enum WatchdogCost {
    private static let apps = 100

    static func run(seconds: Int, _ report: inout Report) async throws {
        let lab = try await HangLab(loop: "cfrunloop")
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = lab.daemon.directory
        let others = try (1..<apps).map { _ in
            try ChildProcess(
                [ChildProcess.product("loops"), "stall", "cfrunloop"], environment: environment, seconds: 300)
        }
        for app in others { try app.send("spin 1") }
        _ = try await eventually("all being watched") {
            try lab.processes().count { $0.mainLoop != .none } == apps ? true : nil
        }
        try await Task.sleep(for: .seconds(2))
        let pid = lab.daemon.process.pid
        let (before, all) = (try nanoseconds(pid, "rerender-watchd"), try nanoseconds(pid, ""))
        try await Task.sleep(for: .seconds(seconds))
        let thread = Double(try nanoseconds(pid, "rerender-watchd") - before) / Double(seconds) / 1e7
        let daemon = Double(try nanoseconds(pid, "") - all) / Double(seconds) / 1e7
        withExtendedLifetime(others) {}
        report.line(
            "\(apps) idle apps: the thread uses \(thread) % of a core, the daemon \(daemon) %; to reach: 1", thread < 1)
    }

    /// Processor time of a process's threads whose name begins so.
    private static func nanoseconds(_ pid: Int32, _ name: String) throws -> UInt64 {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
            .map { "/proc/\(pid)/task/\($0)" }
            .filter { try String(contentsOfFile: $0 + "/comm", encoding: .utf8).hasPrefix(name) }
        guard !threads.isEmpty else { throw ChildProcess.Failure("no thread \(name)") }
        return try threads.reduce(0) { sum, thread in
            let times = try String(contentsOfFile: thread + "/schedstat", encoding: .utf8)
            return sum + (times.split(separator: " ").first.flatMap { UInt64($0) } ?? 0)
        }
    }
}
