// SPDX-License-Identifier: MIT
// The watchdog's source of readings: a flight page that is read again and again, and may change at any moment.

internal import Glibc
import RerenderWire

/// The main loop's part of one process's flight page. Used on the watchdog's thread only.
protocol PageSource: AnyObject {
    /// What the page says now; nil if it cannot be read, or not made sense of, this time.
    ///
    /// May be asked a thousand times a second: must not allocate when nothing changed.
    func reading() -> LoopReading?
    /// The table of the turn that runs; nil if it cannot be read.
    func shares() -> TurnShares?
    /// The long turns later than `number` that are still there, in the order of their numbers.
    func longTurns(after number: UInt64) -> [LongTurn]
    /// Tells the program whose page it is from any other that the process was or becomes.
    var origin: UInt64 { get }
}

/// One process's flight page.
final class FlightPageSource: PageSource {
    private let page: OpenPage
    private var head = [UInt8](repeating: 0, count: LoopLayout.headBytes)
    /// The head that ``latest`` was made of.
    private var latestHead: [UInt8] = []
    private var latest: LoopReading?

    /// A writer that was faster than the reader is seldom so twice.
    private static let attempts = 3

    /// Checks a page; throws an ``OpenPage/Fault`` if it is not one of that process.
    init(_ process: ProcessInstance, _ page: OpenPage) throws(OpenPage.Fault) {
        _ = try page.contents(of: process)
        self.page = page
    }

    var origin: UInt64 { page.identity.inode }

    func reading() -> LoopReading? {
        for _ in 0..<Self.attempts {
            guard page.read(into: &head, at: FlightPageLayout.loopOffset) == LoopLayout.headBytes else {
                return nil
            }
            // Most loops wait most of the time, and comparing is cheaper than reading.
            if head == latestHead { return latest }
            // Safe: bytes have no padding.
            guard let reading = unsafe try? LoopReading(head: head.span.bytes) else { continue }
            latestHead = head
            latest = reading
            return reading
        }
        return nil
    }

    func shares() -> TurnShares? {
        guard let latest else { return nil }
        for _ in 0..<Self.attempts {
            // Safe: bytes have no padding.
            guard let page = wholePage() else { return nil }
            if let shares = unsafe try? TurnShares(page: page.span.bytes, of: latest) { return shares }
        }
        return nil
    }

    func longTurns(after number: UInt64) -> [LongTurn] {
        guard let page = wholePage() else { return [] }
        // Safe: bytes have no padding.
        return unsafe (try? LongTurn.list(in: page.span.bytes, after: number)) ?? []
    }

    private func wholePage() -> [UInt8]? {
        guard let bytes = try? page.bytes() else { return nil }
        return bytes.count == FlightPageLayout.byteCount ? bytes : nil
    }
}
