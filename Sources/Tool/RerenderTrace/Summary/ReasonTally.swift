// SPDX-License-Identifier: MIT
// One reason of one view: how often, by whom, and where it began; bounded as the app bounds it.

internal import RerenderModel

/// Counts evaluations of a view for one reason.
struct ReasonTally: Sendable {
    let reason: TextID
    let attribution: UInt8
    var count: UInt64 = 0
    /// In the order in which they were met, each with its evaluations.
    private var writers: [(TextID, count: UInt64)] = []
    private var chains: [(TextID, count: UInt64)] = []
    private var otherWriters: UInt64 = 0
    private var otherChains: UInt64 = 0

    init(_ reason: TextID, _ attribution: UInt8) {
        self.reason = reason
        self.attribution = attribution
    }

    /// Whether an evaluation has this reason.
    @inline(__always)
    func isOf(_ event: EvaluationEnded) -> Bool { event.reason == reason && event.attribution == attribution }

    @inline(__always)
    mutating func count(_ event: EvaluationEnded) {
        count += 1
        if !event.writers.isEmpty { Self.count(event.writers, in: &writers, TraceLimits.writerLists, &otherWriters) }
        if !event.chain.isEmpty { Self.count(event.chain, in: &chains, TraceLimits.chains, &otherChains) }
    }

    private static func count(
        _ text: TextID, in list: inout [(TextID, count: UInt64)], _ limit: Int, _ other: inout UInt64
    ) {
        if let index = list.firstIndex(where: { $0.0 == text }) {
            list[index].count += 1
        } else if list.count < limit {
            list.append((text, 1))
        } else {
            other += 1
        }
    }

    func reasonCount(_ texts: TraceTexts) -> ReasonCount {
        // By the codes of the trace. Nothing but a test tells that a new one is missing.
        let attributions: [Attribution?] = [nil, .exact, .announced, .diff]
        let known = Int(attribution) < attributions.count ? attributions[Int(attribution)] : nil
        return ReasonCount(
            reason: texts[reason], count: count, attribution: known, writers: writerCounts(texts),
            chains: chainCounts(texts))
    }

    /// The first three writers by name, as the app names them, and all others as one.
    private func writerCounts(_ texts: TraceTexts) -> [WriterCount] {
        var named: [WriterCount] = []
        var others = otherWriters
        for (list, evaluations) in writers {
            for (writer, writes) in WriterText.writers(in: texts[list]) {
                let (count, overflow) = writes.multipliedReportingOverflow(by: evaluations)
                let writes = overflow ? .max : count
                if let index = named.firstIndex(where: { $0.writer == writer }) {
                    named[index].count &+= writes
                } else if writer != Reason.other, named.count < TraceLimits.writersPerReason {
                    named.append(WriterCount(writer: writer, count: writes))
                } else {
                    others &+= writes
                }
            }
        }
        named.sort { $0.count != $1.count ? $0.count > $1.count : $0.writer < $1.writer }
        return others > 0 ? named + [WriterCount(writer: Reason.other, count: others)] : named
    }

    private func chainCounts(_ texts: TraceTexts) -> [ChainCount] {
        let named = chains.map { ChainCount(chain: texts[$0.0], count: $0.count) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.chain < $1.chain
        }
        return otherChains > 0 ? named + [ChainCount(chain: Reason.other, count: otherChains)] : named
    }
}

/// The field `writers` of an evaluation.
enum WriterText {
    /// Names with their writes, from `NAME; NAME ×COUNT`.
    static func writers(in text: String) -> [(name: String, count: UInt64)] {
        text.split(separator: "; ").map { part in
            guard let sign = part.lastIndex(of: "×"), sign > part.startIndex,
                part[part.index(before: sign)] == " ", let count = UInt64(part[part.index(after: sign)...])
            else { return (String(part), 1) }
            return (String(part[..<part.index(before: sign)]), count)
        }
    }
}
