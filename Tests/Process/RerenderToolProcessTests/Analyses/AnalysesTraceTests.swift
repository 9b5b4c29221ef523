// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite(
    "The analyses and a real recording",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"), .timeLimit(.minutes(15)))
struct AnalysesTraceTests {
    @Test("every event, field and context that the analyses name is in a trace made by record")
    func recorded() async throws {
        let events = try await RecordBench.with { bench in
            let process = try await bench.record(
                ["-o", bench.home + "/trace", "--", bench.program("loops"), "stall", "cfrunloop"])
            #expect(try await process.nextLine().hasPrefix("ready"))
            #expect(try await process.ask("threshold 200 100") == "ok")
            try await bench.waitForHangSignposts()
            let demo = try await bench.daemon.start(
                product: "rerender-demo", ["--scenario", "showmax-1", "--script", "tap:heart"],
                environment: ["RERENDER_WAIT_FOR_TRACER": "60000"])
            #expect(await demo.finish().exit == .status(0))
            try process.send("sleep-in-body 700")
            while Stall(try await process.nextLine()) == nil {}
            #expect(await process.finish().exit == .status(0))
            return try await bench.events("trace")
        }
        let vocabulary = Self.vocabulary(events)
        #expect(vocabulary.contexts == ["vpid", "vtid", "procname"])
        #expect(try AnalysesCheck.faults(in: TraceCompassFile.bytes, for: vocabulary) == [])
        // And nothing that the analyses name is missed because nothing was recorded.
        #expect(vocabulary.events.keys.contains("com.rerender.Hang:end"))
        #expect(vocabulary.events.keys.contains("com.rerender.View:event"))
    }

    /// What the events have, as babeltrace2 shows them.
    private static func vocabulary(_ events: [LTTngEvent]) -> TraceVocabulary {
        let contexts: Set<String> = ["vpid", "vtid", "procname"]
        var fields: [String: Set<String>] = [:]
        var common = contexts
        for event in events {
            let names = Set(event.fields.map(\.name))
            common.formIntersection(names)
            fields[event.name, default: names.subtracting(contexts)].formIntersection(names)
        }
        return TraceVocabulary(events: fields, contexts: common)
    }
}
