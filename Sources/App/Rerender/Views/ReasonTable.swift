// SPDX-License-Identifier: MIT
// Counts the reasons of one view, up to a limit, with the writers and chains of causes behind each.

import RerenderModel
import RerenderWire

/// Counts evaluations by reason; after ``WireLimits/reasonsPerView`` reasons the next are counted together.
struct ReasonTable: Sendable {
    struct Entry: Sendable {
        let text: String
        let attribution: Attribution?
        /// Found once, and not for each reading.
        let origin: ReasonOrigin
        var count: UInt64
        /// Those that were further evaluations of an update.
        var passes: UInt64 = 0
        var details = ReasonDetails()

        init(text: String, attribution: Attribution?) {
            (self.text, self.attribution, origin, count) = (text, attribution, ReasonOrigin(text), 1)
        }
    }

    /// In the order in which they were met, which is the number that they travel under. Copied where ``settle()`` has something to do.
    var entries: [Entry] {
        var whole = self
        whole.settle()
        return whole.known
    }
    /// The same, but for those that ``settle()`` adds.
    private var known: [Entry] = []
    private(set) var other: UInt64 = 0
    private var otherPasses: UInt64 = 0
    /// The number of the latest reason.
    private(set) var last: UInt8 = ViewTotals.otherReason
    /// No place among the entries.
    private static let nowhere = UInt8.max
    /// Where evaluations that nothing explains are counted, once there was one.
    private var unknown = ReasonTable.nowhere
    /// How many of these are not counted there yet.
    private var unsettled: UInt64 = 0

    /// Counts one evaluation. Allocates only for a reason not met before.
    mutating func count(_ reason: String, _ attribution: Attribution?, isPass: Bool = false) {
        let reason = LongText.bounded(reason, to: WireLimits.stringBytes)
        if let index = index(of: reason, attribution) {
            known[index].count += 1
            last = UInt8(index)
        } else if known.count < WireLimits.reasonsPerView {
            last = UInt8(known.count)
            known.append(Entry(text: reason, attribution: attribution))
        } else {
            other += 1
            last = ViewTotals.otherReason
        }
        if isPass { countPass() }
    }

    /// Counts one evaluation at places that are known, and the writer of its cause.
    @inline(__always)
    mutating func count(at entry: Int, writer: Int?) {
        known[entry].count += 1
        if let writer { known[entry].details.count(at: writer) }
        last = UInt8(truncatingIfNeeded: entry)
    }

    /// Notes that the evaluation that was just counted is a pass.
    private mutating func countPass() {
        if last == ViewTotals.otherReason { otherPasses += 1 } else { known[Int(last)].passes += 1 }
    }

    /// Counts one evaluation that nothing known explains; the same, without a look at any text once there was one.
    ///
    /// - Parameter text: What a reader knows that as: for all evaluations of a view the same.
    @inline(__always)
    mutating func countUnknown(as text: @autoclosure () -> String, isPass: Bool = false) {
        if unknown != Self.nowhere {
            unsettled &+= 1
            last = unknown
            if isPass { countPass() }
        } else {
            countFirstUnknown(as: text(), isPass: isPass)
        }
    }

    @inline(never)
    private mutating func countFirstUnknown(as text: String, isPass: Bool) {
        count(text, nil, isPass: isPass)
        if last != ViewTotals.otherReason { unknown = last }
    }

    /// Counts those that nothing explains where all others are counted.
    mutating func settle() {
        guard unsettled > 0 else { return }
        known[Int(unknown)].count &+= unsettled
        unsettled = 0
    }

    /// Notes who wrote what caused the evaluation that was just counted, and the way to its first cause.
    mutating func noteDetails(_ writers: [(writer: Writer, count: UInt64)], chain: String?) {
        guard last != ViewTotals.otherReason, !writers.isEmpty || chain != nil else { return }
        for (writer, count) in writers { known[Int(last)].details.count(writer, count) }
        if let chain { known[Int(last)].details.count(chain: chain) }
    }

    mutating func removeAll() {
        (unknown, unsettled) = (Self.nowhere, 0)
        known.removeAll(keepingCapacity: true)
        other = 0
        otherPasses = 0
        last = ViewTotals.otherReason
    }

