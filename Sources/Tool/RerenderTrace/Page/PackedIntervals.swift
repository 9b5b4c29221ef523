// SPDX-License-Identifier: MIT
// Intervals in few bytes, because a page may have a million of them.

/// Intervals one after the other, each in as few bytes as its numbers need: about ten, where a ``PageIntervals/Interval`` has 80.
///
/// They are read from the first to the last, because each is written as what it differs in from the one before. Blocks of a fixed size hold
/// them, so that nothing is copied as their number grows.
package struct PackedIntervals: Sequence, Sendable {
    package typealias Interval = PageIntervals.Interval

    /// Where an interval is, for ``mark(_:as:)``.
    typealias Place = UInt32

    /// Bytes of a block; a place is the block's number and the offset in it.
    private static let blockBytes = 1 << 16
    /// More than one interval needs: a byte, and twelve numbers of at most ten.
    private static let mostBytes = 128

    /// How many there are.
    package private(set) var count = 0
    /// What the lanes are called when they are read, by the numbers that they had when they were added; empty for these.
    var lanes: [UInt32] = []
    /// Those that are full, and the one that is not.
    private var blocks: [[UInt8]] = []
    private var open: [UInt8] = []
    /// What the next one is compared with.
    private var latest = Self.first

    /// What the first one is compared with.
    private static var first: Interval { Interval(start: 0, duration: 0, lane: 0, amount: 0) }

    package init() {}

    package init(_ intervals: some Sequence<Interval>) {
        for interval in intervals { append(interval) }
    }

    /// Adds one and returns where it is.
    @discardableResult
    mutating func append(_ interval: Interval) -> Place {
        if open.count + Self.mostBytes > Self.blockBytes {
            blocks.append(open)
            open = []
        }
        if open.isEmpty { open.reserveCapacity(blocks.isEmpty ? Self.mostBytes : Self.blockBytes) }
        let place = Place(blocks.count * Self.blockBytes + open.count)
        let form = Form(interval, after: latest)
        open.append(form.rawValue)
        Varint.add(UInt64(zigzag: interval.start &- latest.start), to: &open)
        Varint.add(interval.duration, to: &open)
        Varint.add(UInt64(interval.lane), to: &open)
        Varint.add(interval.amount, to: &open)
        if form.contains(.several) {
            for number in [interval.wasted, interval.inferred, interval.count] { Varint.add(number, to: &open) }
        }
        if form.contains(.detailed) {
            for number in [interval.thread, interval.depth, interval.reason, interval.writer] {
                Varint.add(UInt64(number), to: &open)
            }
        }
        if form.contains(.nesting) { Varint.add(interval.inner, to: &open) }
        count += 1
        latest = interval
        return place
    }

    /// Corrects whether a single one was wasted; leaves what stands for several as it is.
    mutating func mark(_ place: Place, as waste: TraceWaste) {
        let (block, offset) = (Int(place) / Self.blockBytes, Int(place) % Self.blockBytes)
        if block < blocks.count {
            blocks[block][offset] = Form(rawValue: blocks[block][offset]).judged(waste).rawValue
        } else {
            open[offset] = Form(rawValue: open[offset]).judged(waste).rawValue
        }
    }

    /// How many bytes they take.
    var bytes: Int { blocks.reduce(open.count) { $0 + $1.count } }

    /// Takes all out, for a reader that gives their room back as it reads.
    mutating func takeAll() -> Iterator {
        // Sorted or joined, they keep their numbers.
        let (taken, lanes) = (Iterator(blocks + [open], []), lanes)
        self = PackedIntervals()
        self.lanes = lanes
        return taken
    }

    package func makeIterator() -> Iterator { Iterator(blocks + [open], lanes) }

    /// What is written of an interval.
    private struct Form: OptionSet {
        let rawValue: UInt8

        static let wasted = Form(rawValue: 1)
        static let inferred = Form(rawValue: 2)
        /// It stands for several: their numbers follow.
        static let several = Form(rawValue: 4)
        /// Thread, depth, reason and writer follow: one of them is another than before.
        static let detailed = Form(rawValue: 8)
        /// The part that is of bodies in it follows.
        static let nesting = Form(rawValue: 16)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ interval: Interval, after latest: Interval) {
            self = []
            if interval.count != 1 || interval.wasted > 1 || interval.inferred > interval.wasted {
                insert(.several)
            } else if interval.wasted == 1 {
                insert(interval.inferred == 1 ? [.wasted, .inferred] : .wasted)
            }
            if (interval.thread, interval.depth, interval.reason, interval.writer)
                != (latest.thread, latest.depth, latest.reason, latest.writer)
            {
                insert(.detailed)
            }
            if interval.inner != 0 { insert(.nesting) }
        }

        func judged(_ waste: TraceWaste) -> Form {
            guard !contains(.several) else { return self }
            let rest = subtracting([.wasted, .inferred])
            switch waste {
            case .none: return rest
            case .measured: return rest.union(.wasted)
            case .inferred: return rest.union([.wasted, .inferred])
            }
        }
    }

    /// Reads one after the other, and lets go of what was read.
    package struct Iterator: IteratorProtocol {
        private var blocks: [[UInt8]]
        private let lanes: [UInt32]
        private var block = -1
        private var bytes: [UInt8] = []
        private var at = 0
        private var latest = PackedIntervals.first

        fileprivate init(_ blocks: [[UInt8]], _ lanes: [UInt32]) { (self.blocks, self.lanes) = (blocks, lanes) }

        package mutating func next() -> Interval? {
            while at == bytes.count {
                block += 1
                guard block < blocks.count else { return nil }
                (bytes, at) = (blocks[block], 0)
                blocks[block] = []
            }
            let form = Form(rawValue: bytes[at])
            at += 1
            let start = latest.start &+ Int64(zigzag: number())
            let (duration, lane, amount) = (number(), UInt32(number()), number())
            var interval = Interval(start: start, duration: duration, lane: lane, amount: amount)
            interval.wasted = form.contains(.wasted) ? 1 : 0
            interval.inferred = form.contains(.inferred) ? 1 : 0
            if form.contains(.several) {
                (interval.wasted, interval.inferred, interval.count) = (number(), number(), number())
            }
            if form.contains(.detailed) {
                (latest.thread, latest.depth) = (UInt32(number()), UInt32(number()))
                (latest.reason, latest.writer) = (UInt32(number()), UInt32(number()))
            }
            (interval.thread, interval.depth) = (latest.thread, latest.depth)
            (interval.reason, interval.writer) = (latest.reason, latest.writer)
            if form.contains(.nesting) { interval.inner = number() }
            latest = interval
            if !lanes.isEmpty { interval.lane = lanes[Int(lane)] }
            return interval
        }

        private mutating func number() -> UInt64 { Varint.take(bytes, &at) }
    }
}

