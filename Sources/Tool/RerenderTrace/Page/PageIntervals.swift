// SPDX-License-Identifier: MIT
// The intervals of a timeline, bounded by joining short neighbours, and the histogram of the durations of bodies.

/// Intervals as they come, at most so many; sums over all of them stay exact whatever is put together.
package struct PageIntervals: Sendable {
    /// One interval, or several of one lane that are drawn as one.
    package struct Interval: Hashable, Sendable {
        /// When it began, in nanoseconds of the trace's clock.
        package var start: Int64
        /// How long it took; of several, from the first one's beginning to the last one's end.
        package var duration: UInt64
        /// Which lane it is in.
        package var lane: UInt32
        /// What it holds, summed: body nanoseconds of evaluations, evaluations of turns.
        package var amount: UInt64
        /// How many of them were wasted.
        package var wasted: UInt64 = 0
        /// How many of these are inferred.
        package var inferred: UInt64 = 0
        /// How many there are.
        package var count: UInt64 = 1
        /// Of a single one: its thread, how many others were open around it, its reason.
        package var thread: UInt32 = 0
        package var depth: UInt32 = 0
        package var reason: UInt32 = 0
        /// Of a single write: who wrote; of a single evaluation: who wrote what caused it.
        package var writer: UInt32 = 0
        /// The part of an evaluation's body that is of the bodies in it.
        package var inner: UInt64 = 0

        /// Says whether the only one was wasted.
        mutating func judge(_ waste: TraceWaste) {
            wasted = waste == .none ? 0 : 1
            inferred = waste == .inferred ? 1 : 0
        }
    }

    /// The intervals, in the order in which they ended until ``finish()``, then in that of their beginnings.
    package private(set) var all = PackedIntervals()
    /// How many were added.
    package private(set) var added: UInt64 = 0
    /// How wide the stretches are within which short ones are together; 0 while each stands alone.
    package private(set) var groupWidth: UInt64 = 0
    /// The earliest and the latest beginning.
    private var begins: ClosedRange<Int64>?
    private let limit: Int

    /// Keeps at most `limit` intervals of at most `lanes` lanes.
    package init(limit: Int, lanes: Int) {
        // Less would be put together again and again: one stretch of all lanes has to fit twice.
        self.limit = Swift.max(limit, 2 * lanes, 2)
    }

    /// Takes one, and returns where it is, and whether earlier ones were moved for it.
    @discardableResult
    mutating func add(_ interval: Interval) -> (place: PackedIntervals.Place, moved: Bool) {
        let isFull = all.count >= limit
        if isFull { group() }
        note(interval)
        added += 1
        return (all.append(interval), isFull)
    }

    /// Corrects whether a single one was wasted.
    mutating func mark(_ place: PackedIntervals.Place, as waste: TraceWaste) { all.mark(place, as: waste) }

    /// How many stand for several, and for how many they do.
    var groups: (count: UInt64, members: UInt64) {
        groupWidth == 0 ? (0, 0) : all.reduce((0, 0)) { $1.count > 1 ? ($0.0 + 1, $0.1 + $1.count) : $0 }
    }

    /// Puts them in the order of their beginnings; those around others come before them.
    package mutating func finish() { all.sort() }

    private mutating func note(_ interval: Interval) {
        guard let known = begins else { return begins = interval.start...interval.start }
        begins = Swift.min(known.lowerBound, interval.start)...Swift.max(known.upperBound, interval.start)
    }

    /// Halves their number, at least: in stretches as wide as before, and in wider ones if that is not enough.
    private mutating func group() {
        guard let begins else { return }
        let span = UInt64(bitPattern: begins.upperBound &- begins.lowerBound)
        if groupWidth == 0 { groupWidth = Swift.max(1, span / UInt64(limit)) }
        merge(since: begins.lowerBound)
        while all.count > limit / 2 && groupWidth <= span {
            groupWidth = groupWidth > UInt64.max / 4 ? UInt64.max : groupWidth * 2
            merge(since: begins.lowerBound)
        }
        // Only where each is longer than the whole trace, which takes as many threads.
        if all.count > limit / 2 { groupWidth = .max; merge(since: begins.lowerBound) }
        self.begins = nil
        for interval in all { note(interval) }
    }

    private mutating func merge(since first: Int64) {
        var merger = IntervalMerger(first: first, width: groupWidth)
        var intervals = all.takeAll()
        while let interval = intervals.next() { merger.take(interval) }
        all = merger.finish()
    }
}

