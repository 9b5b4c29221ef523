// SPDX-License-Identifier: MIT
// What is asked about views and about hangs.

/// Which views are wanted, and in which order.
package struct StatsQuery: Hashable, Sendable {
    package var order = StatsOrder.count
    /// Views in all; nil for every one.
    package var limit: Int?
    /// A pid or the name of a process.
    package var process: String?
    /// A view's key.
    package var key: String?
    /// A part of it; the case of ASCII letters does not matter.
    package var match: String?
    /// How many of the first views are left out.
    package var skip = 0
    /// Whether the last come first.
    package var isReversed = false

    package init(_ order: StatsOrder = .count, limit: Int? = nil, process: String? = nil) {
        (self.order, self.limit, self.process) = (order, limit, process)
    }
}

/// Which hangs are wanted.
package struct HangsQuery: Hashable, Sendable {
    /// A pid or the name of a process.
    package var process: String?
    /// Hangs that ended before are left out.
    package var since: Timestamp?
    /// The newest, at most so many.
    package var limit: Int?

    package init(process: String? = nil, since: Timestamp? = nil, limit: Int? = nil) {
        (self.process, self.since, self.limit) = (process, since, limit)
    }

    /// Whether a hang is of the process, and was not over before the time.
    package func matches(_ hang: Hang) -> Bool {
        if let process, process != "\(hang.pid)", process != hang.process { return false }
        guard let since, !hang.open else { return true }
        return hang.seenUntil >= since
    }
}
