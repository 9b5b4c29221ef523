// SPDX-License-Identifier: MIT
// Adds up an export by view, and lists what is missing from it.

package import RerenderShow

extension Verdict {
    /// The sentences of faults; empty without faults.
    var costs: [String] { findings.filter(\.kind.isMarked).map(\.readable) }
}

extension Verdict.Finding {
    /// Its sentence, with names as readable as they are now.
    var readable: String { MangledNames.readable(text) }
}

/// The views of all stores of an export, added up by key.
package struct Tally: Sendable {
    package let views: [ViewKey: KeyTally]
    /// Everything together: evaluations that are in no view are in here, and so are hangs that no view is blamed for.
    package let amounts: Amounts
    package let processes: Int
    /// Why the numbers are not all there, each a sentence; empty where they are exact.
    package let gaps: [String]
    /// What goes on without input.
    let quiet: QuietAmounts
    /// What costs most, whatever a budget says.
    package let verdict: Verdict?

    /// - Parameter gaps: What is missing beside what the export itself says.
    package init(_ export: StatsExport, gaps: [String] = []) {
        var views: [ViewKey: KeyTally] = [:]
        var amounts = Amounts()
        for store in export.processes {
            amounts.evaluations = amounts.evaluations.clampedSum(store.evaluations)
            for view in store.views {
                amounts.wasted = amounts.wasted.clampedSum(view.wasted.count)
                amounts.inferred = amounts.inferred.clampedSum(view.wasted.inferred)
                views[view.key, default: KeyTally(key: view.key)].add(view)
            }
        }
        for hangs in Self.hangs(export.processes) {
            var more = Amounts()
            more.take(hangs)
            amounts.add(more)
        }
        quiet = QuietAmounts(export.processes)
        amounts.take(quiet)
        self.views = views
        self.amounts = amounts
        processes = Set(export.processes.map(\.pid)).count
        verdict = export.verdict
        self.gaps = gaps + export.processes.flatMap(Self.gaps)
    }

    /// A hang is one of the process, and each of its stores counts it: the one that counts since longest has them all.
    private static func hangs(_ stores: [ProcessStats]) -> [HangTotals] {
        let processes = Dictionary(grouping: stores) { "\($0.pid) \($0.name)" }.values
        return processes.compactMap { stores in stores.map(\.hangs).max { $0.count < $1.count } }
    }

    /// Views in which something was counted, by key.
    package var seen: [KeyTally] {
        views.values.filter { $0.amounts != Amounts() }.sorted { $0.key < $1.key }
    }

    /// Hangs that no view is blamed for.
    var hangsOfNoView: UInt64 {
        let blamed = views.values.reduce(UInt64(0)) { $0.clampedSum($1.amounts.hangs) }
        return amounts.hangs > blamed ? amounts.hangs - blamed : 0
    }

    private static func gaps(_ store: ProcessStats) -> [String] {
        let name = StoreLabels.full(store)
        var gaps: [String] = []
        func miss(_ count: UInt64, _ why: String) {
            if count > 0 { gaps.append("\(StoreWords(store.kind).events(count)) of \(name) \(why)") }
        }
        miss(store.lost, "LOST: the process ended before it reported them")
        miss(store.dropped, "DROPPED: too many \(StoreWords(store.kind).noun)s in one process")
        let known = store.views.reduce(store.lost.clampedSum(store.dropped)) { $0.clampedSum($1.count) }
        if store.evaluations > known {
            miss(
                store.evaluations - known,
                "not in any view: the export has only some views, or the app was counting meanwhile")
        }
        if !store.enabled { gaps.append("counting is disabled in \(name)") }
        return gaps
    }
}

/// The views of one key added up.
package struct KeyTally: Hashable, Sendable {
    let key: ViewKey
    /// Where its probe is, as `file:line`; empty where that is not known. The first one's, where several differ.
    private(set) var place: String
    private(set) var amounts = Amounts()
    /// The largest of the 95th percentiles of the body times: percentiles cannot be added.
    private(set) var bodyP95Nanoseconds: UInt64 = 0
    private(set) var kinds: [WasteKind: UInt64] = [:]
    private var reasonsByText: [String: ReasonCount] = [:]

    init(key: ViewKey) {
        (self.key, place) = (key, "")
    }

    /// Reasons, the main one first.
    var reasons: [ReasonCount] { reasonsByText.values.sorted(by: ReasonCount.isMain) }

    /// The one with this text.
    func reason(_ text: String) -> ReasonCount? { reasonsByText[text] }

    mutating func add(_ view: Stats) {
        if place.isEmpty, !view.file.isEmpty { place = "\(view.file):\(view.line)" }
        var more = Amounts(evaluations: view.count, wasted: view.wasted.count, inferred: view.wasted.inferred)
        more.take(view.hangs)
        amounts.add(more)
        bodyP95Nanoseconds = max(bodyP95Nanoseconds, view.body.p95Nanoseconds)
        kinds.merge(view.wasted.kinds) { $0.clampedSum($1) }
        for reason in view.reasons {
            if reasonsByText[reason.reason]?.add(reason) == nil { reasonsByText[reason.reason] = reason }
        }
    }
}

extension ReasonCount {
    /// Adds the same reason of another store.
    fileprivate mutating func add(_ other: ReasonCount) {
        count = count.clampedSum(other.count)
        // A sum of observed and guessed reasons is not observed.
        if attribution != other.attribution { attribution = nil }
        writers.add(other.writers, name: \.writer, count: \.count)
        chains.add(other.chains, name: \.chain, count: \.count)
    }
}

extension Array {
    /// Adds the counts of equal names, and sorts: the largest count first, then by name.
    fileprivate mutating func add(
        _ others: [Element], name: KeyPath<Element, String>, count: WritableKeyPath<Element, UInt64>
    ) {
        for other in others {
            if let index = firstIndex(where: { $0[keyPath: name] == other[keyPath: name] }) {
                self[index][keyPath: count] = self[index][keyPath: count].clampedSum(other[keyPath: count])
            } else {
                append(other)
            }
        }
        sort { ($1[keyPath: count], $0[keyPath: name]) < ($0[keyPath: count], $1[keyPath: name]) }
    }
}
