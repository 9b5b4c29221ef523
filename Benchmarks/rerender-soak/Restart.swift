// SPDX-License-Identifier: MIT
// How long a daemon that was killed takes, once it is back, to know everything again of very many programs.

import Foundation
import RerenderModel
import TestSupport

enum Restart {
    private static let rounds = 5
    private static let evaluations = 20
    /// Longer than the longest pause between two attempts to connect: every program is at it then.
    private static let absence = 8.0

    static func run(apps count: Int, _ report: inout Report) async throws {
        let directory = try TemporaryDirectory()
        let crowd = try ProgramCrowd(of: count, evaluations: evaluations, in: directory.path)
        var daemon = try await start(directory.path)
        try await exactSum(count, rounds: 1, in: directory.path)
        var seconds: [Double] = []
        for round in 2...rounds + 1 {
            daemon.send(SIGKILL)
            try await daemon.waitForEnd()
            try await Task.sleep(for: .seconds(absence))
            // They count while no daemon listens.
            crowd.evaluate()
            try await Task.sleep(for: .seconds(1))
            daemon = try await start(directory.path)
            let ready = ContinuousClock.now
            try await exactSum(count, rounds: round, in: directory.path)
            let time = ContinuousClock.now - ready
            seconds.append(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
            report.note("exact \(Int((seconds.last ?? 0) * 1_000)) ms after it was ready")
        }
        let spread = Spread(seconds)
        report.line(
            "\(count) programs, the daemon killed \(rounds) times and away for \(Int(absence) + 1) s: the sum is exact "
                + "\(Int(spread.quantile(0.5) * 1_000)) ms after it is ready, \(Int(spread.quantile(1) * 1_000)) ms at most; "
                + "to reach: 1,000", spread.quantile(1) <= 1)
        daemon.send(SIGKILL)
        withExtendedLifetime(crowd) {}
    }

    private static func start(_ directory: String) async throws -> PlainChild {
        let daemon = try PlainChild(
            [ChildProcess.product("rerenderd"), "--foreground", "--runtime-dir", directory], environment: [:],
            output: directory + "/log-\(UUID().uuidString.prefix(8))")
        try await daemon.waitFor(" ready ")
        return daemon
    }

    /// Waits until all are connected and the sum of what they evaluated is exact.
    private static func exactSum(_ apps: Int, rounds: Int, in directory: String) async throws {
        let http = UnixHTTP(directory + "/query.sock")
        let sum = UInt64(apps * rounds * evaluations)
        func seen() throws -> UInt64 {
            try http.get("/v1/stats?limit=1").json(StatsExport.self).processes.reduce(0) { $0 + $1.evaluations }
        }
        try await eventually("a sum of \(sum)", seen: { try seen() }) { () -> Void? in
            // Seldom: each question has the daemon look at all of them. A list of all is a long answer: it is asked for once all are there.
            try await Task.sleep(for: .milliseconds(50))
            guard try http.get("/v1/health").json(HealthReport.self).connections == apps else { return nil }
            return try seen() == sum ? () : nil
        }
    }
}

/// Very many programs with the library, which evaluate on a signal.
final class ProgramCrowd {
    private let programs: [PlainChild]

    init(of count: Int, evaluations: Int, in directory: String) throws {
        programs = try (0..<count).map { _ in
            try PlainChild(
                [ChildProcess.product("counting"), "steady", "\(evaluations)"],
                environment: ["RERENDER_RUNTIME_DIR": directory],
                output: "/dev/null")
        }
    }

    /// Has each evaluate as often as at its start.
    func evaluate() { for program in programs { program.send(SIGUSR1) } }
}
