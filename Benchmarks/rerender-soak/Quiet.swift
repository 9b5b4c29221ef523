// SPDX-License-Identifier: MIT
// No false hang: an idle app and a busy one, with and without processes that take all the cores, and a stopped daemon.

import Foundation
import RerenderModel
import TestSupport

enum Quiet {
    static func run(seconds: Int, _ report: inout Report) async throws {
        for loop in ["cfrunloop", "glib", "main"] {
            try await watch("\(loop), idle", loop, seconds: seconds, turns: 0, hogs: 0, &report)
            try await watch("\(loop), busy", loop, seconds: seconds, turns: 20, hogs: 0, &report)
        }
        try await watch("idle beside four hogs", "cfrunloop", seconds: seconds, turns: 0, hogs: 4, &report)
        try await watch("busy beside four hogs", "cfrunloop", seconds: seconds, turns: 20, hogs: 4, &report)
        try await stoppedDaemon(&report)
    }

    private static func watch(
        _ what: String, _ loop: String, seconds: Int, turns milliseconds: Int, hogs: Int, _ report: inout Report
    ) async throws {
        let lab = try await HangLab(loop: loop, threshold: 250, micro: 100)
        let neighbours = try Hogs(hogs)
        let schedule = try Schedule(of: lab.app.processID)
        let end = ContinuousClock.now + .seconds(seconds)
        if milliseconds > 0 { try lab.app.send("busy \(milliseconds) \(seconds)") }
        while ContinuousClock.now < end {
            schedule.look()
            try await Task.sleep(for: .milliseconds(20))
        }
        withExtendedLifetime(neighbours) {}
        let hangs = try lab.hangs().filter(\.counts)
        // A thread that the kernel did not run for that long was starved: that is a hang, and a true one.
        let falseOnes = hangs.filter { $0.verdict != .starved || !schedule.wasStarved(during: $0) }
        report.line(
            "\(what): \(falseOnes.count) false hangs in \(seconds) s, \(hangs.count) starved ones", falseOnes.isEmpty)
        for hang in falseOnes { report.note("  \(hang)") }
    }

    private static func stoppedDaemon(_ report: inout Report) async throws {
        let lab = try await HangLab(loop: "cfrunloop", threshold: 250, micro: 100)
        try lab.app.send("busy 20 20")
        for _ in 1...5 {
            lab.daemon.process.send(SIGSTOP)
            try await Task.sleep(for: .seconds(2))
            lab.daemon.process.send(SIGCONT)
            try await Task.sleep(for: .seconds(1))
        }
        let hangs = try lab.hangs().filter { $0.counts && $0.verdict != .starved }
        report.line("the daemon stopped five times: \(hangs.count) false hangs", hangs.isEmpty)
    }
}