/// A page's JSON has only how many there are: ``PageColumns`` has the rest.
extension PackedIntervals: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(count)
    }
}

extension PackedIntervals {
    /// Puts them in the order of their beginnings; those around others come before them, and equal ones stay as they are.
    ///
    /// Parts are sorted by themselves and then merged, so that few are unpacked at once.
    mutating func sort() {
        var parts: [PackedIntervals] = []
        var part: [Interval] = []
        var all = takeAll()
        while let interval = all.next() {
            part.append(interval)
            if part.count == Self.sortedAtOnce { parts.append(Self.sorted(&part)) }
        }
        parts.append(Self.sorted(&part))
        part = []
        merge(&parts)
    }

    private static let sortedAtOnce = 1 << 15

    private static func sorted(_ part: inout [Interval]) -> PackedIntervals {
        part.sort { $0.precedes($1) }
        defer { part.removeAll(keepingCapacity: true) }
        return PackedIntervals(part)
    }

    private mutating func merge(_ parts: inout [PackedIntervals]) {
        var readers = parts.indices.map { parts[$0].takeAll() }
        var heads = readers.indices.map { readers[$0].next() }
        while true {
            var least: (place: Int, interval: Interval)?
            for (place, head) in heads.enumerated() {
                // Of equal ones, the first part's.
                if let head, least.map({ head.precedes($0.interval) }) ?? true { least = (place, head) }
            }
            guard let least else { return }
            append(least.interval)
            heads[least.place] = readers[least.place].next()
        }
    }
}

extension PageIntervals.Interval {
    fileprivate func precedes(_ other: Self) -> Bool {
        start != other.start ? start < other.start : duration > other.duration
    }
}

extension UInt64 {
    /// A signed number, so that those near zero are small.
    fileprivate init(zigzag number: Int64) { self = UInt64(bitPattern: (number << 1) ^ (number >> 63)) }
}

extension Int64 {
    fileprivate init(zigzag number: UInt64) { self = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
}
