// SPDX-License-Identifier: MIT
// Hangs added up as they end, so that those that are not listed any more count as well.

internal import RerenderModel

/// Totals of hangs that a daemon told; bounded by ``TraceLimits/views`` and ``TraceLimits/processes``.
struct HangTotalsByView: Sendable {
    /// A view that hangs of a process are blamed on.
    struct Blamed: Hashable, Sendable {
        let pid: Int32
        let view: TextID
    }

    private var processes: [Int32: HangTotals] = [:]
    /// Those of views; of no view a hang may be.
    private(set) var hangsByView: [Blamed: HangTotals] = [:]
    /// Hangs that found no room.
    private(set) var overflowed: UInt64 = 0

    /// Adds one that counts, when it ends.
    mutating func add(_ hang: HangEvent) {
        guard processes.count < TraceLimits.processes || processes[hang.pid] != nil else { return overflowed += 1 }
        processes[hang.pid, default: HangTotals()].add(hang.durationNanoseconds)
        guard !hang.view.isEmpty else { return }
        let blamed = Blamed(pid: hang.pid, view: hang.view)
        guard hangsByView.count < TraceLimits.views || hangsByView[blamed] != nil else { return overflowed += 1 }
        hangsByView[blamed, default: HangTotals()].add(hang.durationNanoseconds)
    }

    /// All hangs of a process.
    func hangs(of pid: Int32) -> HangTotals { processes[pid] ?? HangTotals() }
}

/// The newest turns over the threshold, of all processes, for a trace without a daemon.
struct LongTurns: Sendable {
    private(set) var newest: [(turn: LongTurn, process: Int)] = []
    /// Turns beyond ``TraceLimits/hangs``.
    private(set) var forgotten: UInt64 = 0

    mutating func add(_ turn: LongTurn, _ process: Int) {
        if newest.count == TraceLimits.hangs {
            newest.removeFirst()
            forgotten += 1
        }
        newest.append((turn, process))
    }
}

extension HangTotals {
    /// Adds a hang that has just ended.
    mutating func add(_ nanoseconds: UInt64) {
        lastNanoseconds = nanoseconds
        count += 1
        worstNanoseconds = max(worstNanoseconds, nanoseconds)
    }
}
