// SPDX-License-Identifier: MIT
// A flight page, which an app writes while the daemon reads it, and which anybody may have written.

import RerenderModel
package import RerenderWire
import TestSupport

extension FuzzTarget {
    /// The bytes are changes of a page: its place, the word, and whether the check that covers it is made to fit.
    ///
    /// The first byte says how many come before the loop's head is read; the rest come before the whole page is. So the reader has a
    /// head of an earlier moment than the page, as it has of an app that goes on.
    package static let pages = FuzzTarget(
        "pages", longest: 640, head: 2, step: 10,
        reading: { bytes in
            var page = PageUnderTest()
            return try page.check(FuzzBytes(bytes))
        })
}

/// A page that is written between two reads.
package struct PageUnderTest {
    /// What an app writes.
    private static let template: [UInt8] = {
        var page = FakeFlightPage(pid: 4_711, startTicks: 99)
        page.stores = (0..<3).map { (UInt32($0), "store \($0)", UInt32($0), UInt64(100 * $0)) }
        page.loop = .sample
        return page.bytes
    }()

    /// What the page says now.
    private var bytes = Self.template

    /// What a reader gets of it, in memory that is no longer: the page may have been cut off.
    package var read: [UInt8] { length == bytes.count ? bytes : Array(bytes[..<length]) }

    private var length = FlightPageLayout.byteCount

    /// What an app wrote.
    package init() {}

    /// Whether the page can be read, or its loop's head, now or when it was half written.
    mutating func check(_ input: FuzzBytes) throws -> Bool {
        var input = input
        let before = Int(input.byte())
        let after = UInt64(input.byte())
        for _ in 0..<before where !input.isEmpty { change(&input) }
        let headRead = head
        while !input.isEmpty { change(&input) }
        let page = read
        let isPage = try stores(page)
        if let headRead { try shares(page, of: headRead, with: headRead.turnStartedAt &+ 1 << (after & 63)) }
        let current = head
        if let current { try shares(page, of: current, with: current.turnStartedAt &+ after) }
        try longTurns(page, after: after)
        return isPage || headRead != nil || current != nil
    }

    // MARK: Writing

    /// Writes a word at a place, which the next ten bytes tell.
    package mutating func change(_ input: inout FuzzBytes) {
        let place = input.short()
        let word = input.word()
        let at = (place & 0x7FFF) % (FlightPageLayout.byteCount - 7)
        // In the page's last part nothing is read.
        if at > FlightPageLayout.byteCount - 64 { length = Int(word % UInt64(FlightPageLayout.byteCount + 1)) }
        put(word, at: at - FlightPageLayout.loopOffset)
        if place & 0x8000 != 0 { repair(at - FlightPageLayout.loopOffset) }
    }

    /// Makes the check of a place in the loop's part fit.
    private mutating func repair(_ offset: Int) {
        switch offset {
        case 32..<56: fit(32..<48)
        case 64..<144: fit(64..<136)
        case 144..<224: fit(144..<216)
        case 224..<248: fit(224..<240)
        case 248..<256: put(word(248) & 0xFFFF_FFFF | ~word(248) << 32, at: 248)
        case 256..<280: fit(256..<272, after: word(152))
        case 320..<2_880:
            let entry = 320 + (offset - 320) / 40 * 40
            fit(entry..<entry + 32, after: word(152))
        case 2_880..<6_464:
            let number = (offset - 2_880) / 56
            fit(2_880 + number * 56..<2_880 + number * 56 + 48, after: word(320 + number * 40))
        case 6_464..<18_752:
            let start = 6_464 + (offset - 6_464) / 768 * 768
            // Otherwise its number does not fit its place, and nothing behind it is read.
            if offset - start < 8 { put(UInt64((start - 6_464) / 768 + 1) + 16 * (word(start) & 0xFF), at: start) }
            fit(start..<start + 744)
            fit(start + 752..<start + 760, after: word(start))
        default: break
        }
    }

    private mutating func fit(_ range: Range<Int>, after first: UInt64? = nil) {
        var check = PageCheck()
        if let first { check.add(first) }
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) { check.add(word(offset)) }
        put(check.value, at: range.upperBound)
    }

    private func word(_ offset: Int) -> UInt64 {
        bytes.withUnsafeBytes {
            UInt64(
                littleEndian: $0.loadUnaligned(fromByteOffset: FlightPageLayout.loopOffset + offset, as: UInt64.self))
        }
    }

    private mutating func put(_ word: UInt64, at offset: Int) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: word.littleEndian, toByteOffset: FlightPageLayout.loopOffset + offset, as: UInt64.self)
        }
    }

    // MARK: Reading

    /// The head, as the watchdog reads it.
    package var head: LoopReading? {
        let start = FlightPageLayout.loopOffset
        guard length >= start + LoopLayout.headBytes else { return nil }
        return try? LoopReading(head: bytes.span.bytes.extracting(start..<start + LoopLayout.headBytes))
    }

    private func stores(_ page: [UInt8]) throws -> Bool {
        guard let found = try? FlightPage(page.span.bytes) else { return false }
        try hold(found.stores.count <= FlightPageLayout.slots, "\(found.stores.count) stores")
        return true
    }

    private func shares(_ page: [UInt8], of reading: LoopReading, with now: UInt64) throws {
        let allowed = HangThreshold.allowedMilliseconds
        try hold(reading.threadID >= 0, "thread \(reading.threadID)")
        try hold(allowed.contains(reading.hangThresholdMilliseconds), "\(reading)")
        try hold(allowed.contains(reading.microHangThresholdMilliseconds), "\(reading)")
        try hold(reading.running == nil || reading.runningSince >= reading.turnStartedAt, "\(reading)")
        try hold(reading.turnSlack <= reading.turnStartedAt, "it began before the machine did: \(reading)")
        guard let shares = try? TurnShares(page: page.span.bytes, of: reading) else { return }
        try hold(shares.views.count <= LoopLayout.entries, "\(shares.views.count) views")
        for view in shares.views { try key(of: view.view) }
        guard reading.turnStartedAt > 0 else { return }
        let all = shares.views.reduce(shares.otherNanoseconds) { $0 &+ $1.nanoseconds }
        try hold(all <= shares.until - reading.turnStartedAt, "more time than there was: \(shares)")
        let shown = shares.views(at: now, of: reading)
        guard now > reading.turnStartedAt, !shown.isEmpty else { return }
        let sum = shown.reduce(0) { $0 &+ $1.nanoseconds }
        let duration = now - reading.turnStartedAt
        try hold(sum <= duration - min(duration, shares.otherNanoseconds), "\(sum) ns of \(duration): \(shares)")
        let order = shown.map(\.nanoseconds)
        // What is left over for a view is less than for those before it.
        try hold(zip(order, order.dropFirst()).allSatisfy { $0 >= $1 }, "not most first: \(order)")
    }

    private func longTurns(_ page: [UInt8], after number: UInt64) throws {
        guard let turns = try? LongTurn.list(in: page.span.bytes, after: number) else { return }
        try hold(turns.count <= LoopLayout.longTurns, "\(turns.count) long turns")
        var last = number
        for turn in turns {
            try hold(turn.number > last, "\(turn.number) follows \(last)")
            last = turn.number
            try hold(turn.endedAt >= turn.startedAt && turn.slack <= turn.startedAt, "\(turn)")
            try hold(turn.shares.count <= WireLimits.sharesPerHang, "\(turn)")
            let (sum, overflows) = turn.shares.reduce((turn.otherNanoseconds, false)) { sum, share in
                let (next, overflows) = sum.0.addingReportingOverflow(share.nanoseconds)
                return (next, sum.1 || overflows)
            }
            try hold(!overflows && sum <= turn.endedAt - turn.startedAt, "more time than it took: \(turn)")
            for share in turn.shares { try key(of: share.view) }
        }
    }

    private func key(of view: FlightView) throws {
        try hold(view.key.utf8.count <= LoopLayout.keyBytes, "a key of \(view.key.utf8.count) bytes")
    }
}
