// SPDX-License-Identifier: MIT
// The sums of one view in its latest epoch, and of each of its reasons, bounded as the app bounds them.

internal import CShared
internal import RerenderModel

/// Sums of one view's evaluations. What only the whole trace tells is filled in by ``stats(_:_:)``.
struct ViewTally: Sendable {
    /// The hangs among them are those attributed to the view, in any epoch.
    var sums = Stats(key: "")
    // Few views need more; the others' octaves come when they are met.
    private var bodies = LatencyHistogram(octaves: 4)
    private var totals = LatencyHistogram(octaves: 4)
    private var reasons: [ReasonTally] = []
    private var lastReason = 0
    private var selfNanoseconds: UInt64 = 0
    /// When the first evaluation of the epoch ended.
    private(set) var epochBegan: Int64?

    /// Counts an evaluation of the latest epoch; begins anew with the first of it.
    @inline(__always)
    mutating func record(_ evaluation: ClosedEvaluation, _ texts: TraceTexts) {
        guard begin(evaluation.standing) else { return }
        let isLatest = evaluation.standing.isLatest
        if sums.count == 0 { epochBegan = evaluation.ended }
        sums.count += 1
        if let isPass = evaluation.end.isPass { sums.passes = (sums.passes ?? 0) + (isPass ? 1 : 0) }
        sums.body.add(evaluation.end.body_ns, isLatest: isLatest)
        sums.total.add(evaluation.end.total_ns, isLatest: isLatest)
        selfNanoseconds &+= evaluation.selfNanoseconds
        bodies.record(evaluation.end.body_ns)
        totals.record(evaluation.end.total_ns)
        let reason = reason(of: evaluation.end, texts)
        reasons[reason].count(evaluation.end, texts)
        guard isLatest else { return }
        if !evaluation.end.store.isEmpty { sums.instances = UInt64(evaluation.end.instances) }
        sums.lastRenderedAt = Timestamp(nanosecondsSince1970: evaluation.ended)
        lastReason = reason
    }

    /// Takes what a commit or an instance's end says.
    mutating func record(_ correction: ViewCorrection) {
        if begin(correction.standing) { sums.instances = UInt64(correction.change.instances) }
    }

    /// Begins anew with the first of an epoch; false for an earlier one.
    private mutating func begin(_ standing: ClosedEvaluation.Standing) -> Bool {
        if standing.beginsEpoch {
            let (hangs, instances) = (sums.hangs, sums.instances)
            self = ViewTally()
            (sums.hangs, sums.instances) = (hangs, instances)
        }
        return standing.isCurrent
    }

    func stats(_ view: ViewProgress, _ texts: TraceTexts) -> Stats {
        var stats = sums
        stats.key = ViewKey(rawValue: texts[view.key])
        (stats.file, stats.line) = (texts[view.file], view.line)
        stats.commits = view.commits
        stats.body.finish(bodies, of: sums.count)
        stats.total.finish(totals, of: sums.count)
        stats.selfNanoseconds = selfNanoseconds
        stats.wasted = view.waste(taking: sums.body.totalNanoseconds)
        stats.reasons = reasonCounts(texts)
        stats.lastReason = reasons.isEmpty ? "" : texts[reasons[lastReason].reason]
        return stats
    }

    /// The reasons as the app has them. What it counts as `other` is one, however sure the reasons were that found no room.
    private func reasonCounts(_ texts: TraceTexts) -> [ReasonCount] {
        var counts = reasons.map { $0.reasonCount(texts) }
        let others = counts.filter { $0.reason == Reason.other }
        if !others.isEmpty, counts.count - others.count >= TraceLimits.reasonsOfApp - 1 {
            counts.removeAll { $0.reason == Reason.other }
            let count = others.reduce(UInt64(0)) { $0 &+ $1.count }
            let passes = others.reduce(UInt64(0)) { $0 &+ ($1.passes ?? 0) }
            counts.append(ReasonCount(reason: Reason.other, count: count, passes: passes, attribution: nil))
        }
        return counts.sorted(by: ReasonCount.byCount)
    }

    @inline(__always)
    private mutating func reason(of end: EvaluationEnded, _ texts: TraceTexts) -> Int {
        if lastReason < reasons.count, reasons[lastReason].isOf(end) { return lastReason }
        if let index = reasons.firstIndex(where: { $0.isOf(end) }) { return index }
        // A trace that has more was not written by the app, which counts further ones as `other`, too.
        if reasons.count < TraceLimits.reasonsPerView {
            reasons.append(ReasonTally(end.reason, end.attribution))
        } else if reasons.count == TraceLimits.reasonsPerView {
            reasons.append(ReasonTally(texts.intern(Reason.other), 0))
        }
        return reasons.count - 1
    }
}

