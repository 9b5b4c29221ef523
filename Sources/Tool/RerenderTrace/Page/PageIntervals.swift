// SPDX-License-Identifier: MIT
// The intervals of a timeline, bounded: where there are too many, neighbours that are short are drawn as one.

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
        package mutating func judge(_ waste: TraceWaste) {
            wasted = waste == .none ? 0 : 1
            inferred = waste == .inferred ? 1 : 0
        }
    }

    /// The intervals, in the order in which they ended until ``finish()``, then in that of their beginnings.
    package private(set) var all: ContiguousArray<Interval> = []
    /// How many were added.
    package private(set) var added: UInt64 = 0
    /// How wide the stretches are within which short ones are together; 0 while each stands alone.
    package private(set) var groupWidth: UInt64 = 0
    private let limit: Int
    private let lanes: Int

    /// Keeps at most `limit` intervals of at most `lanes` lanes.
    package init(limit: Int, lanes: Int) {
        // Less would be put together again and again: one stretch of all lanes has to fit twice.
        self.limit = Swift.max(limit, 2 * lanes, 2)
        self.lanes = lanes
    }

    /// Takes one, and returns whether earlier ones were moved for it; it is the last one then.
    @discardableResult
    package mutating func add(_ interval: Interval) -> Bool {
        let isFull = all.count >= limit
        if isFull { group() }
        all.append(interval)
        added += 1
        return isFull
    }

    /// Corrects whether a single one was wasted.
    mutating func mark(_ place: Int, as waste: TraceWaste) {
        if all[place].count == 1 { all[place].judge(waste) }
    }

    /// How many stand for several.
    package var groups: Int { all.count { $0.count > 1 } }

    /// How many are drawn together with others.
    package var grouped: UInt64 { all.reduce(0) { $0 + ($1.count > 1 ? $1.count : 0) } }

    /// Puts them in the order of their beginnings; those around others come before them.
    package mutating func finish() {
        all.sort { $0.start != $1.start ? $0.start < $1.start : $0.duration > $1.duration }
    }

    /// Halves their number, at least: in stretches as wide as before, and in wider ones if that is not enough.
    private mutating func group() {
        guard let first = all.map(\.start).min(), let last = all.map(\.start).max() else { return }
        let span = UInt64(bitPattern: last &- first)
        if groupWidth == 0 { groupWidth = Swift.max(1, span / UInt64(limit)) }
        merge(since: first)
        while all.count > limit / 2 && groupWidth <= span {
            groupWidth = groupWidth > UInt64.max / 4 ? UInt64.max : groupWidth * 2
            merge(since: first)
        }
        // Only where each is longer than the whole trace, which takes as many threads.
        if all.count > limit / 2 { groupWidth = .max; merge(since: first) }
    }

    private struct Stretch: Hashable {
        let lane: UInt32
        let index: UInt64
    }

    private mutating func merge(since first: Int64) {
        var places: [Stretch: Int] = [:]
        var kept: ContiguousArray<Interval> = []
        for interval in all {
            guard interval.duration < groupWidth else { kept.append(interval); continue }
            let stretch = Stretch(lane: interval.lane, index: UInt64(bitPattern: interval.start &- first) / groupWidth)
            if let place = places[stretch] {
                kept[place].join(interval)
            } else {
                places[stretch] = kept.count
                kept.append(interval)
            }
        }
        all = kept
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
