// SPDX-License-Identifier: MIT
// How long a command waits for `rerenderctl record` to start it, and a user for it to end, against LTTng's own tool.

import CBench
import Foundation

/// Recordings of this program, which notes when it began and ended. A session daemon runs.
struct RecordBenchmarks {
    /// Where traces go.
    let directory: String

    /// From the start of each to the first line of the command.
    func start() throws -> Row {
        let rounds = try rounds(15, events: 0) { $0.start }
        return rounds.row("record.start", target: "ratio at most 1.3")
    }

    /// From the last line of the command, which leaves a trace of 100 MB, to the end of each.
    func end() throws -> Row {
        let rounds = try rounds(7, events: 800_000) { $0.end }
        return rounds.row("record.end", target: "ratio at most 1.3, and at most a second")
    }

    /// What the command does: notes when it begins and ends, and evaluates.
    static func command(events: Int, noting file: String) throws {
        let began = cbench_now()
        if events > 0 { try ReportBenchmarks.record(events: events) }
        try "\(began) \(cbench_now())".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Nanoseconds that somebody waits.
    private struct Waits {
        let start: Double
        let end: Double
    }

    private func rounds(_ count: Int, events: Int, _ wait: (Waits) -> Double) throws -> Rounds {
        let plain = URL(fileURLWithPath: #filePath).appending(path: "../../CBench/Programs/lttng-macros/record")
            .standardized.path
        return try Rounds(count, of: 1) { _ in
            wait(try waits(["rerenderctl", "record", "--output", "\(directory)/recorded", "--"], events))
        } baseline: { _ in
            wait(try waits([plain, "\(directory)/recorded"], events))
        }
    }

    private func waits(_ recorder: [String], _ events: Int) throws -> Waits {
        let notes = directory + "/notes"
        defer { try? FileManager.default.removeItem(atPath: "\(directory)/recorded") }
        let began = cbench_now()
        _ = try Child.run(recorder + ["rerender-bench", "record.end", "--record", "\(events)", "--notes", notes])
        let ended = cbench_now()
        let times = try String(contentsOfFile: notes, encoding: .utf8).split(separator: " ").compactMap { UInt64($0) }
        guard times.count == 2 else { throw Fault("the command noted no times") }
        return Waits(start: Double(times[0] - began), end: Double(ended - times[1]))
    }
}
