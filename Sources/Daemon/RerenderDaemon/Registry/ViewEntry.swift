// SPDX-License-Identifier: MIT
// One view as the daemon holds it: names once, numbers in place.

import RerenderModel
import RerenderWire

/// A view's names and latest totals.
struct ViewEntry {
    var key: String
    var file: String
    var line: UInt32
    /// Whether totals of the store's epoch have come; until then the view is not shown.
    var isReported = false
    /// Whether the view stands in the list of changes; see ``ChangeLog``.
    var isListed = false
    /// Totals; all zero until ``isReported``.
    var totals: ViewTotals
    /// Hangs that the view was blamed for in the epoch.
    var hangs = HangTotals()
    /// Reasons in the order of their numbers.
    var reasons: [ReasonRecord] = []
    /// The counts of the reasons that have no number, or whose text we had no room for.
    var others = ReasonCounts()
    /// The reasons' writers and chains that have names.
    var details = NamedDetails()

    /// Whether the app has told of it. A label may be empty; what holds the place of a view has no file either.
    var isNamed: Bool { !key.isEmpty || !file.isEmpty }

    /// Whether it stands in a table: a view that was not seen has nothing to show there, unless it hung or was committed.
    var isRow: Bool { !totals.isNotSeen || hangs.count > 0 || totals.commits > 0 }

    struct ReasonRecord {
        var text: String
        var attribution: Attribution?
        var counts = ReasonCounts()
    }

    /// What is counted of a reason beside its named writers and chains.
    struct ReasonCounts {
        var count: UInt64 = 0
        var passes: UInt64 = 0
        var otherWriters: UInt64 = 0
        var otherChains: UInt64 = 0

        mutating func addOther(_ detail: DetailCount) {
            if DetailSlot.other(of: detail.slot) == DetailSlot.otherWriters {
                otherWriters &+= detail.count
            } else {
                otherChains &+= detail.count
            }
        }
    }

    init(_ view: ViewDeclaration) {
        key = view.key
        file = view.file
        line = view.line
        totals = ViewTotals(storeID: view.storeID, index: view.index, epoch: 0)
    }

    /// What the view takes in memory, for the budget.
    static func bytes(key: String, file: String) -> Int {
        MemoryLayout<ViewEntry>.stride + key.utf8.count + file.utf8.count + 64
    }

    static func bytes(reason: String) -> Int {
        MemoryLayout<ReasonRecord>.stride + reason.utf8.count + 32
    }

    static func bytes(detail: String) -> Int {
        MemoryLayout<NamedDetails.Record>.stride + detail.utf8.count + 32
    }

    /// What the view takes in memory with all its texts.
    var bytes: Int {
        reasons.reduce(Self.bytes(key: key, file: file)) { $0 + Self.bytes(reason: $1.text) }
            + details.records.reduce(0) { $0 + Self.bytes(detail: $1.text) }
    }

    /// Takes in totals, and the counts of reasons, writers and chains that follow in `reader`.
    mutating func take(
        _ fields: ViewTotals, _ rest: TotalsRest, reasons reader: inout WireReader
    ) throws(WireError) {
        totals = fields
        isReported = true
        clearCounts()
        for _ in 0..<rest.reasons {
            let reason = try reader.reasonTotal()
            if Int(reason.index) < reasons.count {
                reasons[Int(reason.index)].counts.count = reason.count
                reasons[Int(reason.index)].counts.passes = reason.passes
            } else {
                others.count &+= reason.count
                others.passes &+= reason.passes
            }
        }
        for _ in 0..<rest.details { take(try reader.detailCount()) }
    }

    /// A slot without a name counts among the others of its reason, and where that has no text either, of `other`.
    private mutating func take(_ detail: DetailCount) {
        guard !details.take(detail) else { return }
        if Int(detail.reason) < reasons.count {
            reasons[Int(detail.reason)].counts.addOther(detail)
        } else {
            others.addOther(detail)
        }
    }

    private mutating func clearCounts() {
        others = ReasonCounts()
        for reason in reasons.indices { reasons[reason].counts = ReasonCounts() }
        details.clearCounts()
    }

    /// Forgets the numbers and keeps the names, which an app sends once per connection.
    mutating func clear() {
        totals = ViewTotals(storeID: totals.storeID, index: totals.index, epoch: 0)
        hangs = HangTotals()
        isReported = false
        clearCounts()
    }
}
