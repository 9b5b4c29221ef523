// SPDX-License-Identifier: MIT
// What Scripts/bench says before it measures anything. Figures are no matter of tests: they depend on the machine.

import Foundation
import TestSupport
import Testing

@Suite("Scripts/bench")
struct BenchScriptTests {
    static let rows = [
        "signpost.disabled", "signpost.enabled", "evaluate.on", "evaluate.count", "evaluate.instructions",
        "evaluate.recording", "store.first", "compare.unchanged", "compare.changed", "causes.tracking", "evaluate.full",
        "daemon.ingest", "daemon.query", "loop.one-of-many",
        "loop.all", "loop.memory", "report.read", "record.start", "record.end",
        "inject.evaluate", "inject.off", "inject.start", "inject.inert",
        "gtk.frame", "gtk.hud", "gtk.idle",
    ]

    static let script = Checkout.path("Scripts/bench")

    @Test("Help names every row, and rerender-bench knows them all")
    func namesRows() async throws {
        let help = try await ChildProcess.run([Self.script, "--help"])
        let program = try await ChildProcess.run([ChildProcess.product("rerender-bench"), "--help"])
        #expect(help.succeeded && program.succeeded)
        for row in Self.rows {
            #expect(help.standardOutput.contains(row))
            #expect(program.standardOutput.contains(row))
        }
    }
}
