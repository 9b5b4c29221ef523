// SPDX-License-Identifier: MIT
// Turns of a real GLib main loop in a real LTTng trace.

import Foundation
import RerenderModel
import SignpostSupport
import TestSupport
import Testing

private let hasGLib =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"].contains {
        FileManager.default.fileExists(atPath: "\($0)/libglib-2.0.so.0")
    }

@Suite(
    "Recorded turns",
    .enabled(if: LTTngDaemon.isInstalled && hasGLib, "needs lttng-tools, babeltrace2, setpriv and libglib2.0-0"))
struct RecordedTurnTests {
    @Test("the main loop is told at the end with all its turns, its parts and its stretches, by one store")
    func loop() async throws {
        let events = try await Self.record()
        let loop = try #require(events.last { $0.name == "com.rerender.Loop:event" })
        #expect(loop.payload == EventTable.fields[loop.name])
        #expect(loop.integer("turns") ?? 0 > 0 && loop.integer("counted_ns") ?? 0 > 0 && loop.integer("store_id") == 0)
        for (kind, names) in [
            ("Part", LoopTotals.tracedParts.map(\.name)), ("Stretch", LoopTotals.tracedStretches.map(\.name)),
        ] {
            let told = events.filter { $0.name == "com.rerender.Loop.\(kind):event" }
            #expect(told.suffix(names.count).compactMap { $0.text("name") } == names)
            #expect(told.allSatisfy { $0.payload == EventTable.fields[$0.name] })
        }
        let store = try #require(events.last { $0.name == "com.rerender.Store:event" })
        #expect(store.payload == EventTable.fields[store.name] && store.integer("kind") == 1)
    }

    /// Ten evaluations in a loop of GLib, recorded from the first one to the process's end.
    private static func record() async throws -> [LTTngEvent] {
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("com.rerender.*")) { session in
                let app = try await daemon.start(
                    product: "loops", ["glib", "evaluate"],
                    environment: [
                        "RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": daemon.home + "/runtime",
                    ])
                #expect(await app.finish().exit == .status(0))
                return try await session.stopAndRead()
            }
        }
    }

    @Test("each turn begins and ends once, around the evaluations that carry its number")
    func turns() async throws {
        let events = try await Self.record().filter {
            ["com.rerender.RenderLoop", "com.rerender.BodyEval"].contains($0.name.split(separator: ":")[0])
        }
        var open: UInt64?
        var begun: [UInt64] = []
        var evaluations = 0
        var inTurn: UInt64 = 0
        for event in events {
            let turn = try #require(event.name.hasPrefix("com.rerender.BodyEval:begin") ? 0 : event.integer("turn"))
            switch event.name {
            case "com.rerender.RenderLoop:begin":
                #expect(open == nil && event.text("name") == "turn")
                #expect(event.integer("signpost_id") == turn)
                begun.append(turn)
                open = turn
                inTurn = 0
            case "com.rerender.RenderLoop:end":
                #expect(open == turn)
                // The turn's own account says the same as the events in it.
                #expect(event.integer("evaluations") == inTurn, "turn \(turn)")
                open = nil
            case "com.rerender.BodyEval:end":
                #expect(open == turn)
                evaluations += 1
                inTurn += 1
            default:
                break
            }
        }
        #expect(evaluations == 10)
        #expect(begun == (1...UInt64(max(begun.count, 1))).map { $0 } && begun.count >= 5)
    }
}
