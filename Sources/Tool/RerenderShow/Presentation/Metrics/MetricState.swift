// SPDX-License-Identifier: MIT
// The state that metrics go on from: sums by name that only grow, one for all other names, and the last reading of each store.

/// The sums of the metrics, and up to where they have taken in what each store counted.
///
/// The file of the metrics has it in a comment, so that sums and what was taken into them are replaced in one step.
package struct MetricState: Hashable, Codable, Sendable {
    /// The version of what is written.
    static let currentVersion = 1

    var version = Self.currentVersion
    /// When it was made, in nanoseconds since 1970.
    var at: Int64 = 0
    /// By program.
    var programs = MetricGroup<ProgramCounts>(width: 1)
    /// By program, store and view.
    var views = MetricGroup<ViewCounts>(width: 3)
    /// By program: its main loop. Nil in what an older version wrote.
    var loops: MetricGroup<LoopCounts>?
    /// By program, kind and name of a source or handler. Nil as ``loops``.
    var sources: MetricGroup<SourceCounts>?
    /// What was last seen of each store.
    var stores: [StoreReading] = []

    package init() {}

    /// Whether it can be gone on from.
    var isUsable: Bool {
        version == Self.currentVersion && programs.isSound(width: 1) && views.isSound(width: 3)
            && loops?.isSound(width: 1) != false && sources?.isSound(width: 3) != false
    }
}

/// Numbers of a store: evaluations, those dropped, those lost, hangs, nanoseconds in hangs, starved hangs, micro-hangs; the last
/// is not used.
typealias ProgramCounts = SIMD8<UInt64>

extension ProgramCounts {
    init(_ store: ProcessStats) {
        self.init(
            store.evaluations, store.dropped, store.lost, store.hangs.count, store.hangs.totalNanoseconds,
            store.hangs.starved, store.microHangs, 0)
    }

    /// The numbers that every store of a process counts, because they are of its main loop.
    static var ofLoop: SIMDMask<MaskStorage> { [false, false, false, true, true, true, true, true] }
}

/// Numbers of a view: evaluations, nanoseconds of self time, wasted evaluations, their nanoseconds.
typealias ViewCounts = SIMD4<UInt64>

extension ViewCounts {
    /// Where the self time is, by which views are ranked.
    static var selfTime: Int { 1 }

    init(_ view: Stats) {
        self.init(view.count, view.ownNanoseconds, view.wasted.count, view.wasted.nanoseconds)
    }
}

/// Numbers of a main loop: turns, wake-ups, processor time of its thread and of the process.
typealias LoopCounts = SIMD4<UInt64>

/// Numbers of a source or handler: calls, processor time, time by the clock; the last is not used.
typealias SourceCounts = SIMD4<UInt64>

extension LoopCounts {
    /// Where the processor time is by which programs are ranked, and that of sources.
    static var loopTime: Int { 2 }
    static var sourceTime: Int { 1 }

    init(_ totals: LoopTotals) { self.init(totals.turns, totals.wakeups, totals.processor, totals.process) }

    init(_ numbers: LoopRow.Numbers) { self.init(numbers.count, numbers.processor, numbers.wall, 0) }
}

/// What was seen of a store.
struct StoreReading: Hashable, Codable, Sendable {
    /// Tells a store from all others. One that was reset is another one.
    struct Identity: Hashable, Codable, Sendable {
        var pid: Int32
        var number: UInt32
        var startedAt: Int64
        var countedSince: Int64

        init(_ store: ProcessStats) {
            (pid, number) = (store.pid, store.storeNumber)
            startedAt = store.startedAt.nanosecondsSince1970
            countedSince = store.countedSince?.nanosecondsSince1970 ?? startedAt
        }
    }

    var store: Identity
    /// When it was seen last.
    var at: Int64
    var counts: ProgramCounts
    /// The sum over all its views.
    var views: ViewCounts
    /// Views with a place, by the number of their name among those of ``MetricState/views``.
    var named: [Int: ViewCounts]
    /// Its main loop; nil where it has none, and in what an older version wrote.
    var loop: LoopCounts?
    /// The sum over its sources and handlers, and those with a place; nil as ``loop``.
    var rows: SourceCounts?
    var namedRows: [Int: SourceCounts]?
}

extension SIMD where Scalar == UInt64 {
    /// By how much each number is above an earlier one; 0 where it is below.
    func growth(since earlier: Self) -> Self { Swift.pointwiseMax(self, earlier) &- earlier }

    /// The sum; the largest number where it would be larger.
    func clampedSum(_ other: Self) -> Self {
        let sum = self &+ other
        return sum.replacing(with: .max, where: sum .< self)
    }
}

/// Sums that only grow: one for each name that has a place, and one for all others.
///
/// What is added goes to the name if it has a place at that moment, and else to the others. So no sum falls when a name gets or loses
/// its place, and nothing is in two. A name that gets a place begins with 0; one that loses it takes its sum along.
struct MetricGroup<Counts: SIMD & Hashable & Codable & Sendable>: Hashable, Codable, Sendable
where Counts.Scalar == UInt64 {
    /// What stands in the place of each label of all others.
    static var other: String { "other" }

    /// Labels of those with a place, sorted.
    private(set) var names: [[String]] = []
    /// Their sums.
    private(set) var sums: [Counts] = []
    /// The sum of all others.
    private(set) var rest = Counts.zero
    /// The labels of all others.
    let restName: [String]

    /// - Parameter width: How many labels a name has.
    init(width: Int) { restName = Array(repeating: Self.other, count: width) }

    /// Whether what was read hangs together.
    func isSound(width: Int) -> Bool {
        let isWhole = names.count == sums.count && restName == Array(repeating: Self.other, count: width)
        return isWhole && names.count <= MetricLedger.places && names.allSatisfy { $0.count == width && $0 != restName }
            && zip(names, names.dropFirst()).allSatisfy { Self.precedes($0, $1) }
    }

    /// The places of the names.
    var indices: [[String]: Int] {
        Dictionary(zip(names, names.indices)) { first, _ in first }
    }

    /// Gives the places to those that cost most now.
    ///
    /// One with a place loses it only to one that costs a quarter more, so that two that cost about the same do not take turns. Of
    /// those that cost the same, the first by name.
    mutating func choose(_ costs: [[String]: UInt64]) {
        let places = indices
        var ranked: [(name: [String], rank: UInt64, hasPlace: Bool)] = costs.map { name, cost in
            let hasPlace = places[name] != nil
            return (name, hasPlace ? cost.clampedSum(cost / 4) : cost, hasPlace)
        }
        ranked += names.filter { costs[$0] == nil }.map { ($0, 0, true) }
        // Who is called like all others is one of them.
        ranked.removeAll { $0.name == restName }
        ranked.sort {
            if $0.rank != $1.rank { return $0.rank > $1.rank }
            return $0.hasPlace != $1.hasPlace ? $0.hasPlace : Self.precedes($0.name, $1.name)
        }
        let chosen = ranked.prefix(MetricLedger.places).map(\.name).sorted(by: Self.precedes)
        sums = chosen.map { name in places[name].map { sums[$0] } ?? .zero }
        names = chosen
    }

    /// Adds to a name's sum; nil is all others.
    mutating func add(_ growth: Counts, to place: Int?) {
        if let place { sums[place] = sums[place].clampedSum(growth) } else { rest = rest.clampedSum(growth) }
    }

    private static func precedes(_ one: [String], _ other: [String]) -> Bool { one.lexicographicallyPrecedes(other) }
}
