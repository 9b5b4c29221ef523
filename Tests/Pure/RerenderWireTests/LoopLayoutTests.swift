// SPDX-License-Identifier: MIT
// The layout of the main loop's part against the table in its documentation, and the reader against any bytes.

import RerenderModel
import RerenderWire
import TestSupport
import Testing

@Suite("The main loop's part of a flight page")
struct LoopLayoutTests {
    @Test("has each field where the table says, inside and without overlap")
    func layout() {
        let fields: [(name: String, offset: Int, bytes: Int, documented: Int)] = [
            ("monitor", LoopLayout.monitorOffset, 4, 0),
            ("thread", LoopLayout.threadOffset, 4, 4),
            ("hang threshold", LoopLayout.hangThresholdOffset, 4, 8),
            ("micro-hang threshold", LoopLayout.microHangThresholdOffset, 4, 12),
            ("ping sent", LoopLayout.pingSentOffset, 8, 16),
            ("ping answered", LoopLayout.pingAnsweredOffset, 8, 24),
            ("left turn", LoopLayout.leftTurnOffset, 8, 32),
            ("left at", LoopLayout.leftAtOffset, 8, 40),
            ("left check", LoopLayout.leftCheckOffset, 8, 48),
            ("long turns", LoopLayout.longTurnsOffset, 8, 56),
            ("slots", LoopLayout.slotsOffset, 2 * LoopLayout.slotBytes, 64),
            ("not before", LoopLayout.notBeforeOffset, 24, 224),
            ("unseen", LoopLayout.unseenOffset, 8, 248),
            ("others", LoopLayout.othersOffset, 24, 256),
            ("entries", LoopLayout.entriesOffset, LoopLayout.entries * LoopLayout.entryBytes, 320),
            ("keys", LoopLayout.keysOffset, LoopLayout.entries * LoopLayout.keyRecordBytes, 2_880),
            ("ring", LoopLayout.longTurnsStart, LoopLayout.longTurns * LoopLayout.longTurnBytes, 6_464),
        ]
        var end = 0
        for field in fields {
            #expect(field.offset == field.documented, "\(field.name)")
            #expect(field.offset >= end, "\(field.name) overlaps what is before it")
            #expect(field.offset % min(field.bytes, 8) == 0, "\(field.name) is not aligned")
            end = field.offset + field.bytes
        }
        #expect(end == LoopLayout.byteCount)
        #expect(LoopLayout.slotsOffset + 2 * LoopLayout.slotBytes <= LoopLayout.headBytes)
        #expect(LoopLayout.headBytes == 288 && LoopLayout.slotBytes == 80 && LoopLayout.entryBytes == 40)
        #expect(LoopLayout.keyRecordBytes == LoopLayout.keyBytes + 8)
        let shares = LoopLayout.longTurnSharesOffset + WireLimits.sharesPerHang * LoopLayout.longTurnShareBytes
        #expect(shares == LoopLayout.longTurnKeysOffset)
        let keys = LoopLayout.longTurnKeysOffset + (2 + WireLimits.sharesPerHang) * LoopLayout.keyBytes
        #expect(
            keys == LoopLayout.longTurnCheckOffset && LoopLayout.longTurnCheckOffset + 8 <= LoopLayout.longTurnBytes)
    }

    @Test("is behind the stores' part of a page that the kernel maps as a whole")
    func page() {
        #expect(FlightPageLayout.version == 8 && FlightPageLayout.byteCount % 4_096 == 0)
        #expect(FlightPageLayout.namesOffset + 64 * FlightPageLayout.nameBytes <= FlightPageLayout.loopOffset)
        #expect(FlightPageLayout.loopOffset + LoopLayout.byteCount <= FlightPageLayout.byteCount)
    }

    @Test("of zeros has no state, no shares, and no long turns")
    func zeros() throws {
        let page = [UInt8](repeating: 0, count: FlightPageLayout.byteCount)
        #expect(throws: WireError.invalid("the main loop's state")) { try LoopReading(page: page.span.bytes) }
        #expect(try LongTurn.list(in: page.span.bytes, after: 0).isEmpty)
    }

    @Test("that is cut is refused")
    func truncation() throws {
        let page = FakeLoopPart().page
        for count in [0, 1, 100, 255] {
            let head = Array(page[FlightPageLayout.loopOffset...].prefix(count))
            #expect(throws: WireError.truncated) { try LoopReading(head: head.span.bytes) }
        }
        for count in [0, 255, 4_096, 4_352, FlightPageLayout.byteCount - 1] {
            let cut = Array(page.prefix(count))
            #expect(throws: WireError.truncated) { try LoopReading(page: cut.span.bytes) }
            #expect(throws: WireError.truncated) { try TurnShares(page: cut.span.bytes, of: LoopReading()) }
            #expect(throws: WireError.truncated) { try LongTurn.list(in: cut.span.bytes, after: 0) }
        }
    }

    @Test("gives back what was written to it")
    func roundTrip() throws {
        let part = FakeLoopPart.sample
        let page = part.page
        let reading = try LoopReading(page: page.span.bytes)
        #expect(reading == part.reading)
        let shares = try TurnShares(page: page.span.bytes, of: reading)
        #expect(shares.views == part.shares.views && shares.otherNanoseconds == part.shares.otherNanoseconds)
        #expect(shares.turn == reading.turn && shares.until == part.shares.until)
        #expect(try LongTurn.list(in: page.span.bytes, after: 0) == part.longTurns)
        #expect(try LongTurn.list(in: page.span.bytes, after: 2) == Array(part.longTurns.dropFirst(2)))
        #expect(try LongTurn.list(in: page.span.bytes, after: .max).isEmpty)
    }

    @Test("has a state as long as one of the slots is whole, and it is the newer one that is whole")
    func slots() throws {
        var part = FakeLoopPart.sample
        part.older = { $0.turn = 1 }
        var page = part.page
        let newer = FlightPageLayout.loopOffset + LoopLayout.slotsOffset + LoopLayout.slotBytes
        #expect(try LoopReading(page: page.span.bytes).turn == part.reading.turn)
        page[newer + 17] ^= 4
        #expect(try LoopReading(page: page.span.bytes).turn == 1)
        page[newer - 9] ^= 1
        #expect(throws: WireError.invalid("the main loop's state")) { try LoopReading(page: page.span.bytes) }
    }

    @Test("of a pinged loop has a turn from the ping until its answer")
    func ping() throws {
        var part = FakeLoopPart()
        part.reading.monitor = .ping
        part.reading.turn = 5
        (part.pingSentAt, part.pingAnsweredAt) = (1_000, 900)
        var reading = try read(part.page)
        #expect(reading.turn == 6 && reading.turnStartedAt == 1_000 && reading.running == nil)
        #expect(reading.turnSlack == 100, "not before it was known to be free")
        part.reading.turnStartedAt = 1_000
        part.reading.running = FlightView(storeID: 1, index: 2, epoch: 3, key: "")
        part.reading.runningSince = 400
        reading = try read(part.page)
        #expect(reading.turn == 5 && reading.turnStartedAt == 1_000 && reading.runningSince == 1_000)
        part.pingAnsweredAt = 1_000
        reading = try read(part.page)
        #expect(reading.turn == 5 && reading.turnStartedAt == 0 && reading.running == nil)
    }

    @Test("with shares above the time that there was is refused")
    func tooMuch() throws {
        var part = FakeLoopPart.sample
        part.shares.otherNanoseconds = 1_000_000
        let page = part.page
        let reading = try LoopReading(page: page.span.bytes)
        #expect(throws: WireError.invalid("the sum of the shares")) {
            try TurnShares(page: page.span.bytes, of: reading)
        }
        part = .sample
        part.longTurns[1].shares[0].nanoseconds = part.longTurns[1].endedAt - part.longTurns[1].startedAt + 1
        let wrong = part.page
        #expect(try LongTurn.list(in: wrong.span.bytes, after: 0).map(\.number) == [1, 3])
    }

    @Test("tells of slices that the reading does not know without adding to them")
    func newerTable() throws {
        let part = FakeLoopPart.sample
        let page = part.page
        var reading = try LoopReading(page: page.span.bytes)
        let shares = try TurnShares(page: page.span.bytes, of: reading)
        let now = reading.runningSince + 500
        let running = shares.views(at: now, of: reading)
        #expect(running.first?.view.key == "Cart" && running.first?.nanoseconds == 700)
        reading.runningSince -= 10
        #expect(shares.views(at: now, of: reading).map(\.nanoseconds).max() == 200)
        #expect(shares.views(at: reading.turnStartedAt + 50, of: reading).map(\.nanoseconds) == [20])
        #expect(shares.views(at: 0, of: reading).isEmpty)
        reading.turn += 1
        #expect(shares.views(at: now, of: reading).isEmpty)
    }

    @Test("with any bit wrong gives what is right, or less, or nothing", arguments: 0..<8)
    func singleBits(seed: UInt64) throws {
        let part = FakeLoopPart.sample
        let page = part.page
        let covered =
            FlightPageLayout.loopOffset
            + LoopLayout
            .slotsOffset..<FlightPageLayout.loopOffset + LoopLayout.byteCount
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<600 {
            var flipped = page
            flipped[Int.random(in: covered, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            var reading = try? LoopReading(page: flipped.span.bytes)
            // Both slots say the same here. A wrong key is no key, and a wrong count none.
            if reading?.unseen == 0 { reading?.unseen = part.reading.unseen }
            #expect(reading.map(withoutKeys) == withoutKeys(part.reading))
            let shares = try? reading.map { try TurnShares(page: flipped.span.bytes, of: $0) }
            for share in shares?.views ?? [] {
                let known = part.shares.views.contains {
                    $0.view.isSame(as: share.view) && $0.nanoseconds == share.nanoseconds
                }
                #expect(
                    known && (share.view.key.isEmpty || part.shares.views.contains { $0.view.key == share.view.key }))
            }
            let turns = try LongTurn.list(in: flipped.span.bytes, after: 0)
            #expect(turns.allSatisfy(part.longTurns.contains))
            #expect(turns.count >= part.longTurns.count - 1)
        }
    }

    @Test("of noise, cut anywhere, is never more than it can be", arguments: 0..<8)
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let page = FakeLoopPart.sample.page
        for round in 0..<60 {
            var bytes = round % 2 == 0 ? page : page.map { _ in UInt8.random(in: 0...255, using: &generator) }
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                bytes[Int.random(in: 4_096..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if round % 5 == 4 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator)) }
            expectPossible(bytes)
        }
    }

    @Test("whose checks were made to fit is never more than it can be", arguments: 0..<8)
    func forged(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func word() -> UInt64 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: .max
            case 1: 0
            case 2: .random(in: 0...1_000, using: &generator)
            default: .random(in: 0...(.max), using: &generator)
            }
        }
        func view() -> FlightView {
            let key = String(
                decoding: (0..<48).map { _ in UInt8.random(in: 1...255, using: &generator) }, as: UTF8.self)
            return FlightView(storeID: UInt32(truncatingIfNeeded: word()), index: 7, epoch: 1, key: key)
        }
        for _ in 0..<60 {
            var part = FakeLoopPart()
            part.reading.monitor = .allCases.randomElement(using: &generator) ?? .none
            (part.reading.turn, part.reading.turnStartedAt) = (word(), word())
            (part.reading.running, part.reading.runningSince) = (view(), word())
            (part.pingSentAt, part.pingAnsweredAt) = (word(), word())
            part.reading.threadID = Int32(truncatingIfNeeded: word())
            part.reading.hangThresholdMilliseconds = UInt32(truncatingIfNeeded: word())
            part.shares.views = (0..<6).map { _ in FlightShare(view: view(), nanoseconds: word()) }
            (part.shares.otherNanoseconds, part.shares.until) = (word(), word())
            part.longTurns = (0..<4).map { number in
                var turn = LongTurn()
                (turn.number, turn.startedAt, turn.endedAt) = (UInt64(number + 1), word(), word())
                turn.shares = (0..<8).map { _ in FlightShare(view: view(), nanoseconds: word()) }
                turn.otherNanoseconds = word()
                return turn
            }
            expectPossible(part.page)
        }
    }
}

