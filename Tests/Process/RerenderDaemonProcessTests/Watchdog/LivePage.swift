// SPDX-License-Identifier: MIT
import CRerender
import FoundationEssentials
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// A flight page in sealed memory, which is mapped and rewritten as an app's would be.
final class LivePage {
    var page: FakeFlightPage
    var loop = FakeLoopPart()
    /// What the daemon gets.
    let file: CInt
    private var memory: UnsafeMutableRawPointer?

    init(startTicks: UInt64) throws {
        let file = crerender_sealed_memory("test", FlightPageLayout.byteCount)
        let memory = mmap(nil, FlightPageLayout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        try #require(file >= 0 && memory != MAP_FAILED)
        (self.file, self.memory) = (file, memory)
        page = FakeFlightPage(pid: getpid(), startTicks: startTicks)
        loop.reading.monitor = .cfrunloop
        loop.reading.threadID = getpid()
        write()
    }

    /// Unmaps it, as the end of an app does, or its `exec`.
    func leave() {
        if let memory { munmap(memory, FlightPageLayout.byteCount) }
        memory = nil
    }

    deinit {
        leave()
        close(file)
    }

    func write() {
        page.loop = loop
        let bytes = page.bytes
        // The head last, as an app orders it.
        _ = bytes[8_192...].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 8_192) }
        _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, 8_192, 0) }
    }

    func begin(turn: UInt64, agoMilliseconds: UInt64 = 0) {
        loop.reading.turn = turn
        loop.reading.turnStartedAt = Clocks.monotonic - agoMilliseconds * 1_000_000
        write()
    }

    /// Ends the turn now; returns how long it was. Without shares, the body at the threshold has all of it.
    @discardableResult
    func end(_ change: (inout LongTurn) -> Void = { _ in }) -> UInt64 {
        var record = LongTurn()
        loop.reading.longTurns += 1
        record.number = loop.reading.longTurns
        record.turn = loop.reading.turn
        record.startedAt = loop.reading.turnStartedAt
        record.endedAt = Clocks.monotonic
        change(&record)
        if record.shares.isEmpty, let view = record.inBody {
            record.shares = [FlightShare(view: view, nanoseconds: record.endedAt - record.startedAt)]
        }
        loop.longTurns.append(record)
        if loop.longTurns.count > LoopLayout.longTurns { loop.longTurns.removeFirst() }
        loop.reading.turnStartedAt = 0
        loop.reading.running = nil
        write()
        return record.endedAt - record.startedAt
    }
}

extension RunningDaemon {
    func hangs(_ parameters: String = "") throws -> [Hang] {
        try http.get("/v1/hangs" + parameters).json(HangList.self).hangs
    }
}
