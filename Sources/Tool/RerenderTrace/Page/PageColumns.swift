// SPDX-License-Identifier: MIT
// The intervals of a page as packed columns of numbers of seven bits a byte. data.js unpacks them.

/// Numbers of seven bits a byte, lowest first, as Base64.
package enum PageColumn: Sendable {
    /// The largest number that JavaScript holds exactly; larger ones are cut to it.
    package static let largest: UInt64 = (1 << 53) - 1

    /// Bytes of a piece: three give four characters, so that pieces of Base64 are one text.
    private static let pieceBytes = 3 << 14

    /// Packs numbers, and hands the bytes on in pieces; all but the last have a multiple of three.
    static func pack(
        _ numbers: some Sequence<UInt64>, to output: (_ bytes: ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pieceBytes + 16)
        for number in numbers {
            Varint.add(Swift.min(number, largest), to: &bytes)
            guard bytes.count >= pieceBytes else { continue }
            try output(bytes[..<pieceBytes])
            bytes.removeFirst(pieceBytes)
        }
        try output(bytes[...])
    }

    package static func pack(_ numbers: some Sequence<UInt64>) -> [UInt8] {
        var bytes: [UInt8] = []
        pack(numbers) { bytes += $0 }
        return bytes
    }

    /// Rising numbers as what each adds to the one before.
    static func steps(_ numbers: some Sequence<UInt64>) -> some Sequence<UInt64> {
        var last: UInt64 = 0
        return numbers.lazy.map { number in
            let number = Swift.max(last, Swift.min(number, largest))
            defer { last = number }
            return number - last
        }
    }
}

/// The intervals of a page as columns.
struct PageColumns {
    /// Takes the bytes of a column, piece by piece.
    typealias Output = (_ bytes: ArraySlice<UInt8>) throws -> Void
    /// A column's name, and what packs it when it is asked for, so that none is held.
    typealias Column = (name: String, write: (Output) throws -> Void)
    private typealias Interval = PageIntervals.Interval

    private let page: ReportPage

    init(_ page: ReportPage) { self.page = page }

    var all: [Column] {
        let (evaluations, turns, writes) = (page.evaluations, page.turns, page.writes)
        return [
            starts("start", evaluations), column("duration", evaluations, { $0.duration }),
            column("body", evaluations, { $0.amount }), column("view", evaluations, { $0.lane }),
            column("thread", evaluations, { $0.thread }), column("depth", evaluations, { $0.depth }),
            column("reason", evaluations, { $0.reason }), column("wasted", evaluations, { $0.wasted }),
            column("inferred", evaluations, { $0.inferred }),
            column("count", evaluations, { $0.count }), column("inner", evaluations, { $0.inner }),
            column("writtenBy", evaluations, { $0.writer }), starts("turnStart", turns),
            column("turnDuration", turns, { $0.duration }), column("turnProcess", turns, { $0.lane }),
            column("turnEvaluations", turns, { $0.amount }), column("turnCount", turns, { $0.count }),
            starts("writeStart", writes), column("writeDuration", writes, { $0.duration }),
            column("writeProcess", writes, { $0.lane }), column("writeViews", writes, { $0.amount }),
            column("writeName", writes, { $0.reason }), column("writeWriter", writes, { $0.writer }),
            column("writeCount", writes, { $0.count }),
        ]
    }

    private func starts(_ name: String, _ intervals: PackedIntervals) -> Column {
        let origin = page.origin
        return (
            name,
            {
                try PageColumn.pack(
                    PageColumn.steps(intervals.lazy.map { UInt64(clamping: $0.start &- origin) }), to: $0)
            }
        )
    }

    private func column(
        _ name: String, _ intervals: PackedIntervals, _ field: @escaping (Interval) -> some BinaryInteger
    ) -> Column {
        (name, { try PageColumn.pack(intervals.lazy.map { UInt64(field($0)) }, to: $0) })
    }
}

/// Numbers in as few bytes as they need: seven bits a byte, lowest first; all bytes but a number's last have the highest bit.
enum Varint {
    @inline(__always)
    static func add(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Takes the number that begins at a place, and goes on behind it.
    @inline(__always)
    static func take(_ bytes: [UInt8], _ place: inout Int) -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while true {
            let byte = bytes[place]
            place += 1
            number |= UInt64(byte & 127) << shift
            guard byte > 127 else { return number }
            shift += 7
        }
    }
}
