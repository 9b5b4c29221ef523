// SPDX-License-Identifier: MIT
import Testing

@testable import RerenderModel

@Suite("Frames")
struct FrameTotalsTests {
    private func frame(_ milliseconds: UInt64, interval: UInt64 = 16, isTold: Bool = true) -> MeasuredFrame {
        MeasuredFrame(
            update: 1_000_000, layout: 1_000_000, snapshot: 1_000_000, drawing: (milliseconds - 3) * 1_000_000,
            interval: interval * 1_000_000, isIntervalTold: isTold)
    }

    @Test("are over their interval where they took longer, each by its own interval")
    func overInterval() throws {
        var totals = FrameTotals()
        for milliseconds: UInt64 in [4, 16, 17, 40] { totals.add(frame(milliseconds)) }
        totals.add(frame(17, interval: 33))
        let stats = try #require(FrameStats(totals))
        #expect(stats.count == 5 && stats.overInterval == 2 && stats.notJudged == 0)
        #expect(stats.longestNanoseconds == 40_000_000 && stats.intervalNanoseconds == 33_000_000)
    }

    @Test("add up by phase")
    func phases() throws {
        var totals = FrameTotals()
        for milliseconds: UInt64 in [10, 20] { totals.add(frame(milliseconds)) }
        let stats = try #require(FrameStats(totals))
        #expect(
            (stats.updateNanoseconds, stats.layoutNanoseconds, stats.snapshotNanoseconds) == (
                2_000_000, 2_000_000, 2_000_000
            ))
        #expect(stats.drawingNanoseconds == 24_000_000)
    }

    @Test("are not judged without an interval, and what no compositor tells is not known, never 0")
    func unknown() throws {
        var totals = FrameTotals()
        #expect(FrameStats(totals) == nil, "no frame was seen")
        totals.add(frame(400, interval: 0, isTold: false))
        let stats = try #require(FrameStats(totals))
        #expect(stats.overInterval == 0 && stats.notJudged == 1 && stats.intervalNanoseconds == nil)
        #expect(stats.presentationNanoseconds == nil && !stats.isIntervalTold)
        totals.addPresented(nanoseconds: 10)
        totals.addPresented(nanoseconds: 20)
        #expect(FrameStats(totals)?.presentationNanoseconds == 15)
    }
}
