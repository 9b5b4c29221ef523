// SPDX-License-Identifier: MIT
// What is known of all views of one key, in all stores of an export.

import RerenderModel
import RerenderToolBase

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

    /// Reasons, most frequent first.
    var reasons: [ReasonCount] { reasonsByText.values.sorted(by: ReasonCount.byCount) }

    /// The count of one reason; 0 where it has none.
    func count(of reason: String) -> UInt64 { reasonsByText[reason]?.count ?? 0 }

    /// The one with this text.
    func reason(_ text: String) -> ReasonCount? { reasonsByText[text] }

    mutating func add(_ view: Stats) {
        if place.isEmpty, !view.file.isEmpty { place = "\(view.file):\(view.line)" }
        amounts.add(Amounts(evaluations: view.count, wasted: view.wasted.count, hangs: view.hangs.count))
        bodyP95Nanoseconds = max(bodyP95Nanoseconds, view.body.p95Nanoseconds)
        kinds.merge(view.wasted.kinds) { $0.clampedSum($1) }
        for reason in view.reasons {
            guard var sum = reasonsByText[reason.reason] else {
                reasonsByText[reason.reason] = reason
                continue
            }
            sum.add(reason)
            reasonsByText[reason.reason] = sum
        }
    }
}

extension ReasonCount {
    /// Adds the same reason of another store.
    fileprivate mutating func add(_ other: ReasonCount) {
        count = count.clampedSum(other.count)
        // Facts and guesses together are no fact.
        if attribution != other.attribution { attribution = nil }
        for writer in other.writers {
            if let index = writers.firstIndex(where: { $0.writer == writer.writer }) {
                writers[index].count = writers[index].count.clampedSum(writer.count)
            } else {
                writers.append(writer)
            }
        }
        writers.sort { $0.count != $1.count ? $0.count > $1.count : $0.writer < $1.writer }
        for chain in other.chains {
            if let index = chains.firstIndex(where: { $0.chain == chain.chain }) {
                chains[index].count = chains[index].count.clampedSum(chain.count)
            } else {
                chains.append(chain)
            }
        }
        chains.sort { $0.count != $1.count ? $0.count > $1.count : $0.chain < $1.chain }
    }
}
