// SPDX-License-Identifier: MIT
// One reason of one view: how often, by whom, and where it began; bounded as the app bounds it.

internal import CShared
internal import RerenderModel

/// Counts evaluations of a view for one reason.
struct ReasonTally: Sendable {
    let reason: TextID
    let attribution: UInt8
    var count: UInt64 = 0
    private var passes: UInt64 = 0
    private var writers = TextCounts()
    private var chains = TextCounts()

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
        if event.isPass == true {
            passes += 1
        } else {
            // What was written for an update was not written again for each of its evaluations.
            writers.add(event.writers, limit: TraceLimits.writerLists)
        }
        chains.add(event.chain, limit: TraceLimits.chains)
    }

    func reasonCount(_ texts: TraceTexts) -> ReasonCount {
        ReasonCount(
            reason: texts[reason], count: count, passes: passes, attribution: Attribution(traceCode: attribution),
            writers: writerCounts(texts), chains: chainCounts(texts))
    }

    /// The first three writers by name, as the app names them, and all others as one.
    private func writerCounts(_ texts: TraceTexts) -> [WriterCount] {
        var named: [WriterCount] = []
        var others = writers.others
        for (writer, writes) in writers.writes(texts) {
            if let index = named.firstIndex(where: { $0.writer == writer }) {
                named[index].count &+= writes
            } else if writer != Reason.other, named.count < TraceLimits.writersPerReason {
                named.append(WriterCount(writer: writer, count: writes))
            } else {
                others &+= writes
            }
        }
        named.sort { $0.count != $1.count ? $0.count > $1.count : $0.writer < $1.writer }
        return others > 0 ? named + [WriterCount(writer: Reason.other, count: others)] : named
    }

    private func chainCounts(_ texts: TraceTexts) -> [ChainCount] {
        var named: [ChainCount] = chains.counts.map { ChainCount(chain: texts[$0.text], count: $0.count) }
        named.sort { $0.count != $1.count ? $0.count > $1.count : $0.chain < $1.chain }
        return chains.others > 0 ? named + [ChainCount(chain: Reason.other, count: chains.others)] : named
    }
}

extension Attribution {
    /// How sure a reason is by the codes of the trace; nil where none is known.
    fileprivate init?(traceCode: UInt8) {
        // Nothing but a test tells that a new one is missing.
        switch traceCode {
        case 1: self = .exact
        case 2: self = .announced
        case 3: self = .diff
        default: return nil
        }
    }
}

extension EvaluationEnded {
    /// Whether its reason is a guess: found by comparing values, and not observed.
    var isGuess: Bool { Attribution(traceCode: attribution) == .diff }
}

/// Texts in the order in which they were met, each with its evaluations; bounded.
struct TextCounts: Sendable {
    private(set) var counts: [(text: TextID, count: UInt64)] = []
    /// Evaluations with a text that found no room.
    private(set) var others: UInt64 = 0

    /// Counts an evaluation with a text, unless that is empty.
    @inline(__always)
    mutating func add(_ text: TextID, limit: Int) {
        guard !text.isEmpty else { return }
        if let index = counts.firstIndex(where: { $0.text == text }) {
            counts[index].count += 1
        } else if counts.count < limit {
            counts.append((text, 1))
        } else {
            others += 1
        }
    }

    /// Writers with their writes, of texts that are fields `writers`: `NAME; NAME ×COUNT`.
    func writes(_ texts: TraceTexts) -> [(name: String, count: UInt64)] {
        counts.flatMap { list, evaluations in
            texts[list].split(separator: "; ").map { part in
                guard let sign = part.lastIndex(of: "×"), sign > part.startIndex,
                    part[part.index(before: sign)] == " ", let count = UInt64(part[part.index(after: sign)...])
                else { return (String(part), evaluations) }
                let (writes, overflow) = count.multipliedReportingOverflow(by: evaluations)
                return (String(part[..<part.index(before: sign)]), overflow ? .max : writes)
            }
        }
    }
}
