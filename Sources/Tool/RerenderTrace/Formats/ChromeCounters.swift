// SPDX-License-Identifier: MIT
// Counters of processes in Chrome's trace event format.

/// Counts the wasted evaluations of processes, as far as is known by now. Bounded.
struct ChromeCounters {
    private var wasted: [Int32: (count: Int64, told: Int64)] = [:]

    /// Counts an evaluation whose waste is another one than was known.
    mutating func count(_ pid: Int32, from known: TraceWaste, to waste: TraceWaste) {
        let change: Int64 = (waste == .none ? 0 : 1) - (known == .none ? 0 : 1)
        guard change != 0, wasted.count < TraceLimits.processes || wasted[pid] != nil else { return }
        wasted[pid, default: (0, 0)].count += change
    }

    /// The number of a process if it is another one than the last time.
    mutating func takeWasted(_ pid: Int32) -> Int64? {
        guard let known = wasted[pid], known.count != known.told else { return nil }
        wasted[pid]?.told = known.count
        return known.count
    }

    /// The processes with a wasted evaluation.
    var processes: [Int32] { wasted.keys.sorted() }
}
