// SPDX-License-Identifier: MIT
// Brings a flight page over to other memory while threads go on writing it.

import Glibc
import RerenderWire

/// What a page said when its move began: what the new memory holds when it takes the old one's place.
///
/// Until the exchange, threads write to the old memory; from then on to the new one, and the old never changes again. A
/// word of the new one that still has the copy's value was not written since, so it gets what the old one had at the end:
/// the new memory then says what it would say without a move, whatever was half written meanwhile.
///
/// That holds only where nobody writes the copy's own value. So words that threads write and never read have a value in the copy
/// that nobody writes. The others, which threads read meanwhile, begin with what they were: times and numbers that only grow, and
/// keys, which are read together with their check.
struct PageCopy {
    /// "not yet!" in memory.
    private static let placeholder: UInt64 = 0x2174_6579_2074_6F6E
    /// The words that threads write and never read.
    private static let writeOnly: [Range<Int>] = [
        LoopLayout.slotsOffset..<LoopLayout.slotsOffset + 2 * LoopLayout.slotBytes,
        LoopLayout.othersOffset..<LoopLayout.movedOffset,
        LoopLayout.entriesOffset..<LoopLayout.keysOffset,
        LoopLayout.longTurnsStart..<LoopLayout.byteCount,
    ].map { (FlightPageLayout.loopOffset + $0.lowerBound) / 8..<(FlightPageLayout.loopOffset + $0.upperBound) / 8 }
    private static let moved = FlightPageLayout.movedOffset / 8

    /// What the new memory begins with.
    private(set) var words: [UInt64]

    /// Copies a page, as one that is elsewhere: nobody is to read the new memory before it has everything.
    init(of page: AtomicWords) {
        words = (0..<FlightPageLayout.byteCount / 8).map { page.acquire($0) }
        for range in Self.writeOnly {
            for index in range { words[index] = Self.placeholder }
        }
        words[Self.moved] = 1
    }

    /// Writes the copy to a file; false if that cannot be done.
    func write(to file: CInt) -> Bool {
        // Safe: `pwrite` reads the array while it lives.
        unsafe words.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) } == FlightPageLayout.byteCount
    }

    /// Adds what was written to the old memory after it was copied, once nobody writes there any more.
    ///
    /// - Parameter slots: How many slots are in use.
    func bringOver(from old: AtomicWords, to new: AtomicWords, slots: Int) {
        for slot in 0..<slots {
            let start = FlightPageLayout.slotsOffset + slot * FlightPageLayout.slotBytes
            let counts = (start + FlightPageLayout.slotEvaluationsOffset) / 8
            for index in counts..<counts + 2 { new.add(index, old.acquire(index) &- words[index]) }
        }
        let start = FlightPageLayout.loopOffset / 8
        for index in start..<start + LoopLayout.byteCount / 8 where index != Self.moved {
            let latest = old.acquire(index)
            if latest != words[index] { new.replace(index, words[index], with: latest) }
        }
    }
}
