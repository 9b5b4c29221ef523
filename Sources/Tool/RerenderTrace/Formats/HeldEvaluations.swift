// SPDX-License-Identifier: MIT
// Evaluations that are over, and wait for what a commit says of them; and how many are wasted.

internal import CShared

/// The latest evaluations, in the order in which they ended. Bounded.
///
/// A commit may decide later whether an evaluation was needed. So what is written once waits until many others have ended, and the wasted
/// ones of each process are counted as far as is known by now.
struct HeldEvaluations {
    /// The number of an evaluation, and the place of its view in the trace's directory.
    struct ID: Hashable {
        let view: Int
        let number: UInt64
    }

    /// What is written of an evaluation.
    struct Evaluation {
        let id: ID
        let end: EvaluationEnded
        let thread: TraceThread
        let began: Int64
        let ended: Int64
        let file: TextID
        let line: UInt32
        /// Whether it was needed, as far as is known by now.
        var waste: TraceWaste
        /// The number of the write that caused it; 0 where none is known.
        var write: UInt64 = 0
        /// The parent's evaluation that caused it.
        var parent: ChromeFlows.Signpost?

        init(_ evaluation: ClosedEvaluation) {
            end = evaluation.end
            id = ID(view: evaluation.view ?? -1, number: end.signpost_id)
            (thread, began, ended) = (evaluation.thread, evaluation.began, evaluation.ended)
            (file, line) = evaluation.opened.map { ($0.begin.file, $0.begin.line) } ?? (.empty, 0)
            waste = end.waste
        }

        /// What is known of it, in one line.
        ///
        /// - Parameter text: A text of the trace, as the format shows it.
        func detail(_ text: (TextID) -> String) -> String {
            var detail = (end.isGuess ? "~" : "") + text(end.reason)
            if !end.writers.isEmpty { detail += " ← " + text(end.writers) }
            switch waste {
            case .measured: detail += " · wasted (measured)"
            case .inferred: detail += " · wasted (inferred)"
            case .none where end.unjudged == 1: detail += " · not judged"
            case .none: break
            }
            if !file.isEmpty { detail += " · \(text(file)):\(line)" }
            return detail
        }
    }

    private let limit: Int
    private var ring: [Evaluation] = []
    /// The place of the one that ended first, once the ring is full.
    private var first = 0
    private var places: [ID: Int] = [:]
    /// Decisions about evaluations that are not held any more, or are not in the trace.
    private(set) var late: UInt64 = 0
    /// By processes, and what was told of each.
    private var wasted: [Int32: (count: Int64, told: Int64)] = [:]

    init(limit: Int) { self.limit = limit }

    /// Takes an evaluation, and returns the one that has no room any more.
    mutating func add(_ evaluation: Evaluation) -> Evaluation? {
        count(evaluation.thread.pid, from: .none, to: evaluation.waste)
        guard ring.count >= limit else {
            places[evaluation.id] = ring.count
            ring.append(evaluation)
            return nil
        }
        let oldest = ring[first]
        // A program that replaced another one may have used the number again.
        if places[oldest.id] == first { places[oldest.id] = nil }
        places[evaluation.id] = first
        ring[first] = evaluation
        first = (first + 1) % limit
        return oldest
    }

    /// Takes what was decided of an evaluation. The number 0 names none.
    mutating func correct(_ correction: ViewCorrection) {
        let id = ID(view: correction.view, number: correction.change.signpost_id)
        guard id.number != 0 else { return }
        guard let place = places[id] else { return late += 1 }
        count(ring[place].thread.pid, from: ring[place].waste, to: correction.change.waste)
        ring[place].waste = correction.change.waste
    }

    /// Counts an evaluation whose waste is another one than was known.
    private mutating func count(_ pid: Int32, from known: TraceWaste, to waste: TraceWaste) {
        let change: Int64 = (waste == .none ? 0 : 1) - (known == .none ? 0 : 1)
        guard change != 0, wasted.count < TraceLimits.processes || wasted[pid] != nil else { return }
        wasted[pid, default: (0, 0)].count += change
    }

    /// The number of wasted ones of a process, if it is another one than the last time.
    mutating func takeWasted(_ pid: Int32) -> Int64? {
        guard let known = wasted[pid], known.count != known.told else { return nil }
        wasted[pid]?.told = known.count
        return known.count
    }

    /// The processes with a wasted evaluation.
    var processes: [Int32] { wasted.keys.sorted() }

    /// Returns all that are held, in their order, and holds none.
    mutating func takeAll() -> [Evaluation] {
        let all = Array(ring[first...] + ring[..<first])
        (ring, places, first) = ([], [:], 0)
        return all
    }
}

// Phases, and intervals of other signposters, between their events.

/// A phase, or an interval of another signposter, that is open.
struct TracedInterval: Hashable {
    let pid: Int32
    /// The event's name without what it says of the signpost; empty for a phase.
    let provider: TextID
    let name: TextID
    let id: UInt64

    init(_ phase: Phase, _ pid: Int32) {
        (self.pid, provider, name, id) = (pid, .empty, phase.name, phase.signpost_id)
    }

    /// The interval of an event, or its name and provider alone where it is of none.
    init(_ other: OtherEvent, _ pid: Int32, _ texts: TraceTexts) {
        let event = texts[other.event]
        provider = texts.intern(String(event[..<(event.lastIndex(of: ":") ?? event.endIndex)]))
        name = other.fields.name.isEmpty ? other.event : other.fields.name
        (self.pid, id) = (pid, other.fields.signpost_id)
    }
}

extension [TracedInterval: Int64] {
    /// Notes when one began. Bounded.
    mutating func open(_ interval: TracedInterval, at nanoseconds: Int64) {
        if count < TraceLimits.threads { self[interval] = nanoseconds }
    }
}