    /// The text of the latest reason; empty before the first.
    var lastText: String {
        if known.isEmpty { return "" }
        return last == ViewTotals.otherReason ? Reason.other : known[Int(last)].text
    }

    func counts() -> [TotalsMessage.ReasonTotal] {
        var counts = entries.enumerated().map {
            TotalsMessage.ReasonTotal(
                index: UInt8($0.offset), count: $0.element.count, passes: $0.element.passes)
        }
        if other > 0 {
            counts.append(
                TotalsMessage.ReasonTotal(index: ViewTotals.otherReason, count: other, passes: otherPasses))
        }
        return counts
    }

    /// The counts as the export shows them, writers by name. Takes milliseconds for a writer not named before.
    func reasonCounts() -> [ReasonCount] {
        var counts = entries.map { entry in
            let details = entry.details.named()
            return ReasonCount(
                reason: entry.text, count: entry.count, passes: entry.passes, attribution: entry.attribution,
                writers: details.writerCounts, chains: details.chainCounts)
        }
        if other > 0 {
            counts.append(ReasonCount(reason: Reason.other, count: other, passes: otherPasses, attribution: nil))
        }
        return counts.sorted(by: ReasonCount.byCount)
    }

    func index(of reason: String, _ attribution: Attribution?) -> Int? {
        if last < known.count, known[Int(last)].matches(reason, attribution) { return Int(last) }
        return known.firstIndex { $0.matches(reason, attribution) }
    }
}

extension ReasonTable.Entry {
    fileprivate func matches(_ reason: String, _ attribution: Attribution?) -> Bool {
        attribution == self.attribution && reason == text
    }
}

/// Writers and chains of one reason of one view; bounded. Writers are counted by address, and named on request.
struct ReasonDetails: Sendable {
    private var writers = CountedList<Writer>()
    private var chains = CountedList<String>()

    mutating func count(_ writer: Writer, _ count: UInt64) {
        writers.add(writer, count, limit: StoreLimits.stacksPerReason)
    }

    /// Where a writer is counted; nil for one that is among the others.
    func place(of writer: Writer) -> Int? { writers.index(of: writer) }

    @inline(__always)
    mutating func count(at place: Int) { writers.add(at: place) }

    /// Counts an evaluation.
    mutating func count(chain: String) { chains.add(chain, limit: WireLimits.chainsPerReason) }

    /// The writers and chains by name. Takes milliseconds for a writer not named before: never on a thread of the app
    /// that did not ask.
    func named() -> NamedReasonDetails {
        var named = CountedList<String>()
        // Several stacks may have one writer.
        for (writer, count) in writers.counts {
            let name = writer.name
            if name == Reason.other {
                named.addOthers(count)
            } else {
                named.add(name, count, limit: WireLimits.writersPerReason)
            }
        }
        // Any of them may be one that is named.
        if writers.others > 0 {
            named.add(WriterStacks.unknown, writers.others, limit: WireLimits.writersPerReason)
        }
        return NamedReasonDetails(writers: named, chains: chains)
    }
}

/// Writers and chains as they travel: the first of each by name, in the order in which they were met.
struct NamedReasonDetails {
    let writers: CountedList<String>
    let chains: CountedList<String>

    /// The texts of the slots that have one.
    var texts: [(slot: UInt8, text: String)] { slots.map { ($0, $1.element) } }

    /// The counts of the slots that are not zero, by slot.
    var counts: [(slot: UInt8, count: UInt64)] {
        let others = [(DetailSlot.otherWriters, writers.others), (DetailSlot.otherChains, chains.others)]
        let all = slots.map { ($0, $1.count) } + others
        return all.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
    }

    private var slots: [(slot: UInt8, (element: String, count: UInt64))] {
        Array(zip(DetailSlot.writers, writers.counts)) + Array(zip(DetailSlot.chains, chains.counts))
    }

    /// The writers as the export shows them.
    var writerCounts: [WriterCount] { writers.sorted { WriterCount(writer: $0, count: $1) } }

    /// The chains as the export shows them.
    var chainCounts: [ChainCount] { chains.sorted { ChainCount(chain: $0, count: $1) } }
}
