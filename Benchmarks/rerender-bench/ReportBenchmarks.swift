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
            try Child.run(report(events)).processorSeconds * 1e9 / Double($0)
        } baseline: {
            try Child.run(["babeltrace2", "--output-format=dummy", "\(directory)/\(events)"]).processorSeconds * 1e9
                / Double($0)
        }
        var row = rounds.row(
            "report.read", target: "ratio at most 1.15, and no more memory for ten times the events (within a tenth)")
        for size in Self.sizes {
            row.more.append(("peakMegabytes\(size)", try Child.run(report(size)).megabytes))
            let page = report(size) + ["--html", "/dev/null"]
            row.more.append(("pagePeakMegabytes\(size)", try Child.run(page).megabytes))
        }
        return row
    }

    private func report(_ events: Int) -> [String] { ["rerenderctl", "report", "\(directory)/\(events)"] }
}
