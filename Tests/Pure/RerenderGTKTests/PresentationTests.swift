// SPDX-License-Identifier: MIT
// When frames were presented, as a fake clock tells it.

import CRerenderGTK
import Testing

/// What the fake clock knows of its frames, and what it was heard to have said. C functions reach nothing else.
private enum FakeClock {
    nonisolated(unsafe) static var frames: [Int64: crerender_presentation] = [:]
    nonisolated(unsafe) static var asked = 0
    nonisolated(unsafe) static var told: [UInt64] = []

    static let source = crerender_presentation_source(
        ask: { _, counter in
            unsafe asked += 1
            return unsafe frames[counter] ?? crerender_presentation()
        },
        tell: { unsafe told.append($0) })
}

/// Proof of the unsafe parts: the suite is serialized, and a clock is compared as an address alone.
@Suite("Presentation of frames", .serialized)
struct PresentationTests {
    private let clock = unsafe UnsafeRawPointer(bitPattern: 4_096)

    init() {
        unsafe FakeClock.frames = [:]
        unsafe FakeClock.asked = 0
        unsafe FakeClock.told = []
        // Frames of earlier tests are of no use.
        for counter in 0..<Int64(CRERENDER_PRESENTATIONS) {
            unsafe crerender_presentation_note(UnsafeRawPointer(bitPattern: 8), counter, 0)
        }
    }

    private func draw(_ counter: Int64) {
        var source = FakeClock.source
        unsafe crerender_presentation_look(clock, counter, &source)
        unsafe crerender_presentation_note(clock, counter, UInt64(counter) * 1_000)
    }

    private func presented(_ counter: Int64, at time: UInt64, isComplete: Bool = true) {
        unsafe FakeClock.frames[counter] = crerender_presentation(is_kept: true, is_complete: isComplete, at: time)
    }

    @Test("is told once, when the clock knows it, some frames later")
    func later() {
        draw(1)
        presented(1, at: 0, isComplete: false)
        draw(2)
        #expect(unsafe FakeClock.told.isEmpty)
        presented(1, at: 1_700)
        presented(2, at: 0, isComplete: false)
        draw(3)
        draw(4)
        #expect(unsafe FakeClock.told == [700])
    }

    @Test("is not told where no compositor tells the time, and where the clock has forgotten the frame")
    func unknown() {
        draw(1)
        presented(1, at: 0)
        draw(2)
        draw(3)
        #expect(unsafe FakeClock.told.isEmpty)
        let asked = unsafe FakeClock.asked
        draw(4)
        #expect(unsafe FakeClock.asked == asked + 1, "only for frame 3")
    }

    @Test("is asked for in a few frames alone, of a bounded number of frames, and never of another clock's")
    func bounded() {
        for counter in 1...100 as ClosedRange<Int64> {
            presented(counter, at: 0, isComplete: false)
            let before = unsafe FakeClock.asked
            draw(counter)
            #expect(unsafe FakeClock.asked - before <= Int(CRERENDER_PRESENTATIONS))
        }
        // A clock that begins anew, at the same address.
        let before = unsafe FakeClock.asked
        draw(1)
        #expect(unsafe FakeClock.asked == before && FakeClock.told.isEmpty)
    }
}
