// SPDX-License-Identifier: MIT
// Collects what the parts of the library know of the process's main loop, for who sends or exports it.

package import RerenderModel
import Synchronization

/// Asks those who know of the main loop. Any thread; one in a process.
///
/// One store of the process tells of the loop: the one with the lowest number that lives.
package final class LoopLedger: Sendable {
    /// The ledger of this process.
    package static let shared = LoopLedger()

    private struct Providers: Sendable {
        var totals: (@Sendable (WallClock) -> LoopTotals?)?
        var rows: (@Sendable (_ named: Bool) -> [LoopRow])?
        var facts: (@Sendable (_ named: Bool) -> [WidgetFact])?
        var threads: (@Sendable () -> [ThreadTime])?
        var resets: [@Sendable () -> Void] = []
    }

    private let providers = Mutex(Providers())
    /// The number of the store that tells of the loop; the largest before one does.
    private let carrier = Atomic<UInt32>(.max)

    init() {}

    /// Has the loop's account asked. Nil where nothing is known yet.
    func provideTotals(_ read: @escaping @Sendable (WallClock) -> LoopTotals?) {
        providers.withLock { $0.totals = read }
    }

    /// Has the rows asked, in the order of their numbers. Not `named`: without what takes milliseconds to find.
    func provideRows(_ read: @escaping @Sendable (_ named: Bool) -> [LoopRow]) {
        providers.withLock { $0.rows = read }
    }

    /// Has the toolkit's part asked for its facts, each at the same place as before. Not `named`: without what takes milliseconds to find.
    package func provideFacts(_ read: @escaping @Sendable (_ named: Bool) -> [WidgetFact]) {
        providers.withLock { $0.facts = read }
    }

    /// Has the other threads asked for, when the process ends, and when somebody asks the process itself.
    func provideThreads(_ read: @escaping @Sendable () -> [ThreadTime]) {
        providers.withLock { $0.threads = read }
    }

    /// Calls `body` when the store that tells of the loop is reset: all of it is of its epoch.
    package func onReset(_ body: @escaping @Sendable () -> Void) {
        providers.withLock { $0.resets.append(body) }
    }

    /// What is known; nil where no account of the loop is. Takes milliseconds for a function not named before.
    ///
    /// - Parameters:
    ///   - named: Whether functions get their names.
    ///   - isEnding: Whether the other threads are read, too: nothing asks later.
    func loop(_ wallClock: WallClock, named: Bool = true, isEnding: Bool = false) -> LoopStats? {
        // Asked outside of the lock: who is asked may take long.
        let asked = providers.withLock { $0 }
        guard let totals = asked.totals?(wallClock) else { return nil }
        let rows = (asked.rows?(named) ?? []).map { $0.withShare(of: totals) }
        return LoopStats(
            totals, rows: rows, facts: asked.facts?(named) ?? [],
            threads: isEnding ? asked.threads?() ?? [] : [])
    }

    /// Notes which store tells of the loop.
    func setCarrier(_ storeID: UInt32) { carrier.store(storeID, ordering: .relaxed) }

    /// A store was reset: begins anew with all of it, if that is the one that tells of the loop, or none does.
    func storeWasReset(_ storeID: UInt32) {
        let carrier = carrier.load(ordering: .relaxed)
        guard carrier == storeID || carrier == .max else { return }
        let resets = providers.withLock { $0.resets }
        for reset in resets { reset() }
    }
}

extension LoopRow {
    /// With processor time, if samples tell of it: its part of what the thread took in the seconds that were sampled.
    fileprivate func withShare(of totals: LoopTotals) -> LoopRow {
        guard kind == .sampled, numbers.polls > 0 else { return self }
        var row = self
        let part = Double(numbers.count) / Double(numbers.polls)
        row.numbers.processor = UInt64(Double(totals.longestBusy.processor) * min(1, part))
        row.numbers.isShared = 1
        return row
    }
}
