// SPDX-License-Identifier: MIT
// Remembers what a daemon knew before a command started, to recognise the command's processes.

import RerenderShow

/// What a daemon knows at one moment, and how much it has forgotten.
struct DaemonMemory: Sendable {
    private let stores: Set<StoreID>
    /// When the daemon started; another one counts anew.
    private let startedAt: Timestamp?
    private let forgotten: UInt64

    /// Asks the daemon.
    init(of session: Session) async throws {
        // First, so that a process dropped in between counts as dropped: a needless warning is better than none.
        let health = await session.health()
        self.init(health, try await session.processes())
    }

    /// - Parameter health: Nil where the daemon did not say.
    init(_ health: HealthReport?, _ stores: [ProcessStats]) {
        self.stores = Set(stores.map(StoreID.init))
        startedAt = health?.startedAt
        forgotten = health?.forgottenProcesses ?? 0
    }

    /// Whether it knew the store.
    func knew(_ store: ProcessStats) -> Bool { stores.contains(StoreID(store)) }

    /// How many processes the daemon dropped since then, apart from those that it knew before.
    ///
    /// - Parameters:
    ///   - health: How the daemon is now.
    ///   - now: All stores that it knows now.
    func forgotten(now health: HealthReport, _ now: [ProcessStats]) -> UInt64 {
        guard health.startedAt == startedAt else { return health.forgottenProcesses }
        let left = Set(now.filter(knew).map(\.pid))
        let gone = Set(stores.map(\.pid)).subtracting(left).count
        let since = health.forgottenProcesses - min(forgotten, health.forgottenProcesses)
        return since - min(since, UInt64(gone))
    }
}

extension RunHost.Harvest {
    /// What may be missing of the command, as sentences.
    package var gaps: [String] {
        let off = isSwitchedOff ? ["Rerender was switched off meanwhile: what was evaluated after that is missing"] : []
        let late =
            off + (isComplete ? [] : ["the daemon was still reading after 5 s: the latest counts may be missing"])
        guard forgotten > 0 else { return late }
        let processes = Counted.text(forgotten, "process", "processes")
        return late + ["the daemon dropped \(processes) that ended meanwhile: some of the command's may be missing"]
    }
}
