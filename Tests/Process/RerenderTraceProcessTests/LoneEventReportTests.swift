// SPDX-License-Identifier: MIT
// What is reported of a recording that has the beginnings of evaluations alone, or the ends, or some of them.

import Foundation
import RerenderModel
@testable import RerenderTrace
import Synchronization
import TestSupport
import Testing
@testable import TraceSupport

@Suite("Report of lone events", .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
struct LoneEventReportTests {
    private static let orders = ["nest 20", "write 20", "passes 8", "cascade 10"]

    /// The report of an app's recording, as values and as text, and what the app says itself.
    private static func record(
        _ recording: LTTngRecording
    ) async throws -> (report: TraceReport, text: String, truth: ProcessStats) {
        let live = Mutex<ProcessStats?>(nil)
        let (report, text) = try await Recording.of(product: "counting", [], recording) { app in
            #expect(try await app.nextLine() == "ready")
            for order in orders { _ = try await app.ask(order) }
            let stats = try await export(of: 0, from: app)
            live.withLock { $0 = stats }
        } read: { directory, _ in
            let output = try await ChildProcess.run(
                [ChildProcess.product("rerenderctl"), "report", directory])
            #expect(output.exit == .status(0), "\(output)")
            return (try TraceReport.read(path: directory), output.standardOutput)
        }
        return (report, text, try #require(live.withLock { $0 }))
    }

    @Test("of ends alone all numbers are those of the app, but for commits and what they overrule")
    func ends() async throws {
        let (report, text, truth) = try await Self.record(LTTngRecording("com.rerender.BodyEval:end"))
        let traced = try #require(report.export.processes.first)
        #expect(truth.evaluations == 375 && traced.evaluations == truth.evaluations && report.missing.isEmpty)
        #expect(report.unbegun == truth.evaluations && report.unended == 0)
        try #require(traced.views.map(\.key) == truth.views.map(\.key))
        for (view, expected) in zip(traced.views, truth.views) {
            #expect(view.file.isEmpty && view.commits == 0)
            // The app's commits say that each evaluation of this one was wasted, measured.
            guard view.key != "Detail" else {
                #expect(view.count == expected.count && view.wasted.measured == 0)
                continue
            }
            var view = view.asTraced
            (view.file, view.line) = (expected.file, expected.line)
            #expect(view == expected.asTraced, "\(expected.key.rawValue)")
        }
        let note = "375 evaluations have no beginning in the trace: places in the source are only known from beginnings"
        #expect(text.contains("\n\(note)\n") && !text.contains("!"), "\(text)")
    }

    @Test("of beginnings alone one sentence says that no figure has them")
    func beginnings() async throws {
        let (report, text, truth) = try await Self.record(LTTngRecording("com.rerender.BodyEval:begin"))
        #expect(report.unended == truth.evaluations && report.unbegun == 0)
        #expect(report.export.processes.flatMap(\.views).isEmpty && report.missing.isEmpty)
        #expect(text.contains("\n375 evaluations have no end in the trace: no figure includes them\n"), "\(text)")
    }

    @Test("of ends that a filter let through the others are said to be missing, and why")
    func filtered() async throws {
        let (report, text, truth) = try await Self.record(
            LTTngRecording("com.rerender.BodyEval:end", filter: "wasted == 1"))
        let wasted = truth.views.reduce(0) { $0 + $1.wasted.count }
        let traced = try #require(report.export.processes.first)
        #expect(wasted > 20 && traced.views.reduce(0) { $0 + $1.count } > 20)
        for view in traced.views { #expect(view.wasted.count == view.count, "\(view.key.rawValue)") }
        #expect(traced.lost == report.missing.reduce(0) { $0 + $1.before + $1.between } && traced.lost > 0)
        #expect(text.contains("MISSING FROM THE TRACE"), "\(text)")
        #expect(
            text.contains("the tracer discarded none: a filter left them out, or the session was stopped meanwhile"),
            "\(text)")
    }
}
