// SPDX-License-Identifier: MIT
// A report from a trace against what the app itself says of the same run.

import Foundation
import RerenderModel
@testable import RerenderTrace
import Synchronization
import TestSupport
import TestTraits
import Testing
@testable import TraceSupport

@Suite("Report and export", .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
struct EqualityTests {
    /// What a store told of itself. JSON has moments in milliseconds.
    private static func compareStores(_ traced: ProcessStats, _ truth: ProcessStats) {
        let apart = traced.startedAt.nanoseconds(since: truth.startedAt)
        #expect(abs(apart) <= 1_000_000 && traced.mainLoop == truth.mainLoop, "\(truth.store)")
        #expect(traced.kind != nil, "the store told nothing")
    }

    @Test("of three stores on ten threads all numbers are equal, times included", .promise, arguments: [false, true])
    func counting(hasBuffersOfEachProcess: Bool) async throws {
        let live = Mutex<[ProcessStats]>([])
        var recording = LTTngRecording("com.rerender.*")
        recording.hasBuffersOfEachProcess = hasBuffersOfEachProcess
        // Then only the trace says which process it is of.
        if hasBuffersOfEachProcess { recording.contexts = ["vtid"] }
        let (report, pid) = try await Recording.of(product: "counting", [], recording) { app in
            #expect(try await app.nextLine() == "ready")
            for order in ["run 3000", "nest 50", "write 20", "cascade 10", "passes 8"] { _ = try await app.ask(order) }
            for store in 0..<3 {
                let stats = try await export(of: store, from: app)
                live.withLock { $0.append(stats) }
            }
        } read: {
            (try TraceReport.read(path: $0), $1)
        }
        #expect(report.missing.isEmpty && report.discarded.count == 0 && report.beforeReset == 0)
        #expect(report.unended == 0 && report.unbegun == 0)
        let dial = report.export.processes.flatMap(\.views).first { $0.key == "Dial" }
        #expect(dial?.count == 30 && dial?.passes == 20 && dial?.updates == 10)
        #expect(dial?.reasons.first { $0.reason == "gauge.level" }?.passes == 16)
        #expect(report.export.processes.map(\.store).sorted() == ["detail", "main", "sidebar"])
        for expected in live.withLock({ $0 }) {
            let traced = try #require(report.export.processes.first { $0.store == expected.store })
            #expect(traced.pid == pid && traced.evaluations == expected.evaluations && traced.lost == 0)
            Self.compareStores(traced, expected)
            try #require(traced.views.map(\.key) == expected.views.map(\.key))
            for (view, truth) in zip(traced.views, expected.views) {
                #expect(view.asTraced == truth.asTraced, "\(expected.store) \(truth.key.rawValue)")
            }
        }
    }

    @Test("of the demo all counts are equal, commits, waste and writers included", arguments: ["wasteful", "isolated"])
    func demo(scenario: String) async throws {
        let (report, live) = try await Recording.of(
            product: "rerender-demo",
            [
                "--scenario", scenario, "--ticks", "200", "--rate", "200", "--export",
                Recording.home + "/export.json",
            ]
        ) { directory, _ in
            let file = URL(fileURLWithPath: directory).deletingLastPathComponent().appending(path: "export.json")
            let live = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file))
            return (try TraceReport.read(path: directory), live)
        }
        let (traced, truth) = (
            try #require(report.export.processes.first), try #require(live.processes.first)
        )
        #expect(traced.evaluations == truth.evaluations && traced.lost == 0)
        Self.compareStores(traced, truth)
        #expect(traced.views.map(\.key) == truth.views.map(\.key) && !truth.views.isEmpty)
        for (view, expected) in zip(traced.views, truth.views) {
            #expect(view.count == expected.count && view.commits == expected.commits, "\(expected.key.rawValue)")
            #expect(view.instances == expected.instances, "\(expected.key.rawValue)")
            #expect(view.reasons == expected.reasons, "\(expected.key.rawValue)")
            #expect(view.wasted == expected.wasted, "\(expected.key.rawValue)")
            #expect(view.selfNanoseconds == expected.selfNanoseconds, "\(expected.key.rawValue)")
        }
        let causes = try #require(report.causes.first).causes
        let all = causes.reduce(0) { $0 + $1.evaluations }
        #expect(all == truth.views.reduce(0) { $0 + $1.count })
    }

    @Test("events that were discarded are counted, and the evaluations that are missing for it, view by view")
    func discarded() async throws {
        // What stores tell comes when the uplink's thread has the time: how many events that are is not known.
        var recording = LTTngRecording("com.rerender.BodyEval*", "com.rerender.Write*", "com.rerender.View*")
        recording.subBufferSize = "4K"
        recording.subBuffers = 2
        let live = Mutex<ProcessStats?>(nil)
        let writes = Mutex<UInt64>(0)
        let report = try await Recording.of(product: "counting", [], recording) { app in
            #expect(try await app.nextLine() == "ready")
            _ = try await app.ask("write 5000")
        } last: { app in
            _ = try await app.ask("write 1")
            writes.withLock { $0 = 5_001 }
            let stats = try await export(of: 0, from: app)
            live.withLock { $0 = stats }
        } read: { directory, _ in
            try TraceReport.read(path: directory)
        }
        let truth = try #require(live.withLock { $0 })
        let traced = try #require(report.export.processes.first)
        #expect(report.discarded.count > 0 && report.discarded.uncounted == 0)
        // A beginning and an end of each evaluation, and the writes: what is not in the trace was discarded.
        let emitted = 2 * truth.evaluations + writes.withLock { $0 }
        #expect(report.discarded.count == emitted - (report.events - report.otherEvents))
        for expected in truth.views {
            let view = try #require(traced.views.first { $0.key == expected.key })
            let missing = report.missing.first { $0.key == expected.key }
            let lost = (missing?.before ?? 0) + (missing?.between ?? 0)
            #expect(lost > 0 && view.count + lost == expected.count, "\(expected.key.rawValue)")
        }
        #expect(traced.evaluations == truth.evaluations)
        #expect(traced.lost == report.missing.reduce(0) { $0 + $1.before + $1.between })
    }

    @Test("a reset begins anew, and what was before it is said and not mixed in")
    func reset() async throws {
        let live = Mutex<ProcessStats?>(nil)
        let report = try await Recording.of(product: "counting") { app in
            #expect(try await app.nextLine() == "ready")
            for order in ["run 300", "reset", "nest 5"] { _ = try await app.ask(order) }
            let stats = try await export(of: 0, from: app)
            live.withLock { $0 = stats }
        } read: { directory, _ in
            try TraceReport.read(path: directory)
        }
        let truth = try #require(live.withLock { $0 })
        let traced = try #require(report.export.processes.first { $0.store == "main" })
        #expect(traced.views.map(\.asTraced) == truth.views.map(\.asTraced))
        #expect(report.missing.isEmpty && report.beforeReset > 0)
    }
}
