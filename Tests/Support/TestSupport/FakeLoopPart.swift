// SPDX-License-Identifier: MIT
// Writes the main loop's part of a flight page as an app would, from the table in the documentation of ``LoopLayout``.

import RerenderModel
package import RerenderWire

/// The main loop's part of a page, each value as the reader shall find it.
package struct FakeLoopPart: Sendable {
    package var reading = LoopReading()
    package var pingSentAt: UInt64 = 0
    package var pingAnsweredAt: UInt64 = 0
    /// Its views are the entries of the table, at most 64; `until` is that of each.
    package var shares = TurnShares()
    /// At most 16, numbered one after the other; at most 8 shares each.
    package var longTurns: [LongTurn] = []
    /// What the older slot says otherwise.
    package var older: @Sendable (inout LoopReading) -> Void = { _ in }

    package init() {}

    /// A page with nothing else on it.
    package var page: [UInt8] {
        var fake = FakeFlightPage(pid: 4_711, startTicks: 99)
        fake.loop = self
        return fake.bytes
    }

    /// Everything set.
    package static let sample: FakeLoopPart = {
        var part = FakeLoopPart()
        let cart = FlightView(storeID: 1, index: 2, epoch: 3, key: "Cart")
        let total = FlightView(storeID: 1, index: 7, epoch: 3, key: "CartTotal é")
        part.reading.monitor = .glib
        part.reading.threadID = 4_712
        part.reading.hangThresholdMilliseconds = 300
        part.reading.microHangThresholdMilliseconds = 90
        part.reading.turn = 44
        part.reading.turnStartedAt = 10_000
        (part.reading.running, part.reading.runningSince) = (cart, 10_400)
        (part.reading.last, part.reading.lastEndedAt) = (total, 10_300)
        (part.reading.leftTurn, part.reading.leftAt) = (43, 9_000)
        part.reading.longTurns = 3
        part.reading.unseen = 2
        part.reading.evaluations = 5
        part.shares.until = 10_400
        part.shares.views = [
            FlightShare(view: cart, nanoseconds: 200), FlightShare(view: total, nanoseconds: 100),
        ]
        part.shares.otherNanoseconds = 30
        for number in UInt64(1)...3 {
            var turn = LongTurn()
            turn.number = number
            turn.turn = 10 * number
            (turn.startedAt, turn.endedAt) = (1_000 * number, 1_000 * number + 900)
            turn.inBody = number == 2 ? nil : cart
            turn.last = total
            turn.shares = part.shares.views
            turn.otherNanoseconds = 600
            part.longTurns.append(turn)
        }
        return part
    }()

    /// Writes the part into a page.
    func write(to page: inout [UInt8]) {
        var words = Words()
        let loop = reading
        words.put32(LoopLayout.code(of: loop.monitor), UInt32(bitPattern: loop.threadID), at: 0)
        words.put32(loop.hangThresholdMilliseconds, loop.microHangThresholdMilliseconds, at: 8)
        words.put([pingSentAt, pingAnsweredAt], at: 16)
        words.putChecked([loop.leftTurn, loop.leftAt], at: 32)
        words.put([loop.longTurns], at: 56)
        words.put32(loop.unseen, ~loop.unseen, at: 248)
        var olderReading = loop
        older(&olderReading)
        words.putChecked(slot(olderReading, sequence: 8), at: 64)
        words.putChecked(slot(loop, sequence: 9), at: 144)
        words.putChecked([shares.otherNanoseconds, shares.until], seed: loop.turn, at: 256)
        for (entry, share) in shares.views.prefix(64).enumerated() {
            let row = [name(share.view), UInt64(share.view.epoch), share.nanoseconds, shares.until]
            words.putChecked(row, seed: loop.turn, at: 320 + entry * 40)
            words.putChecked(key(share.view), seed: name(share.view), at: 2_880 + entry * 56)
        }
        for turn in longTurns.prefix(16) {
            words.putChecked(record(turn), at: 6_464 + Int((turn.number - 1) % 16) * 768)
        }
        page.replaceSubrange(4_096..<4_096 + words.bytes.count, with: words.bytes)
    }

    private func slot(_ loop: LoopReading, sequence: UInt64) -> [UInt64] {
        [
            sequence, loop.turn, loop.turnStartedAt, name(loop.running), epochs(loop.running, loop.last),
            loop.runningSince, name(loop.last), loop.lastEndedAt, loop.evaluations,
        ]
    }

    private func record(_ turn: LongTurn) -> [UInt64] {
        var row = [turn.number, turn.turn, turn.startedAt, turn.endedAt, name(turn.inBody)]
        row += [epochs(turn.inBody, turn.last), name(turn.last), turn.otherNanoseconds, UInt64(turn.shares.count)]
        for share in turn.shares { row += [name(share.view), UInt64(share.view.epoch), share.nanoseconds] }
        row += [UInt64](repeating: 0, count: 3 * (8 - turn.shares.count))
        for view in [turn.inBody, turn.last] + turn.shares.map(\.view) { row += key(view) }
        return row + [UInt64](repeating: 0, count: 6 * (8 - turn.shares.count))
    }

    private func name(_ view: FlightView?) -> UInt64 {
        view.map { UInt64($0.storeID) << 32 + UInt64($0.index) } ?? .max
    }

    private func epochs(_ low: FlightView?, _ high: FlightView?) -> UInt64 {
        UInt64(low?.epoch ?? 0) + UInt64(high?.epoch ?? 0) << 32
    }

    private func key(_ view: FlightView?) -> [UInt64] {
        let bytes = Array((view?.key ?? "").utf8.prefix(48))
        return (0..<6).map { word in
            (0..<8).reduce(0) { sum, byte in
                let at = word * 8 + byte
                return sum | UInt64(at < bytes.count ? bytes[at] : 0) << UInt64(8 * byte)
            }
        }
    }
}

/// Bytes written word by word.
private struct Words {
    var bytes = [UInt8](repeating: 0, count: 18_752)

    mutating func put(_ words: [UInt64], at offset: Int) {
        for (number, word) in words.enumerated() {
            withUnsafeBytes(of: word) { bytes.replaceSubrange(offset + number * 8..<offset + number * 8 + 8, with: $0) }
        }
    }

    mutating func put32(_ first: UInt32, _ second: UInt32, at offset: Int) {
        put([UInt64(first) + UInt64(second) << 32], at: offset)
    }

    mutating func putChecked(_ words: [UInt64], seed: UInt64? = nil, at offset: Int) {
        var check = PageCheck()
        if let seed { check.add(seed) }
        for word in words { check.add(word) }
        put(words + [check.value], at: offset)
    }
}
