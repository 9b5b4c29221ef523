// SPDX-License-Identifier: MIT
// The watchdog's source of readings: a flight page that is read again and again, and may change or vanish at any moment.

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
    /// The process has ended, and left its page there.
    func end(_ page: OpenPage)
}

/// One process's flight page, kept open where it is: it may move from a file to memory, and back to another file.
final class FlightPageSource: PageSource {
    let origin: UInt64
    /// Whether the file was made since the machine started.
    let isOfThisBoot: Bool
    private let process: ProcessInstance
    private let place: PagePlace
    private let pages: FlightPages
    private var page: OpenPage
    private var head = [UInt8](repeating: 0, count: LoopLayout.headBytes)
    /// The head that ``latest`` was made of.
    private var latestHead: [UInt8] = []
    private var latest: LoopReading?

    /// A writer that was faster than the reader is seldom so twice.
    private static let attempts = 3

    /// Opens and checks a page; throws a ``FlightPages/Fault`` if it is not one of that process.
    init(_ process: ProcessInstance, place: PagePlace, in pages: FlightPages) throws(FlightPages.Fault) {
        (self.process, self.place, self.pages) = (process, place, pages)
        let (page, contents) = try Self.open(place, of: process, in: pages)
        self.page = page
        guard let status = try? page.status() else { throw .unreadable("it cannot be looked at") }
        isOfThisBoot = Int64(status.st_ctim.tv_sec) >= (Clocks.realTime - Int64(clamping: Clocks.boot)) / 1_000_000_000
        // A page that has moved has the stores that it had before.
        let startedAt = contents.stores.first?.startedAtNanoseconds ?? 0
        origin = startedAt == 0 ? UInt64(status.st_ino) : UInt64(bitPattern: startedAt)
    }

    private static func open(
        _ place: PagePlace, of process: ProcessInstance, in pages: FlightPages
    ) throws(FlightPages.Fault) -> (OpenPage, FlightPage) {
        let page = try pages.open(place)
        let contents = try FlightPages.page(in: page)
        guard contents.startTicks == process.startTicks else { throw .anotherProcess }
        return (page, contents)
    }

    func reading() -> LoopReading? {
        for _ in 0..<Self.attempts {
            guard page.read(into: &head, at: FlightPageLayout.loopOffset) == LoopLayout.headBytes else {
                return nil
            }
            // Most loops wait most of the time, and comparing is cheaper than reading.
            if head == latestHead { return latest }
            // Safe: bytes have no padding, here and below.
            if unsafe LoopReading.isMoved(head: head.span.bytes) {
                guard let page = try? Self.open(place, of: process, in: pages).0 else { return nil }
                self.page = page
                continue
            }
            guard let reading = unsafe try? LoopReading(head: head.span.bytes) else { continue }
            latestHead = head
            latest = reading
            return reading
        }
        return nil
    }

    func end(_ page: OpenPage) { self.page = page }

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
