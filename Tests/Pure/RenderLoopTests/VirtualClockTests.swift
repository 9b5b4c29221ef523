// SPDX-License-Identifier: MIT
// Virtual time passes, whatever the program does.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct VirtualClockTests {
    @Test func aCalloutThatIsDueAgainAtTheSameMomentIsWarnedOfAndTimePasses() {
        let stage = Stage(Text("a"))
        var calls = 0
        @MainActor func again() {
            calls += 1
            stage.clock.async("again") { again() }
        }
        again()
        #expect(!stage.clock.advance(by: 1_000))
        #expect(stage.clock.now == 1_000)
        #expect(calls > 50 && calls < 1_000)
        #expect(stage.warnings == [.timeStandsStill(at: 0, "again")])
        #expect(stage.warnings.first?.description.contains("\"again\" is due again") == true)
    }

    @Test func aTimerThatComesAgainLaterIsCalledEachTime() {
        let stage = Stage(Text("a"))
        var calls = 0
        @MainActor func again() {
            calls += 1
            stage.clock.timer(after: 1, "again") { again() }
        }
        again()
        #expect(stage.clock.advance(by: 1_000))
        #expect(calls == 1_001)
        #expect(stage.warnings.isEmpty)
    }

    @Test func aLoopThatIsAlwaysLateIsNotStuck() {
        let stage = Stage(Text("a"))
        var frames = 0
        let link = stage.loop.addDisplayLink { _ in
            frames += 1
            stage.clock.spend(50_000_000)
        }
        #expect(stage.clock.advance(by: 10_000_000_000))
        #expect(frames > 100)
        #expect(stage.warnings.isEmpty)
        link.cancel()
    }

    @Test func timeEndsWhereItsNumbersDo() {
        let stage = Stage(Text("a"))
        stage.clock.timer(after: .max, "never") {}
        stage.clock.spend(.max - 10)
        stage.clock.timer(after: .max, "never") {}
        #expect(stage.clock.advance(by: 5))
        #expect(stage.clock.now == UInt64.max - 5)
        var clock = FrameClock(interval: .max)
        #expect(clock.frame(at: .max - 1) == nil)
        #expect(clock.nextDue == .max)
    }
}