private func read(_ page: [UInt8]) throws -> LoopReading { try LoopReading(page: page.span.bytes) }

/// What a reader promises, whatever the bytes.
func expectPossible(_ page: [UInt8]) {
    func expectPossible(_ view: FlightView?) { #expect((view?.key.utf8.count ?? 0) <= LoopLayout.keyBytes) }
    if let reading = try? LoopReading(page: page.span.bytes) {
        #expect(reading.threadID >= 0)
        #expect(HangThreshold.allowedMilliseconds.contains(reading.hangThresholdMilliseconds))
        #expect(HangThreshold.allowedMilliseconds.contains(reading.microHangThresholdMilliseconds))
        #expect(reading.running == nil || (reading.turnStartedAt > 0 && reading.runningSince >= reading.turnStartedAt))
        expectPossible(reading.running)
        expectPossible(reading.last)
        if let shares = try? TurnShares(page: page.span.bytes, of: reading) {
            let sum = shares.views.reduce(shares.otherNanoseconds) { $0 + $1.nanoseconds }
            #expect(sum <= shares.until - min(shares.until, reading.turnStartedAt))
            for share in shares.views { expectPossible(share.view) }
            for now in [0, shares.until, reading.runningSince, .max] {
                let views = shares.views(at: now, of: reading).reduce(0) { $0 + $1.nanoseconds }
                #expect(views <= (now > reading.turnStartedAt ? now - reading.turnStartedAt : 0))
            }
        }
    }
    for turn in (try? LongTurn.list(in: page.span.bytes, after: 0)) ?? [] {
        #expect(turn.number > 0 && turn.endedAt >= turn.startedAt)
        #expect(turn.shares.count <= WireLimits.sharesPerHang)
        #expect(turn.shares.reduce(turn.otherNanoseconds) { $0 + $1.nanoseconds } <= turn.endedAt - turn.startedAt)
        for share in turn.shares { expectPossible(share.view) }
        expectPossible(turn.inBody)
        expectPossible(turn.last)
    }
}

private func withoutKeys(_ reading: LoopReading) -> LoopReading {
    var reading = reading
    reading.running?.key = ""
    reading.last?.key = ""
    return reading
}
