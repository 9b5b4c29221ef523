// SPDX-License-Identifier: MIT
// One view as the daemon holds it: names once, numbers in place.

import RerenderModel
import RerenderWire

/// A view's names and latest totals.
struct ViewRecord {
    var key: String
    var file: String
    var line: UInt32
    /// Whether totals of the store's epoch have come; until then the view is not shown.
    var isReported = false
    /// Whether the view stands in the list of changes; see ``ChangeLog``.
    var isListed = false
    /// Totals; all zero until ``isReported``.
    var totals: TotalsFields
    /// Reasons in the order of their numbers.
    var reasons: [ReasonRecord] = []
    /// The count of the reasons that have no number, or whose text we had no room for.
    var otherReasons: UInt64 = 0

    struct ReasonRecord {
        var text: String
        var attribution: Attribution?
        var count: UInt64 = 0
    }

    init(_ view: ViewDeclaration) {
        key = view.key
        file = view.file
        line = view.line
        totals = TotalsFields(storeID: view.storeID, index: view.index, epoch: 0)
    }

    /// What the view takes in memory, for the budget.
    static func bytes(key: String, file: String) -> Int {
        MemoryLayout<ViewRecord>.stride + key.utf8.count + file.utf8.count + 64
    }

    static func bytes(reason: String) -> Int {
        MemoryLayout<ReasonRecord>.stride + reason.utf8.count + 32
    }

    /// Takes in totals and returns the reasons' counts that follow in `reader`.
    mutating func take(_ fields: TotalsFields, reasons reader: inout WireReader) throws(WireError) {
        totals = fields
        isReported = true
        otherReasons = 0
        for reason in reasons.indices { reasons[reason].count = 0 }
        for _ in 0..<fields.reasons {
            let reason = try reader.reasonCount()
            if Int(reason.index) < reasons.count {
                reasons[Int(reason.index)].count = reason.count
            } else {
                otherReasons &+= reason.count
            }
        }
    }

    /// Forgets the numbers and keeps the names, which an app sends once per connection.
    mutating func clear() {
        totals = TotalsFields(storeID: totals.storeID, index: totals.index, epoch: 0)
        isReported = false
        otherReasons = 0
        for reason in reasons.indices { reasons[reason].count = 0 }
    }

    /// The view as the export shows it.
    var stats: Stats {
        var stats = Stats(key: ViewKey(rawValue: key), file: file, line: line)
        stats.count = totals.count
        stats.instances = totals.instances
        stats.commits = totals.commits
        stats.body = totals.body.timing(count: totals.count)
        stats.total = totals.total.timing(count: totals.count)
        guard totals.count > 0 else { return stats }
        stats.lastRenderedAt = Timestamp(nanosecondsSince1970: totals.lastRenderedAtNanoseconds)
        let last = Int(totals.lastReason)
        stats.lastReason = last < reasons.count ? reasons[last].text : Reason.other
        stats.reasons = reasonCounts
        return stats
    }

    private var reasonCounts: [ReasonCount] {
        var counts: [ReasonCount] = []
        counts.reserveCapacity(reasons.count + 1)
        for reason in reasons where reason.count > 0 {
            counts.append(ReasonCount(reason: reason.text, count: reason.count, attribution: reason.attribution))
        }
        if otherReasons > 0 {
            counts.append(ReasonCount(reason: Reason.other, count: otherReasons, attribution: nil))
        }
        if counts.count > 1 { counts.sort(by: ReasonCount.byCount) }
        return counts
    }
}
