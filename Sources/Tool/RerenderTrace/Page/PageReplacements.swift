// SPDX-License-Identifier: MIT
// Programs that have replaced others under a process's number, as ``ViewTally`` finds them out.

/// Says which store of a number it is.
struct PageReplacements: Sendable {
    private struct Store: Hashable {
        let pid: Int32
        let number: UInt32
    }

    /// Of each lane: its epoch, and whether its first evaluation there is in the trace.
    private var lanes: [(epoch: UInt32, hasFirst: Bool)] = []
    private var counts: [Store: UInt32] = [:]

    /// The store that has the number now.
    @inline(__always)
    func current(_ number: UInt32, of pid: Int32) -> StoreNumber {
        StoreNumber(number: number, replaced: counts.isEmpty ? 0 : counts[Store(pid: pid, number: number)] ?? 0)
    }

    /// Takes an evaluation; true if it is the first one of another store than the lane's, which then is the current one.
    mutating func note(_ ended: EvaluationEnded, lane: UInt32, pid: Int32) -> Bool {
        let lane = Int(lane)
        if lane >= lanes.count {
            lanes.append(
                contentsOf: repeatElement((epoch: ended.epoch, hasFirst: false), count: lane + 1 - lanes.count))
        }
        let isFirst = ended.count == 1 && !ended.storeName.isEmpty
        if isFirst, ended.epoch == lanes[lane].epoch ? lanes[lane].hasFirst : ended.epoch < lanes[lane].epoch {
            // As many as there may be stores: a trace that has more was made to hurt.
            guard counts.count < TraceLimits.stores else { return false }
            counts[Store(pid: pid, number: ended.store), default: 0] += 1
            return true
        }
        if ended.epoch > lanes[lane].epoch { lanes[lane] = (ended.epoch, false) }
        if isFirst, ended.epoch == lanes[lane].epoch { lanes[lane].hasFirst = true }
        return false
    }
}
