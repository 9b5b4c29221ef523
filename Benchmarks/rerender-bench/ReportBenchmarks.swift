// SPDX-License-Identifier: MIT
// What `rerenderctl report` takes for a recording, against babeltrace2 reading it for nothing.

import Foundation
import Rerender

/// Recordings that `Scripts/bench` has made, each in a directory named for its events.
struct ReportBenchmarks {
    static let sizes = [200_000, 2_000_000]

    let directory: String

    /// Evaluates until about so many events are recorded, as an app does that redraws lists: rows in sections.
    static func record(events: Int) throws {
        #if !RERENDER_PROBES
            throw Fault("the probes are compiled out: build with --traits AlwaysOn")
        #endif
        let store = RerenderStore(name: "bench")
        let rows = (0..<40).map { "Row \($0)" }
        var evaluations = 0
        while evaluations < events / 2 {
            store.evaluate("Section") {
                for (index, row) in rows.enumerated() {
                    store.evaluate(row, instance: InstanceID(rawValue: UInt64(index))) {}
                }
            }
            evaluations += rows.count + 1
            // The tracer's consumer empties the buffers meanwhile: nothing may be discarded.
            if evaluations % 20_500 == 0 { usleep(20_000) }
        }
    }

    /// Processor time of both for the largest recording, in turn; and our peak memory for each.
    func read() throws -> Row {
        let events = Self.sizes[1]
        let rounds = try Rounds(5, of: events) {
            try Self.use(report(events)).seconds * 1e9 / Double($0)
        } baseline: {
            try Self.use(["babeltrace2", "--output-format=dummy", "\(directory)/\(events)"]).seconds * 1e9 / Double($0)
        }
        var row = rounds.row(
            "report.read", target: "ratio at most 1.5, and no more memory for ten times the events (within a tenth)")
        for size in Self.sizes { row.more.append(("peakMegabytes\(size)", try Self.use(report(size)).megabytes)) }
        return row
    }

    private func report(_ events: Int) -> [String] { ["rerenderctl", "report", "\(directory)/\(events)"] }

    /// Runs a program to its end and returns what it used, as the kernel counts it.
    ///
    /// Proof of the unsafe parts: the arguments are copied by the call that starts the process, and freed after it.
    private static func use(_ command: [String]) throws -> (seconds: Double, megabytes: Double) {
        let arguments = unsafe (command.map { unsafe strdup($0) } + [nil])
        defer { for argument in 0..<command.count { unsafe free(arguments[argument]) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var pid: pid_t = 0
        guard unsafe posix_spawnp(&pid, command[0], &actions, nil, arguments, environ) == 0 else {
            throw Fault("\(command[0]) does not start")
        }
        var status: CInt = 0
        var usage = rusage()
        guard unsafe wait4(pid, &status, 0, &usage) == pid, status == 0 else { throw Fault("\(command) failed") }
        let microseconds =
            (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec
            + usage.ru_stime.tv_usec
        return (Double(microseconds) / 1e6, Double(usage.ru_maxrss) * 1_024 / 1e6)
    }
}
