// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import TestSupport
import Testing

/// Kinds and fields of messages that no app can mean.
private let impossible: [(kind: UInt8, fields: [UInt8])] = [
    (4, [UInt8](repeating: 0, count: 8) + [32, 0, 0, 0]),  // A reason's number over the limit.
    (4, [UInt8](repeating: 0, count: 8) + [0, 0, 0, 9]),  // An attribution.
    (3, [UInt8](repeating: 0, count: 8) + [0x01, 0x04] + [UInt8](repeating: 65, count: 1_025)),  // A key too long.
    (9, [UInt8](repeating: 0, count: 8) + [0, 3, 0, 0]),  // A text for the other writers.
    (9, [UInt8](repeating: 0, count: 8) + [0, 7, 0, 0]),  // A text for the other chains.
    (9, [UInt8](repeating: 0, count: 8) + [0, 8, 0, 0]),  // A slot over the limit.
    (9, [UInt8](repeating: 0, count: 8) + [32, 0, 0, 0]),  // A detail of a reason's number over the limit.
    (9, [UInt8](repeating: 0, count: 8) + [0, 0, 1, 1] + [UInt8](repeating: 65, count: 257)),  // A text too long.
    (15, [UInt8](repeating: 0, count: 8) + [64]),  // A row's number over the limit.
    (15, [UInt8](repeating: 0, count: 9) + [8]),  // The kind of a row.
    (16, [UInt8](repeating: 0, count: 8) + [16]),  // A fact's number over the limit.
    (16, [UInt8](repeating: 0, count: 9) + [4]),  // The kind of a fact.
    (17, [UInt8](repeating: 0, count: 8) + [9]),  // More names of threads than a list has.
    (5, totals(reasons: 34, details: 0, rows: 34 * 17)),  // Too many reasons.
    (5, totals(reasons: 0, details: 265, rows: 2_650)),  // Too many writers and chains.
    (5, totals(reasons: 1, details: 2, rows: 17 + 19)),  // Fewer writers and chains than announced.
    (5, totals(reasons: 0, details: 1, rows: 0) + [0, 8] + [UInt8](repeating: 0, count: 8)),  // A slot over the limit.
    (5, totals(reasons: 0, details: 1, rows: 0) + [32, 0] + [UInt8](repeating: 0, count: 8)),  // A reason over it.
]

/// Totals that are all zero up to the numbers of reasons and details, and as many zeros behind them.
private func totals(reasons: UInt8, details: UInt16, rows: Int) -> [UInt8] {
    let fixed = MemoryLayout<ViewTotals>.size
    return [UInt8](repeating: 0, count: fixed) + [reasons, UInt8(details & 0xFF), UInt8(details >> 8)]
        + [UInt8](repeating: 0, count: rows)
}

@Suite("Hostile bytes on the push socket")
struct WireHostileTests {
    @Test("cut anywhere give a prefix of the messages or an error, and never a wrong message")
    func truncation() {
        let bytes = encoded(samples)
        for count in 0..<bytes.count {
            // The frame as such is not whole: nothing is read yet, and nothing is wrong yet.
            let cut = decoded(Array(bytes[..<count]))
            #expect(cut.messages.isEmpty && cut.error == nil && cut.used == 0, "cut at \(count)")
            // The frame claims to be whole.
            guard count > 4 else { continue }
            var frame = Array(bytes[..<count])
            withUnsafeBytes(of: UInt32(count - 4).littleEndian) { frame.replaceSubrange(0..<4, with: $0) }
            let inner = decoded(frame)
            #expect(inner.messages.elementsEqual(samples.prefix(inner.messages.count)))
            #expect(inner.error == .truncated || inner.messages.count < samples.count)
        }
    }

