// SPDX-License-Identifier: MIT
// A flight page of values and a clock, for what watches pages.

import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport

@testable import RerenderDaemon

/// A page of values.
final class ValuePage: PageSource {
    var current: LoopReading? = LoopReading()
    var records: [LongTurn] = []
    var asked = 0
    var origin: UInt64

    init(origin: UInt64 = 1) { self.origin = origin }

    func reading() -> LoopReading? {
        asked += 1
        return current
    }

    func shares() -> TurnShares? { nil }
    func longTurns(after number: UInt64) -> [LongTurn] { records.filter { $0.number > number } }
}

extension OpenPage {
    /// A page that is not read.
    static func blank() throws -> OpenPage { try shared.get() }

    private static let shared = Result {
        let page = try HeldPage.mapped([])
        return try withExtendedLifetime(page) { try OpenPage(Descriptor(owning: dup(page.file))) }
    }
}

/// A monotonic clock that stands still until a test moves it.
final class TestClock {
    /// In nanoseconds.
    var now: UInt64 = 1_000_000_000_000

    /// The same for what is written with SwiftNIO's clock.
    var deadline: NIODeadline { .uptimeNanoseconds(now) }

    func pass(_ time: TimeAmount) { now += UInt64(time.nanoseconds) }
}

extension [WatchdogThread.Message] {
    /// What detectors said.
    var events: [DetectorEvent] { compactMap { if case .hang(let event) = $0.kind { event } else { nil } } }
    /// Hangs that are over.
    var closed: [SeenHang] { events.closed }
}

extension WatchedProcesses {
    /// Polls, and lets the time pass until the next poll is due; throws if nothing is watched.
    mutating func passTime(_ clock: TestClock, _ messages: inout [WatchdogThread.Message]) throws {
        guard let next = poll(&messages) else { throw NeverHappened(description: "nothing is watched") }
        clock.now = next
    }
}
