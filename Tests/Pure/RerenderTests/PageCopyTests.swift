// SPDX-License-Identifier: MIT
// The move of a flight page against a page that never moves, with every write at every moment of the move.

import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("A flight page that moves")
struct PageCopyTests {
    /// A page that threads write to, and the same without a move.
    private struct Pages {
        static let count = FlightPageLayout.byteCount / 8
        let still = AtomicWords.allocate(count: count)
        let old = AtomicWords.allocate(count: count)
        let new = AtomicWords.allocate(count: count)
        /// Where threads write to.
        var current: AtomicWords

        init() { current = old }

        func write(_ change: (AtomicWords) -> Void) {
            change(still)
            change(current)
        }

        /// What the kernel does: whoever wrote to the old memory writes to the new one.
        mutating func exchange(for copy: PageCopy) {
            for (index, word) in copy.words.enumerated() { new[index] = word }
            current = new
        }

        /// Words that differ, without the one that says that the page has moved.
        var differences: [Int] {
            (0..<Self.count).filter { $0 != FlightPageLayout.movedOffset / 8 && still[$0] != new[$0] }
        }
    }

    private static let slots = LoopLayout.slotsOffset..<LoopLayout.slotsOffset + 2 * LoopLayout.slotBytes
    private static let entries = LoopLayout.entriesOffset..<LoopLayout.keysOffset
    private static let longTurns = LoopLayout.longTurnsStart..<LoopLayout.byteCount

    @Test(
        "says what it would say without a move, whatever word is written before the copy, after it, or after the exchange",
        arguments: [Self.slots, Self.entries, Self.longTurns, LoopLayout.othersOffset..<LoopLayout.movedOffset])
    func words(range: Range<Int>) {
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<200 {
            var pages = Pages()
            // Few values, so that a word is often written with the value that it had in the copy.
            func write() {
                for _ in 0..<40 {
                    let index = (FlightPageLayout.loopOffset + Int.random(in: range, using: &generator)) / 8
                    let value = UInt64.random(in: 0...2, using: &generator)
                    pages.write { $0.release(index, value) }
                }
            }
            write()
            let copy = PageCopy(of: pages.current)
            write()
            pages.exchange(for: copy)
            write()
            copy.bringOver(from: pages.old, to: pages.new, slots: 0)
            #expect(pages.differences.isEmpty)
            write()
            #expect(pages.differences.isEmpty)
        }
    }

    @Test("keeps the latest of times and numbers that only grow, which its threads also read")
    func growing() {
        let offsets = [LoopLayout.pingSentOffset, LoopLayout.pingAnsweredOffset, LoopLayout.longTurnsOffset]
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<200 {
            var pages = Pages()
            var time: UInt64 = 0
            func write() {
                for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                    time += 1
                    let offset = offsets[Int.random(in: offsets.indices, using: &generator)]
                    pages.write { $0.release((FlightPageLayout.loopOffset + offset) / 8, time) }
                }
            }
            write()
            let copy = PageCopy(of: pages.current)
            write()
            pages.exchange(for: copy)
            write()
            copy.bringOver(from: pages.old, to: pages.new, slots: 0)
            #expect(pages.differences.isEmpty)
        }
    }

    @Test("counts each evaluation once, whenever it is counted")
    func counts() {
        var pages = Pages()
        let slot = (FlightPageLayout.slotsOffset + FlightPageLayout.slotBytes) / 8
        func count(_ evaluations: UInt64) {
            for word in 1...2 { pages.write { $0.add(slot + word, evaluations) } }
        }
        count(1_000)
        let copy = PageCopy(of: pages.current)
        count(100)
        pages.exchange(for: copy)
        count(10)
        copy.bringOver(from: pages.old, to: pages.new, slots: 2)
        count(1)
        #expect(pages.new[slot + 1] == 1_111 && pages.new[slot + 2] == 1_111)
        #expect(pages.differences.isEmpty)
    }

    @Test("says until the end that it is elsewhere")
    func moved() {
        var pages = Pages()
        let moved = FlightPageLayout.movedOffset / 8
        let copy = PageCopy(of: pages.current)
        pages.exchange(for: copy)
        copy.bringOver(from: pages.old, to: pages.new, slots: 0)
        #expect(pages.new[moved] == 1)
    }

    @Test("gives no view the key of another, where a key was begun before the exchange and is read after it")
    func keys() throws {
        var pages = Pages()
        func loop(_ page: AtomicWords) -> LoopPage { LoopPage(page.part(from: FlightPageLayout.loopOffset / 8)) }
        let copy = PageCopy(of: pages.current)
        // The second view takes the first's place in the table, and the turn ends between exchange and repair.
        loop(pages.old).write(key: PageKey("Other"), of: 8, entry: 0)
        for (index, word) in copy.words.enumerated() { pages.new[index] = word }
        loop(pages.new).write(key: PageKey("First"), of: 7, entry: 0)
        pages.current = pages.new
        #expect(loop(pages.new).key(of: 7, entry: 0) != nil)
        #expect(loop(pages.new).key(of: 8, entry: 0) == nil)
    }
}
