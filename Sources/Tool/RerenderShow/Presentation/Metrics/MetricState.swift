// SPDX-License-Identifier: MIT
// What metrics are made of, and go on from: sums by name that only grow, and what was last seen of each store.

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
    /// What was last seen of each store.
    var stores: [StoreReading] = []

    package init() {}

    /// Whether it can be gone on from.
    var isUsable: Bool {
        version == Self.currentVersion && programs.isSound(width: 1) && views.isSound(width: 3)
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