extension Timing {
    @inline(__always)
    fileprivate mutating func add(_ nanoseconds: UInt64, isLatest: Bool) {
        if isLatest { lastNanoseconds = nanoseconds }
        if nanoseconds > maxNanoseconds { maxNanoseconds = nanoseconds }
        totalNanoseconds &+= nanoseconds
    }

    /// Takes what is known only at the end.
    fileprivate mutating func finish(_ histogram: LatencyHistogram, of count: UInt64) {
        let percentiles = histogram.percentiles([50, 95, 99], maximum: maxNanoseconds)
        (p50Nanoseconds, p95Nanoseconds, p99Nanoseconds) = (percentiles[0], percentiles[1], percentiles[2])
        averageNanoseconds = count > 0 ? totalNanoseconds / count : 0
    }
}

/// Counts evaluations of a view for one reason.
struct ReasonTally: Sendable {
    let reason: TextID
    let attribution: UInt8
    var count: UInt64 = 0
    private var passes: UInt64 = 0
    private var writers = WriterTally()
    private var chains = TextCounts()

    init(_ reason: TextID, _ attribution: UInt8) {
        self.reason = reason
        self.attribution = attribution
    }

    @inline(__always)
    func isOf(_ event: EvaluationEnded) -> Bool { event.reason == reason && event.attribution == attribution }

    @inline(__always)
    mutating func count(_ event: EvaluationEnded, _ texts: TraceTexts) {
        count += 1
        if event.isPass == true {
            passes += 1
        } else {
            // What was written for an update was not written again for each of its evaluations.
            writers.add(event.writers, names: TraceLimits.writersPerReason, texts)
        }
        chains.add(event.chain, limit: TraceLimits.chains)
    }

    func reasonCount(_ texts: TraceTexts) -> ReasonCount {
        ReasonCount(
            reason: texts[reason], count: count, passes: passes, attribution: Attribution(traceCode: attribution),
            // The first three by name, as the app names them.
            writers: writers.counts(names: TraceLimits.writersPerReason, texts), chains: chainCounts(texts))
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
}

/// Writers by their writes: the first of them by name, in the order in which they were met, and all others together.
struct WriterTally: Sendable {
    /// Lists of writers, each with its evaluations, that are not added up yet: mostly they are the same few again.
    private var lists = TextCounts()
    private var named: [WriterCount] = []
    private var others: UInt64 = 0

    /// Counts the writes of an evaluation: `NAME; NAME ×COUNT`. Each other number of writes is another list.
    @inline(__always)
    mutating func add(_ list: TextID, names limit: Int, _ texts: TraceTexts) {
        guard !list.isEmpty else { return }
        let isFull = lists.counts.count == TraceLimits.writerLists
        if isFull, !lists.counts.contains(where: { $0.text == list }) { addUp(limit, texts) }
        lists.add(list, limit: TraceLimits.writerLists)
    }

    /// The named ones, most writes first, and then the others.
    func counts(names limit: Int, _ texts: TraceTexts) -> [WriterCount] {
        var all = self
        all.addUp(limit, texts)
        let sorted = all.named.sorted { $0.count != $1.count ? $0.count > $1.count : $0.writer < $1.writer }
        return all.others > 0 ? sorted + [WriterCount(writer: Reason.other, count: all.others)] : sorted
    }

    private mutating func addUp(_ limit: Int, _ texts: TraceTexts) {
        for (list, evaluations) in lists.counts {
            for part in texts[list].split(separator: "; ") { add(part, evaluations, limit) }
        }
        lists = TextCounts()
    }

    private mutating func add(_ part: Substring, _ evaluations: UInt64, _ limit: Int) {
        var (writer, writes) = (String(part), evaluations)
        if let sign = part.lastIndex(of: "×"), sign > part.startIndex, part[part.index(before: sign)] == " ",
            let count = UInt64(part[part.index(after: sign)...])
        {
            let (product, overflow) = count.multipliedReportingOverflow(by: evaluations)
            (writer, writes) = (String(part[..<part.index(before: sign)]), overflow ? .max : product)
        }
        if let index = named.firstIndex(where: { $0.writer == writer }) {
            named[index].count &+= writes
        } else if writer != Reason.other, named.count < limit {
            named.append(WriterCount(writer: writer, count: writes))
        } else {
            others &+= writes
        }
    }
}
