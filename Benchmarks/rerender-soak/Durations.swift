// SPDX-License-Identifier: MIT
// Two hundred hangs with both cores loaded: what is reported against what the app measured itself.

import Foundation
import RerenderModel
import TestSupport

enum Durations {
    private static let threshold = 90

    static func run(hangs count: Int, _ report: inout Report) async throws {
        let lab = try await HangLab(
            loop: "cfrunloop", threshold: threshold, micro: 50, seconds: 900 + 5 * Double(count))
        let hogs = try Hogs(ProcessInfo.processInfo.activeProcessorCount)
        var generator = SeededGenerator(seed: 4)
        var errors: [Double] = [], openings: [Double] = [], blamed = 0
        for number in 1...count {
            let stall = try await lab.stall("body", Int.random(in: 100...2_000, using: &generator))
            let hang = try await lab.hang(holding: stall)
            errors.append(abs(Double(hang.durationNanoseconds) - Double(stall.nanoseconds)) / 1e6)
            if hang.view == "Slow" { blamed += 1 } else { report.note("  \(hang)") }
            if let opened = hang.openedAfterNanoseconds {
                let late = Double(opened) - Double(hang.watchdogLatenessNanoseconds ?? 0)
                openings.append(late / 1e6 - Double(threshold))
            }
            if number.isMultiple(of: 20) { report.note("\(number) hangs") }
        }
        withExtendedLifetime(hogs) {}
        let (error, opening) = (Spread(errors), Spread(openings))
        report.line(
            "error of the duration in ms: \(error.text); to reach: median 1, p99 10",
            error.quantile(0.5) <= 1 && error.quantile(0.99) <= 10)
        report.line(
            "opened after the threshold in ms, its own lateness taken off: \(opening.text); to reach: p99 20",
            opening.quantile(0.99) <= 20)
        report.line("opened while they lasted: \(openings.count) of \(count)", openings.count == count)
        report.line(
            "attributed to the view that ran, whatever the kernel ran beside it: \(blamed) of \(count)", blamed == count
        )
    }
}

/// Processes that do nothing but take processor time.
final class Hogs {
    private let processes: [ChildProcess]

    init(_ count: Int) throws {
        processes = try (0..<count).map { _ in try ChildProcess(["/bin/sh", "-c", "while :; do :; done"], seconds: 900)
        }
    }

    deinit {
        for process in processes { process.kill(SIGKILL) }
    }
}