/// Puts together those that are short, of one lane, and within one stretch of time. It unpacks only those that others may still join.
///
/// They come in the order in which they, or the first of those in them, ended. So a short one begins at most a stretch before the latest
/// beginning that there was.
private struct IntervalMerger {
    private typealias Interval = PageIntervals.Interval

    private struct Stretch: Hashable {
        let lane: UInt32
        let index: UInt64
    }

    private let first: Int64
    private let width: UInt64
    private var merged = PackedIntervals()
    /// Those that are not in `merged` yet, in their order; nil for the stretch of a long one.
    private var waiting: ContiguousArray<(interval: Interval, stretch: Stretch?)> = []
    /// How many of these are done with, and what number the first of them had.
    private var passed = 0
    private var offset = 0
    /// The numbers of those that wait, by their stretches.
    private var numbers: [Stretch: Int] = [:]
    private var latest: UInt64 = 0

    init(first: Int64, width: UInt64) { (self.first, self.width) = (first, width) }

    mutating func take(_ interval: PageIntervals.Interval) {
        let index = UInt64(bitPattern: interval.start &- first) / width
        latest = max(latest, index)
        if interval.duration >= width {
            waiting.append((interval, nil))
        } else {
            let stretch = Stretch(lane: interval.lane, index: index)
            if let number = numbers[stretch] {
                waiting[number - offset].interval.join(interval)
            } else {
                numbers[stretch] = offset + waiting.count
                waiting.append((interval, stretch))
            }
        }
        let latest = latest
        release { latest > 1 && $0.index < latest - 1 }
    }

    /// All of them, once none comes any more.
    mutating func finish() -> PackedIntervals {
        release { _ in true }
        return merged
    }

    /// Packs the first that wait, as far as nothing joins them any more.
    private mutating func release(where isOver: (Stretch) -> Bool) {
        while passed < waiting.count, waiting[passed].stretch.map(isOver) ?? true {
            merged.append(waiting[passed].interval)
            if let stretch = waiting[passed].stretch { numbers[stretch] = nil }
            passed += 1
        }
        guard passed > 1_024, passed * 2 > waiting.count else { return }
        waiting.removeFirst(passed)
        (offset, passed) = (offset + passed, 0)
    }
}

extension PageIntervals.Interval {
    fileprivate mutating func join(_ other: Self) {
        let end = Swift.max(start &+ Int64(clamping: duration), other.start &+ Int64(clamping: other.duration))
        start = Swift.min(start, other.start)
        duration = UInt64(clamping: end &- start)
        amount &+= other.amount
        inner &+= other.inner
        wasted += other.wasted
        inferred += other.inferred
        count += other.count
        (thread, depth, reason, writer) = (0, 0, 0, 0)
    }
}

/// Counts by duration: 1, 2 and 5 times each power of ten.
package struct PageHistogram: Hashable, Encodable, Sendable {
    /// Where each bucket begins, in nanoseconds; the last has no end.
    package static let bounds: [UInt64] =
        [0]
        + (2...9).flatMap { power in
            let unit = (0..<power).reduce(UInt64(1)) { value, _ in value * 10 }
            return [unit, unit * 2, unit * 5]
        } + [10_000_000_000]

    private var counts: [UInt64] = []

    /// Whether nothing was counted.
    package var isEmpty: Bool { counts.isEmpty }

    /// Counts nothing yet.
    package init() {}

    /// Counts one duration.
    package mutating func count(_ nanoseconds: UInt64) {
        if counts.isEmpty { counts = [UInt64](repeating: 0, count: Self.bounds.count) }
        counts[Self.bucket(of: nanoseconds)] += 1
    }

    /// The counted durations of one bucket.
    package subscript(bucket: Int) -> UInt64 { counts.isEmpty ? 0 : counts[bucket] }

    /// The bucket in which a duration is.
    package static func bucket(of nanoseconds: UInt64) -> Int { bounds.lastIndex { $0 <= nanoseconds } ?? 0 }

    /// Pairs of a bucket and its count, without empty ones.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (bucket, count) in counts.enumerated() where count > 0 {
            try container.encode([UInt64(bucket), count])
        }
    }
}

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
