// SPDX-License-Identifier: MIT
// Frames of programs that know nothing of Rerender, as their own frame clocks tell of them, and the phases of their hangs.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Frames of GTK 4 and phases of hangs",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct FrameTests {
    private func run(_ steps: String...) async throws -> (run: InjectedRun, frames: FrameStats) {
        try await Fixture.preload()
        let server = try await XServer()
        let program = try await Fixture.made("c/frames")
        let run = try await InjectedRun.run([program] + steps, environment: server.environment)
        withExtendedLifetime(server) {}
        return (run, try #require(run.frames["widgets"]))
    }

    @Test("are as many as the program's own handler of its frame clock saw", .promise)
    func count() async throws {
        let (run, frames) = try await run("draw=0", "handler=0", "tick=0", "measure=0", "draw=0")
        #expect(frames.count == run.truth["frames"] && frames.count > 10)
        // Each draws another colour, but for those that a layout alone led to.
        #expect(try #require(frames.processorNanoseconds) > 0 && frames.same.map { $0 * 2 < frames.count } == true)
    }

    @Test("are seen, and the program lives, after it has left layouts by a jump")
    func jumps() async throws {
        let (run, frames) = try await run("draw=0", "jump=0", "draw=0", "handler=0", "draw=0")
        #expect(frames.count == run.truth["frames"] && frames.count > 15)
    }

    @Test("are seen, and each snapshot that ended is counted, after the program has left snapshots by a jump")
    func droppedSnapshots() async throws {
        let (run, frames) = try await run("draw=0", "drop=0", "draw=0", "catch=0", "draw=0")
        #expect(frames.count == run.truth["frames"] && frames.count > 15)
        let widgets = try #require(run.stores["widgets"])
        // Three that were dropped outside of a frame, and three within the snapshot of the box.
        #expect(widgets["Slow"]?.count == run.truth["snapshots"].map { $0 - 6 })
        #expect(widgets["Catcher"]?.count == run.truth["catches"])
        #expect(widgets["Catcher"]?.reasons["child Slow"].map { $0 > 15 } == true)
        #expect(run.gaps["widgets"]?.first?.hasPrefix("not counted: 6 evaluations that the program left ") == true)
    }

    @Test("are seen, and a snapshot is counted that is drawn again from a deeper function after it was left")
    func drawnAgain() async throws {
        let (run, frames) = try await run("draw=0", "retry=0", "draw=0")
        #expect(frames.count == run.truth["frames"])
        let widgets = try #require(run.stores["widgets"])
        #expect(widgets["Slow"]?.count == run.truth["snapshots"].map { $0 - 3 })
        #expect(widgets["Catcher"]?.count == run.truth["catches"])
        #expect(run.gaps["widgets"]?.first?.hasPrefix("not counted: 3 evaluations that the program left ") == true)
    }

    @Test("have no presentation time on a server that tells none, and are judged by GTK's default interval")
    func presentation() async throws {
        let (run, frames) = try await run("draw=0")
        #expect(frames.presentationNanoseconds == nil && !frames.isIntervalTold)
        #expect(frames.intervalNanoseconds == 16_667_000 && frames.notJudged == 0)
        let said = run.said.split { $0.isWhitespace }.joined(separator: " ")
        #expect(said.contains("over 16.6ms (GTK's default)") && !said.contains("to presentation"))
    }

    @Test(
        "have a presentation time and an interval that sway told, on Wayland",
        .enabled(if: SwayServer.obstacle == nil, "\(SwayServer.obstacle ?? "")"))
    func wayland() async throws {
        try await Fixture.preload()
        let server = try await SwayServer()
        let run = try await InjectedRun.run(
            [try await Fixture.made("c/frames"), "draw=0", "tick=0"], environment: server.environment)
        let frames = try #require(run.frames["widgets"])
        #expect(frames.count == run.truth["frames"] && frames.isIntervalTold)
        // 60 Hz, as the output was set.
        let interval = try #require(frames.intervalNanoseconds)
        #expect(interval > 16_000_000 && interval < 17_000_000)
        #expect(try #require(frames.presentationNanoseconds) > 0)
        let said = run.said.split { $0.isWhitespace }.joined(separator: " ")
        #expect(said.contains("to presentation ") && !said.contains("GTK's default"), "\(said)")
        withExtendedLifetime(server) {}
    }

    @Test("over their interval belong to the widget whose snapshot took the time")
    func snapshot() async throws {
        let (run, frames) = try await run("snapshot=60")
        #expect(frames.snapshotNanoseconds >= 180_000_000 && frames.overInterval >= 3)
        #expect(frames.longestNanoseconds >= 60_000_000)
        let over = try #require(run.stores["widgets"]?["Slow"]?.stats.framesOverInterval)
        #expect((3...3 + stretches(run)).contains(over), "\(over)")
    }

    @Test(
        "have the time of layouts in their layout phase; those over their interval belong to the widget that was laid out"
    )
    func layout() async throws {
        let (run, frames) = try await run("allocate=60")
        #expect(frames.layoutNanoseconds >= 60_000_000)
        let slow = try #require(run.stores["widgets"]?["Slow"]).stats
        let over = try #require(slow.framesOverInterval)
        #expect((1...1 + stretches(run)).contains(over) && slow.framework?.layoutNanoseconds ?? 0 >= 60_000_000)
    }

    @Test("have the time of callbacks of the frame clock in their update phase, which belongs to no widget")
    func update() async throws {
        let (run, frames) = try await run("tick=60")
        #expect(frames.updateNanoseconds >= 180_000_000 && frames.overInterval >= 3)
        let over = run.stores["widgets"]?["Slow"]?.stats.framesOverInterval ?? 0
        #expect(over <= stretches(run), "\(over)")
    }

    /// In how many more frames at most Slow took its time since others had the processor, by the program's own clock.
    private func stretches(_ run: InjectedRun) -> UInt64 { run.truth["stretches"] ?? 0 }

    /// What is slow, and what must be said of the hang.
    private struct Label: CustomTestStringConvertible {
        let step: String
        let phase: HangPhase
        var view: ViewKey?
        var handler: String?
        var testDescription: String { step }
    }

    private static let labels = [
        Label(step: "snapshot", phase: .snapshot, view: "Slow"), Label(step: "measure", phase: .layout, view: "Slow"),
        Label(step: "allocate", phase: .layout, view: "Slow"),
        Label(step: "handler", phase: .handler, view: "GtkButton#save", handler: "clicked"),
        Label(step: "tick", phase: .handler, handler: "frame clock update"),
    ]

    @Test("a hang names the phase, the widget and the handler, and its shares add up", arguments: labels)
    private func hangs(_ label: Label) async throws {
        let (lab, server) = (try await InjectionLab(), try await XServer())
        let program = try await Fixture.made("c/frames")
        let app = try await lab.start([program, "draw=0", "\(label.step)=500", "stay"], server.environment)
        #expect(try await app.nextLine() == "staying")
        func hangs() throws -> [Hang] { try lab.daemon.http.get("/v1/hangs").json(HangList.self).hangs }
        // A busy machine may make others.
        let hang = try await lab.daemon.http.eventually("the hang", seen: { try hangs() }) {
            try hangs().first { hang in
                !hang.open && !hang.guess && hang.durationNanoseconds >= 500_000_000 && hang.phase == label.phase
                    && hang.view == label.view && hang.handler == label.handler
            }
        }
        #expect(hang.share ?? 0 >= 400_000_000)
        let sum = hang.shares.reduce(hang.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds }
        #expect(sum == hang.durationNanoseconds && hang.shares.allSatisfy { $0.phase != .body })
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }
}
