// SPDX-License-Identifier: MIT
// Reads a flight page again and again; the file may change or vanish at any moment.

internal import Glibc
import RerenderWire

/// One process's flight page, kept open. Nothing is mapped, so that a file that shrinks is a short read and no signal.
final class FlightPageSource: PageSource {
    let file: FileIdentity
    let origin: UInt64
    /// Whether the file was made since the machine started.
    let isOfThisBoot: Bool
    private let descriptor: Descriptor
    private var head = [UInt8](repeating: 0, count: LoopLayout.headBytes)
    /// The head that ``latest`` was made of.
    private var latestHead: [UInt8] = []
    private var latest: LoopReading?

    /// A writer that was faster than the reader is seldom so twice.
    private static let attempts = 3

    /// Opens and checks a page; throws a ``FlightPages/Fault`` if it is not one of that process.
    init(_ process: ProcessInstance, page: String, in pages: FlightPages) throws(FlightPages.Fault) {
        descriptor = try pages.open(page)
        guard let status = try? descriptor.status() else { throw .unreadable("it cannot be looked at") }
        file = FileIdentity(status)
        isOfThisBoot = Int64(status.st_ctim.tv_sec) >= (Clocks.realTime - Int64(clamping: Clocks.boot)) / 1_000_000_000
        let contents = try FlightPages.page(in: descriptor)
        guard contents.startTicks == process.startTicks else { throw .anotherProcess }
        // A page that was made anew has the stores of the old one.
        let startedAt = contents.stores.first?.startedAtNanoseconds ?? 0
        origin = startedAt == 0 ? file.inode : UInt64(bitPattern: startedAt)
    }

    func reading() -> LoopReading? {
        for _ in 0..<Self.attempts {
            guard descriptor.read(into: &head, at: FlightPageLayout.loopOffset) == LoopLayout.headBytes else {
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
        guard let bytes = try? descriptor.read(limit: FlightPageLayout.byteCount) else { return nil }
        return bytes.count == FlightPageLayout.byteCount ? bytes : nil
    }
}
