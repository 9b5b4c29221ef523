// SPDX-License-Identifier: MIT
// What led to an evaluation, as far as a trace says it: a write, or an evaluation of the view around it.

internal import CShared

/// Finds the write and the parent's evaluation that caused an evaluation. Bounded.
///
/// What may be another one is not named: an arrow that is missing says less than a wrong one.
struct ChromeFlows {
    /// An evaluation of a process, by its number.
    struct Signpost: Hashable {
        let pid: Int32
        let number: UInt64
    }

    /// A write that invalidated views.
    struct CausingWrite {
        let number: UInt64
        let thread: TraceThread
        let nanoseconds: Int64
        fileprivate let name: TextID
        fileprivate let writer: TextID
        /// Whether an evaluation was found that it caused.
        fileprivate var isCause = false
    }

    private struct Match: Hashable {
        let reason: TextID
        let writers: TextID
        let name: TextID
        let writer: TextID
    }

    private struct Key: Hashable {
        let pid: Int32
        let key: TextID
    }

    private let texts: TraceTexts
    /// The latest writes.
    private var writes: [CausingWrite] = []
    private var writeCount: UInt64 = 0
    private var matches: [Match: Bool] = [:]
    /// The latest evaluation of each view, if the view has one instance.
    private var latest: [Key: (number: UInt64, turn: UInt64)] = [:]
    /// The key that a reason `parent: KEY` names; empty for another reason.
    private var parentKeys: [TextID: TextID] = [:]
    /// Evaluations that caused others, until they are written.
    private var parents: Set<Signpost> = []

    init(_ texts: TraceTexts) { self.texts = texts }

    mutating func note(_ write: Write, _ thread: TraceThread, at nanoseconds: Int64) {
        writeCount += 1
        if writes.count == TraceLimits.causingWrites { writes.removeFirst() }
        writes.append(
            CausingWrite(
                number: writeCount, thread: thread, nanoseconds: nanoseconds, name: write.name, writer: write.message))
    }

    /// The write that caused an evaluation, and whether it is the first one that is known of it: the latest before it, in its
    /// process, of a property that the reason names and by code that the evaluation names.
    mutating func write(before evaluation: ClosedEvaluation) -> (write: CausingWrite, isFirst: Bool)? {
        guard !evaluation.end.writers.isEmpty else { return nil }
        for place in writes.indices.reversed()
        where writes[place].thread.pid == evaluation.thread.pid && writes[place].nanoseconds <= evaluation.began {
            guard isCause(writes[place], of: evaluation.end) else { continue }
            defer { writes[place].isCause = true }
            return (writes[place], !writes[place].isCause)
        }
        return nil
    }

    /// The parent's evaluation that caused an evaluation: the one around it, or the latest in the turn of a view that has one
    /// instance.
    mutating func parent(of evaluation: ClosedEvaluation) -> Signpost? {
        let (pid, end) = (evaluation.thread.pid, evaluation.end)
        let key = parentKey(end.reason)
        var parent: UInt64 = 0
        if !key.isEmpty {
            if let opened = evaluation.opened, opened.mark != 0, opened.begin.parent == key {
                parent = UInt64(bitPattern: Int64(opened.mark))
            } else if let known = latest[Key(pid: pid, key: key)], known.turn == end.turn {
                parent = known.number
            }
        }
        note(end, pid)
        guard parent != 0 else { return nil }
        let signpost = Signpost(pid: pid, number: parent)
        if parents.count >= TraceLimits.heldEvaluations { parents.removeAll(keepingCapacity: true) }
        parents.insert(signpost)
        return signpost
    }

    /// Whether an evaluation caused others. It is written now, so that no more are asked of.
    mutating func takeParent(_ signpost: Signpost) -> Bool { parents.remove(signpost) != nil }

    private mutating func note(_ end: EvaluationEnded, _ pid: Int32) {
        let key = Key(pid: pid, key: end.name)
        let isOnly = end.instances == 1 && end.turn != 0 && end.signpost_id != 0
        if isOnly, latest.count < TraceLimits.views || latest[key] != nil {
            latest[key] = (end.signpost_id, end.turn)
        } else if !isOnly {
            latest[key] = nil
        }
    }

    private mutating func parentKey(_ reason: TextID) -> TextID {
        if let known = parentKeys[reason] { return known }
        let (text, prefix) = (texts[reason], "parent: ")
        let key = text.hasPrefix(prefix) ? texts.intern(String(text.dropFirst(prefix.count))) : .empty
        parentKeys[reason] = key
        return key
    }

    private mutating func isCause(_ write: CausingWrite, of end: EvaluationEnded) -> Bool {
        let match = Match(reason: end.reason, writers: end.writers, name: write.name, writer: write.writer)
        if let known = matches[match] { return known }
        let properties = texts[end.reason].split(separator: ", ").map { Self.lastPart($0) }
        let writer = texts[write.writer]
        let isWriter = texts[end.writers].split(separator: "; ").contains {
            $0 == writer || $0.hasPrefix(writer + " ×")
        }
        let isCause = isWriter && properties.contains(Self.lastPart(texts[write.name][...]))
        if matches.count >= TraceLimits.causes { matches.removeAll(keepingCapacity: true) }
        matches[match] = isCause
        return isCause
    }

    /// `tick` of `shop.ticker.tick`.
    private static func lastPart(_ path: Substring) -> Substring {
        path.lastIndex(of: ".").map { path[path.index(after: $0)...] } ?? path
    }
}
