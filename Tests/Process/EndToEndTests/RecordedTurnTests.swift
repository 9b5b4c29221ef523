// SPDX-License-Identifier: MIT
// Turns of a real GLib main loop in a real LTTng trace.

import Foundation
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
    @Test("each turn begins and ends once, around the evaluations that carry its number")
    func turns() async throws {
        let events = try await LTTngDaemon.with(.ordinary) { daemon in
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
