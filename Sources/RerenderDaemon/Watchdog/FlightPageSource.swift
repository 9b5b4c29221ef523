// SPDX-License-Identifier: MIT
// A flight page as a file that is read again and again, and may change or vanish at any moment.

internal import Glibc
import RerenderWire

/// One process's flight page, kept open. Nothing is mapped, so that a file that shrinks is a short read and no signal.
final class FlightPageSource: PageSource {
    let file: FileIdentity
    private let descriptor: Descriptor

    /// Opens and checks a page; throws a ``FlightPages/Fault`` if it is not one of that process.
    init(_ process: ProcessIdentity, page: String, in pages: FlightPages) throws(FlightPages.Fault) {
        descriptor = try pages.open(page)
        guard let status = try? descriptor.status() else { throw .unreadable("it cannot be looked at") }
        file = FileIdentity(status)
        let contents = try FlightPages.page(in: descriptor)
        guard contents.startTicks == process.startTicks else { throw .anotherProcess }
    }

    func reading() -> LoopReading? { nil }

    func shares() -> TurnShares? { nil }

    func longTurns(after number: UInt64) -> [LongTurn] { [] }
}
