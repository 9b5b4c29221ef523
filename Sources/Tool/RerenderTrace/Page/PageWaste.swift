// SPDX-License-Identifier: MIT
// Which evaluations were wasted, as commits tell later: an evaluation's end knows only what its cause shows.

/// Follows each view's sum of wasted evaluations: a commit that changes it speaks of its instance's latest evaluation.
struct PageWaste: Sendable {
    private struct Sum {
        var epoch: UInt32
        var wasted: UInt64
        /// Not where evaluations came before the trace, until a commit tells.
        var isKnown: Bool
    }

    private struct Instance: Hashable {
        let lane: UInt32
        let number: UInt64
    }

    /// Instances whose latest evaluation is remembered; where there are more, all are forgotten, and keep their marks.
    private static let instances = 65_536

    private var sums: [UInt32: Sum] = [:]
    private var latest: [Instance: Int] = [:]

    /// Takes an evaluation that is at `place` among the intervals.
    mutating func evaluated(_ ended: EvaluationEnded, lane: UInt32, at place: Int) {
        var sum = sums[lane] ?? Sum(epoch: ended.epoch, wasted: 0, isKnown: ended.count == 1)
        if sum.epoch != ended.epoch { sum = Sum(epoch: ended.epoch, wasted: 0, isKnown: true) }
        if ended.waste != .none { sum.wasted &+= 1 }
        sums[lane] = sum
        if latest.count >= Self.instances { latest.removeAll(keepingCapacity: true) }
        latest[Instance(lane: lane, number: ended.instance)] = place
    }

    /// Takes a commit; returns which evaluation's mark it changes, and to what.
    mutating func changed(_ change: ViewChanged, lane: UInt32) -> (place: Int, isWasted: Bool)? {
        let wasted = change.wastedKinds.indices.reduce(UInt64(0)) { $0 &+ UInt64(change.wastedKinds[$1]) }
        let before = sums[lane]
        sums[lane] = Sum(epoch: change.epoch, wasted: wasted, isKnown: true)
        guard let before, before.isKnown, before.epoch == change.epoch, before.wasted != wasted,
            let place = latest[Instance(lane: lane, number: change.instance)]
        else { return nil }
        return (place, wasted > before.wasted)
    }

    /// The intervals have moved.
    mutating func forgetPlaces() { latest.removeAll(keepingCapacity: true) }
}
