// SPDX-License-Identifier: MIT
// The latest evaluations and whether they were wasted, for commits that decide about them by their numbers.

internal import CShared

/// Whether one evaluation was wasted, and how.
struct EvaluationVerdict: Sendable {
    var waste: TraceWaste
    /// The place of the kind in `WasteKind.allCases`, from 1; 0 for none.
    var kind: UInt8
    /// The time that is wasted where it was not needed.
    let nanoseconds: UInt64

    init(_ event: EvaluationEnded) {
        (waste, kind, nanoseconds) = (event.waste, event.waste == .none ? 0 : event.kind, event.wastedNanoseconds)
    }

    /// What a commit makes of it. It says no kind: an output that was the same is one, and what it infers itself is another.
    func decided(_ change: ViewChanged) -> EvaluationVerdict {
        var verdict = self
        verdict.waste = change.waste
        switch change.waste {
        case .none: verdict.kind = 0
        case .measured: verdict.kind = Self.sameOutput
        case .inferred: if waste != .inferred { verdict.kind = Self.twiceInATurn }
        }
        return verdict
    }

    private static let sameOutput: UInt8 = 1
    private static let twiceInATurn: UInt8 = 6
}

/// The latest evaluations of all processes, by their numbers. Bounded: of two halves, the older one is forgotten when the newer is full.
struct DecidedEvaluations: Sendable {
    private struct Entry: Sendable {
        let pid: Int32
        let id: UInt64
        let epoch: UInt32
        var verdict: EvaluationVerdict
    }

    private struct Half: Sendable {
        var entries: [Entry] = []
        var places = WordIndex()
    }

    private var newer = Half()
    private var older = Half()

    /// Notes an evaluation that has ended.
    @inline(__always)
    mutating func note(_ event: EvaluationEnded, pid: Int32) {
        guard event.signpost_id != 0 else { return }
        if newer.entries.count == TraceLimits.decidedEvaluations {
            swap(&newer, &older)
            newer.entries.removeAll(keepingCapacity: true)
            newer.places.removeAll()
        }
        newer.places.set(Self.word(event.signpost_id, pid), UInt32(newer.entries.count))
        newer.entries.append(
            Entry(pid: pid, id: event.signpost_id, epoch: event.epoch, verdict: EvaluationVerdict(event)))
    }

    /// Takes what a commit decides of the evaluation that it names, and returns the verdicts before and now; nil where the
    /// evaluation is not in the trace, or too long ago.
    mutating func decide(_ change: ViewChanged, pid: Int32) -> (before: EvaluationVerdict, now: EvaluationVerdict)? {
        guard change.signpost_id != 0 else { return nil }
        if let decision = Self.decide(change, pid, in: &newer) { return decision }
        return Self.decide(change, pid, in: &older)
    }

    private static func decide(
        _ change: ViewChanged, _ pid: Int32, in half: inout Half
    ) -> (before: EvaluationVerdict, now: EvaluationVerdict)? {
        guard let place = half.places[word(change.signpost_id, pid)].map({ Int($0) }) else { return nil }
        let entry = half.entries[place]
        guard entry.id == change.signpost_id, entry.pid == pid, entry.epoch == change.epoch else { return nil }
        half.entries[place].verdict = entry.verdict.decided(change)
        return (entry.verdict, half.entries[place].verdict)
    }

    /// Two evaluations may have the same one: then the later one is found.
    private static func word(_ id: UInt64, _ pid: Int32) -> UInt64 {
        max(1, id ^ UInt64(UInt32(bitPattern: pid)) &* 0x9E37_79B9_7F4A_7C15)
    }
}