    @Test("arriving byte by byte are the same messages")
    func dribble() throws {
        var pending: [UInt8] = []
        var messages: [AppMessage] = []
        for byte in encoded(samples) + encoded([.goodbye]) {
            pending.append(byte)
            let result = decoded(pending)
            messages += result.messages
            pending.removeFirst(try #require(result.used))
        }
        #expect(messages == samples + [.goodbye])
        #expect(pending.isEmpty)
    }

    @Test("with an oversized frame are refused before its payload arrives")
    func oversized() {
        let length = UInt32(WireLimits.frameBytes + 1)
        #expect(decoded(withUnsafeBytes(of: length.littleEndian) { Array($0) }).error == .frameTooLong(Int(length)))
        #expect(decoded([0xFF, 0xFF, 0xFF, 0xFF]).error == .frameTooLong(0xFFFF_FFFF))
        let largest = UInt32(WireLimits.frameBytes)
        #expect(decoded(withUnsafeBytes(of: largest.littleEndian) { Array($0) }).error == nil)
    }

    @Test(
        "with a frame of so many bytes are waited for, and with a larger one refused",
        arguments: around(WireLimits.frameBytes))
    func frameLength(bytes: Int) {
        let error = decoded(withUnsafeBytes(of: UInt32(bytes).littleEndian) { Array($0) }).error
        #expect(error == (bytes <= WireLimits.frameBytes ? nil : .frameTooLong(bytes)))
    }

    @Test("with values that cannot be are refused", arguments: impossible)
    func invalid(kind: UInt8, fields: [UInt8]) {
        var writer = WireWriter()
        writer.message(kind: kind) { writer in for byte in fields { writer.integer(byte) } }
        #expect(decoded(writer.bytes).error != nil)
    }

    @Test("that are just possible are read, so that the tests above fail for the reason that they name")
    func justPossible() {
        var writer = WireWriter()
        for fields in [
            totals(reasons: 33, details: 0, rows: 33 * 17), totals(reasons: 0, details: 264, rows: 2_640),
            totals(reasons: 1, details: 2, rows: 17 + 20),
        ] {
            writer.message(kind: 5) { writer in for byte in fields { writer.integer(byte) } }
        }
        writer.message(kind: 9) { writer in
            for byte in [UInt8](repeating: 0, count: 8) + [255, 6, 0, 0] { writer.integer(byte) }
        }
        let result = decoded(writer.bytes)
        #expect(result.error == nil && result.messages.count == 4)
    }

    @Test("with flipped bits never trap and always come to an end", arguments: 0..<32)
    func bitFlips(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = encoded(samples + samples)
        for _ in 0..<400 {
            var flipped = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                flipped[Int.random(in: 0..<flipped.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            if Bool.random(using: &generator) {
                flipped.removeLast(Int.random(in: 0..<flipped.count, using: &generator))
            }
            let result = decoded(flipped)
            #expect(result.error != nil || result.used != nil)
            #expect((result.used ?? 0) <= flipped.count)
        }
    }

    @Test("of pure noise never trap", arguments: 0..<16)
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if bytes.count > 4, Bool.random(using: &generator) { bytes.replaceSubrange(1..<4, with: [0, 0, 0]) }
            _ = decoded(bytes)
            _ = try? FlightPage(bytes.span.bytes)
        }
    }
}

@Suite("The flight page's reader")
struct FlightPageTests {
    private func page(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: FlightPageLayout.byteCount)
        page.put(FlightPageLayout.magic, at: 0)
        page.put(FlightPageLayout.version, at: FlightPageLayout.versionOffset)
        page.put(Int32(4_711), at: FlightPageLayout.pidOffset)
        page.put(UInt64(99), at: FlightPageLayout.startTicksOffset)
        page.put(UInt32(1), at: FlightPageLayout.storesOffset)
        page.put(UInt32(3), at: FlightPageLayout.slotsOffset)
        page.put(UInt32(5), at: FlightPageLayout.slotsOffset + FlightPageLayout.slotEpochOffset)
        page.put(UInt64(10), at: FlightPageLayout.slotsOffset + FlightPageLayout.slotEvaluationsOffset)
        page.put(UInt64(11), at: FlightPageLayout.slotsOffset + FlightPageLayout.slotEvaluationsOffset + 8)
        page.replaceSubrange(FlightPageLayout.namesOffset..<FlightPageLayout.namesOffset + 4, with: "main".utf8)
        change(&page)
        return page
    }

    @Test("reads the counter of the epoch that is current")
    func epochs() throws {
        let odd = page()
        let store = try #require(try FlightPage(odd.span.bytes).stores.first)
        #expect(store.storeID == 3 && store.epoch == 5 && store.evaluations == 11 && store.name == "main")
        let even = page { $0.put(UInt32(6), at: FlightPageLayout.slotsOffset + FlightPageLayout.slotEpochOffset) }
        #expect(try FlightPage(even.span.bytes).stores.first?.evaluations == 10)
    }

    @Test("refuses what is short, no page, of another version, or has too many stores")
    func refusals() {
        let short = Array(page().dropLast())
        #expect(throws: WireError.truncated) { try FlightPage(short.span.bytes) }
        let other = page { $0[0] = 0 }
        #expect(throws: WireError.notRerender) { try FlightPage(other.span.bytes) }
        let newer = page { $0.put(UInt32(9), at: FlightPageLayout.versionOffset) }
        #expect(throws: WireError.versionMismatch(ours: 8, theirs: 9)) { try FlightPage(newer.span.bytes) }
        let older = Array(page { $0.put(UInt32(1), at: FlightPageLayout.versionOffset) }.prefix(4_096))
        #expect(throws: WireError.versionMismatch(ours: 8, theirs: 1)) { try FlightPage(older.span.bytes) }
        let many = page { $0.put(UInt32(65), at: FlightPageLayout.storesOffset) }
        #expect(throws: WireError.invalid("the number of stores")) { try FlightPage(many.span.bytes) }
    }

    @Test("with flipped bits never traps", arguments: 0..<8)
    func bitFlips(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let flipped = page { page in
                for _ in 0..<8 {
                    page[Int.random(in: 0..<page.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
            }
            _ = try? FlightPage(flipped.span.bytes)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func put<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        Swift.withUnsafeBytes(of: value) { replaceSubrange(offset..<offset + $0.count, with: $0) }
    }
}
