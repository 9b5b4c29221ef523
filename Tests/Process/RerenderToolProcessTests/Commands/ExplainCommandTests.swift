// SPDX-License-Identifier: MIT
// `rerenderctl explain` as a user calls it, with a real daemon and real processes.

import Foundation
import RerenderModel
@testable import RerenderTool
import TestTraits
import Testing
@testable import ToolSupport

@Suite("rerenderctl explain")
struct ExplainCommandTests {
    @Test("issue writes a view as Markdown, with its reasons and writers, and versions")
    func issue() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.wasteful(evaluating: 101)
        let outcome = try await bench.ctl("issue", "Car")
        #expect(outcome.ending == .exited(0) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.output.contains("\n| <code>Cart</code> | 101 | 100 (99%) | "), "\(outcome.output)")
        let why =
            "\n- 90 (89%) <code>ticker.tick</code>\n  - written by <code>Ticker.advance() Shop/Ticker.swift:40</code> (87)\n"
        #expect(outcome.output.contains(why), "\(outcome.output)")
        #expect(outcome.output.contains("\n- wire-app"), "\(outcome.output)")
        #expect(outcome.output.contains("\n- rerenderctl \(RerenderVersion.current)\n"), "\(outcome.output)")
        let file = bench.path + "/issue.md"
        #expect(try await bench.ctl("issue", "Car", "-o", file, "--process", "\(app.pid)").output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("### "))
        #expect(try await bench.ctl("issue", "nothing-like-it").ending == .exited(64))
    }

    @Test("says of a real process's view what the process said, to people and to programs", .promise)
    func explains() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.wasteful(evaluating: 101)
        let outcome = try await bench.ctl("explain", "Car")
        #expect(outcome.ending == .exited(0) && outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                Cart
                in wire-app[\(app.pid)]/main, Shop/Cart.swift:12

                What happens
                  Its body was evaluated 101 times; 1 live instance.
                  The previous values of 1 instance were dropped to save memory, so its next
                    evaluation is not explained.

                Why
                  90 (89%) ticker.tick
                      written by Ticker.advance() Shop/Ticker.swift:40 (87)
                      written by Ticker.reset() Shop/Ticker.swift:52 (2)
                      written by others (1)
                  10 (9%) parent: Shop
                      began with Shop ← ticker.tick (10)
                   1 (<1%) initial: a new instance appeared

                What it costs
                  Its body took 10.1ms in total and 100µs on average; 95% of evaluations took at
                    most 120µs.
                  90 evaluations (89%) and 9.00ms of that were measured as wasted: same output
                    as before. Another 10 evaluations (9%) and 1.00ms of that were inferred to
                    be wasted.
                  By kind: same output 90 (9.00ms), parent only 10 (1.00ms).

                If a child read it
                  If ticker.tick were read by a child, 11 of 101 evaluations would remain.
                  This is the best case: evaluations that a parent would have caused anyway
                    remain.

                What helps
                  90 evaluations gave the same output as before: read the changing value in the
                    child view that shows it; split the view; or compare its inputs, to skip it
                    when they are equal.

                """)
        let sources = try await bench.ctl("explain", "Cart", "--sources")
        #expect(sources.ending == .exited(0) && sources.errors.isEmpty)
        #expect(
            sources.output == """
                Cart
                in wire-app[\(app.pid)]/main, Shop/Cart.swift:12

                What woke it, of 101 evaluations since the start or the last reset
                  90 (89%) ticker.tick
                      written by Ticker.advance() Shop/Ticker.swift:40 (87)
                      written by Ticker.reset() Shop/Ticker.swift:52 (2)
                  10 (9%) ticker.tick, through Shop
                  1 (<1%) initial

                """)
        let cut = try await bench.ctl("explain", "Cart", "--sources", "--limit", "1")
        #expect(cut.output.hasSuffix("  … 2 more sources with 11 evaluations; --limit 3 shows all\n"), "\(cut.output)")
        let json = try await bench.ctl("explain", "Cart", "--json")
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(json.output.utf8))
        #expect(export.processes.map(\.pid) == [app.pid] && export.processes[0].views.map(\.count) == [101])
        #expect(export.processes[0].views[0].wasted.kinds == [.sameOutput: 90, .parentOnly: 10])
        let table = try await bench.ctl("stats", "--sort", "wasted", environment: ["COLUMNS": "120"])
        #expect(table.output.contains("90 89% ~10 9%"), "\(table.output)")
        #expect(table.output.contains("9.00ms ~1.00ms") && table.output.contains("ticker.tick 89%"), "\(table.output)")
    }

    @Test("without a key, the view that costs most is explained, and where there is none, that is said")
    func costliest() async throws {
        let bench = try await Bench(withDaemon: ())
        let none = try await bench.ctl("explain")
        #expect(none.ending == .exited(64) && none.errors.contains("there is no view to explain yet"), "\(none.errors)")
        let app = try await bench.wasteful(evaluating: 101)
        let outcome = try await bench.ctl("explain")
        #expect(outcome.output.hasPrefix("Cart\nin wire-app[\(app.pid)]/main"), "\(outcome)")
        let other = try await bench.ctl("explain", "--store", "other")
        #expect(other.ending == .exited(64))
    }

    @Test("explains a view of a process that ended, unless a connected one has it")
    func ended() async throws {
        let bench = try await Bench(withDaemon: ())
        let old = try await bench.wasteful(evaluating: 50)
        old.closeInput()
        _ = try await old.wait()
        try await bench.seen("the end") { $0.processes.contains { $0["connected"] as? Bool == false } }
        #expect(try await bench.ctl("explain", "Cart").output.contains("wire-app[\(old.pid)]/main, ended"))
        let new = try await bench.wasteful(evaluating: 60)
        #expect(try await bench.ctl("explain", "Cart").output.contains("wire-app[\(new.pid)]/main, Shop"))
        let chosen = try await bench.ctl("explain", "Cart", "--process", "\(old.pid)")
        #expect(chosen.output.contains("evaluated 50 times"))
    }
}
