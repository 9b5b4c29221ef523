// SPDX-License-Identifier: MIT
// A busy app is not made to allocate: counted by a malloc of the measured program's own.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("Allocations")
struct AllocationTests {
    @Test(
        "Evaluations of a view that has met all its durations allocate nothing, however the probe is called", .promise)
    func steadyEvaluations() async throws {
        let count = 10_000
        // Without a daemon: one of another test would have totals sent to it, which allocates.
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = try TestFile.makeDirectory()
        let output = try await ChildProcess.run(
            [ChildProcess.product("measured"), "allocations", "\(count)"], environment: environment)
        try #require(output.succeeded, "\(output.standardError)")
        let lines = output.standardOutput.split(separator: "\n").map { $0.split(separator: "=") }
        let allocations = Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), Int($0[1]) ?? -1) })
        #expect((allocations["control"] ?? 0) >= count)
        let ways = [
            "literal", "place", "long label", "inputs and instance", "reason", "nested", "committed", "comparison",
            "told", "told without input",
        ]
        // Those without a place look for one every two seconds, and allocate then at most what all of them did at first.
        let (looks, most) = (allocations["looks"] ?? -1, allocations["most looks"] ?? -1)
        #expect(looks >= 0 && looks <= most && most > 0, "\(looks) of \(most)")
        // 40,000 comparisons that found a change: the smallest block leaked by each were 1,280,000 bytes.
        #expect(allocations["growth"].map { $0 < 1_000_000 } == true, "\(allocations["growth"] ?? -1)")
        if allocations.keys.contains("turn") { #expect(allocations["turn"] == 0, "turns of the main loop") }
        if allocations.keys.contains("in a turn") {
            #expect(allocations["in a turn"] == 0, "evaluations that the main loop's record is told of")
            #expect(allocations["unseen turns"] == 0, "they are in turns")
        }
        for way in ways { #expect(allocations[way] == 0, "\(way)") }
    }
}
