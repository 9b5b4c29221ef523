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

/// A flight page in a daemon's directory, rewritten in place as an app's mapping would be.
final class LivePage {
    let name: String
    let path: String
    var page: FakeFlightPage
    var loop = FakeLoopPart()
    private let file: CInt

    convenience init(_ directory: RuntimeDirectory, startTicks: UInt64) throws {
        let path = directory.flightDirectory + "/\(getpid()).page"
        try self.init(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), path, startTicks)
    }

    /// In sealed memory.
    convenience init(inMemory startTicks: UInt64) throws {
        let file = crerender_sealed_memory("test", FlightPageLayout.byteCount)
        try self.init(file, "/proc/\(getpid())/fd/\(file)", startTicks)
    }

    private init(_ file: CInt, _ path: String, _ startTicks: UInt64) throws {
        try #require(file >= 0)
        (self.file, self.path) = (file, path)
        name = "\(getpid()).page"
        page = FakeFlightPage(pid: getpid(), startTicks: startTicks)
        loop.reading.monitor = .cfrunloop
        loop.reading.threadID = getpid()
        write()
    }

    /// Where the daemon finds it.
    var offer: MemoryOffer { MemoryOffer(thread: getpid(), descriptor: file) }

    /// Goes on where another page has come to, which then says that the page is elsewhere.
    func takeOver(from other: LivePage) {
        (page, loop) = (other.page, other.loop)
        page.isMoved = false
        write()
        other.page.isMoved = true
        other.write()
    }

    deinit { close(file) }

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

    func truncate(to size: Int) { _ = ftruncate(file, off_t(size)) }
}

extension RunningDaemon {
    func hangs(_ parameters: String = "") throws -> [Hang] {
        try http.get("/v1/hangs" + parameters).json(HangList.self).hangs
    }
}
