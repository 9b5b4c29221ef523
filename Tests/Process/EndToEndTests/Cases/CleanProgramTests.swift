// SPDX-License-Identifier: MIT
// Programs that look as if something kept them busy for nothing, and have no fault: none is said.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "What is not said of programs without a fault",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct CleanProgramTests {
    private func run(_ name: String, isManaged: Bool = false) async throws -> CaseRun {
        let server = try await XServer(isManaged: isManaged)
        let run = try await CaseRun(
            [try await Fixture.made("public/cases"), name], environment: server.environment)
        withExtendedLifetime(server) {}
        return run
    }

    @Test("An animation that draws another picture each time is busy, with its widget, and no fault", .promise)
    func video() async throws {
        let run = try await run("video")
        let function = try CaseSource("cases.c").function("next_picture")
        #expect(run.marked == [] && run.first.kind == .busy, "\(run.verdict)")
        #expect(
            run.first.text.contains(" frames a second for GtkDrawingArea#video by \(function), "), "\(run.first.text)")
        let frames = try #require(run.loop?.totals.frames)
        #expect(frames.nanoseconds >= QuietStretch.least, "\(frames)")
        #expect((frames.sameFrames + frames.unpainted) * 10 < frames.frames, "\(frames)")
    }

    @Test("A clock with seconds is nothing")
    func clock() async throws {
        let run = try await run("clock")
        #expect(run.first.kind == .nothing && run.calls >= 5, "\(run.verdict)")
    }

    @Test("A text to which lines are added, and that is scrolled to them, has no fault")
    func terminal() async throws {
        let run = try await run("terminal")
        #expect(run.marked == [] && run.calls >= 50, "\(run.verdict)")
    }

    @Test(
        "A text cursor that blinks until it stops by itself is nothing",
        .enabled(if: ChildProcess.path(of: "openbox") != nil, "openbox is not installed"))
    func entry() async throws {
        let run = try await run("entry", isManaged: true)
        #expect(run.first.kind == .nothing, "\(run.verdict)")
        let frames = try #require(run.processes.compactMap(\.frames).first)
        #expect(frames.count >= 10, "it blinked")
    }

    @Test("Another thread that computes is named, and is not the UI")
    func thread() async throws {
        let run = try await run("thread")
        #expect(run.marked == [] && run.first.kind == .busy, "\(run.verdict)")
        #expect(run.first.text.contains("% of a core is in 1 thread \"worker\""), "\(run.first.text)")
        #expect(run.first.text.hasSuffix(": it is not the UI"), "\(run.first.text)")
    }

    // MARK: Without windows

    @Test("A service with a timer is nothing, and its timer's function is counted")
    func service() async throws {
        let run = try await CaseRun([try await Fixture.made("public/service"), "quiet"])
        #expect(run.first.kind == .nothing && run.processes.map(\.kind) == [.loop], "\(run.verdict)")
        let row = try #require(run.loop?.rows.first { $0.name == "look_at_clock()" })
        #expect(row.kind == .timer && row.numbers.count >= 10 && row.numbers.count <= run.calls, "\(row)")
    }

    @Test("A service whose timer computes is busy, with the timer's function and its place")
    func busyService() async throws {
        let run = try await CaseRun([try await Fixture.made("public/service"), "busy"])
        let function = try CaseSource("service.c").function("compute")
        #expect(run.marked == [] && run.first.kind == .busy, "\(run.verdict)")
        #expect(run.first.text.contains("% of the main thread's time in the timer \(function)"), "\(run.first.text)")
    }
}
