// SPDX-License-Identifier: MIT
// Adds up all views with one key, over all stores of an export.

import RerenderShow

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
        amounts.add(
            Amounts(
                evaluations: view.count, wasted: view.wasted.count, inferred: view.wasted.inferred,
                hangs: view.hangs.ofApp, starvedHangs: view.hangs.count - view.hangs.ofApp))
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
