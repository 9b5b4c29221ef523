// SPDX-License-Identifier: MIT
// Phases as a recorder sees them.

import TestSupport
import Testing

@Suite(.enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools")) struct PhaseSignpostTests {
    @Test func eachPhaseIsAnIntervalWithItsTurn() async throws {
        let events = try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("com.rerender.RenderLoop.Phase:*")) { session in
                let program = try await daemon.start(
                    product: "screens", ["turns", "timer"],
                    environment: [
                        "RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": daemon.home + "/runtime",
                    ])
                #expect(await program.finish().exit == .status(0))
                let pid = UInt64(program.processID)
                return try await session.stopAndRead().filter { $0.integer("vpid") == pid }
            }
        }
        #expect(events.count >= 2 * 3 * 5)
        #expect(events.allSatisfy { $0.payload == ["signpost_id", "name", "turn"] })
        let first = events.filter { $0.integer("turn") == events.first?.integer("turn") }
        let names = first.map { ($0.name.hasSuffix(":begin") ? "+" : "-") + ($0.text("name") ?? "") }
        #expect(
            names == [
                "+callouts", "-callouts", "+evaluation", "-evaluation", "+handlers", "-handlers", "+evaluation",
                "-evaluation", "+commit", "-commit",
            ])
        var open: [UInt64] = []
        for event in events {
            guard let id = event.integer("signpost_id") else { continue }
            if event.name.hasSuffix(":begin") { open.append(id) } else { #expect(open.popLast() == id) }
        }
        // The program ends in the callouts of its last turn.
        #expect(open.count <= 1)
    }
}
