// SPDX-License-Identifier: MIT
// The sentences of a comparison, shared by all its formats.

import RerenderShow

/// The findings of a comparison in words; every text is safe to print.
extension DiffResult {
    /// "FormView: 1 → 5 evaluations, 0 → 4 wasted"; "…, 0 → 4 wasted (0 → 3 of them inferred)".
    func headline(_ change: ExportDiff.Change) -> String {
        let (old, new) = (change.old.inferred, change.new.inferred)
        let inferred = old == new ? "" : " (\(Counted.grouped(old)) → \(Counted.grouped(new)) of them inferred)"
        let amounts = Measure.allCases.compactMap { measure -> String? in
            let (old, new) = (change.old[measure], change.new[measure])
            let more = measure == .wasted ? inferred : ""
            guard old != new || measure == .evaluations || !more.isEmpty else { return nil }
            return old == new
                ? "\(Counted.grouped(new)) \(measure.rawValue)\(more)"
                : "\(Counted.grouped(old)) → \(Counted.grouped(new)) \(measure.rawValue)\(more)"
        }
        return "\(change.key.shown): \(amounts.joined(separator: ", "))"
    }

    /// Where the view is, and the reasons that differ.
    func details(_ change: ExportDiff.Change) -> [String] {
        let place = change.place.isEmpty ? [] : ["at \(Printable.text(change.place))"]
        let reasons = change.reasons.prefix(Self.listedReasons).map(reason)
        let rest = change.reasons.count - reasons.count
        return place + reasons + (rest > 0 ? ["and \(Counted.text(rest, "more reason"))"] : [])
    }

    /// "model.text: 0 → 4, written by FormModel.text.setter Form.swift:20".
    private func reason(_ change: ExportDiff.ReasonChange) -> String {
        "\(Printable.text(change.reason)): \(Counted.grouped(change.old)) → \(Counted.grouped(change.new))"
            + Cause.origin(chain: change.chain, writer: change.writer)
    }

    /// Hangs of no view, where their number differs; at most one text.
    var hangsOfNoView: [String] {
        let (old, new) = diff.hangsOfNoView
        return old == new ? [] : ["hangs without a view: \(Counted.grouped(old)) → \(Counted.grouped(new))"]
    }

    /// What costs most now, where something does.
    var costs: [String] { diff.verdict?.costs ?? [] }

    /// Everything in one line.
    var summary: String {
        let counts = ExportDiff.Kind.allCases.compactMap { kind -> String? in
            let count = diff.changes.count { $0.kind == kind }
            guard count > 0 else { return nil }
            return kind == .otherReasons ? "\(count) for other reasons" : "\(Counted.grouped(count)) \(kind.rawValue)"
        }
        let changes = counts.isEmpty ? "nothing differs" : counts.joined(separator: ", ")
        let total = "\(diff.old.text) → \(diff.new.text)"
        return "\(Counted.text(diff.changes.count + diff.same, "view")): \(changes). \(total)."
    }

    package var faults: [String] {
        let increased = diff.increased
        let first = increased.first.map { [headline($0)] + details($0).map { "  " + $0 } } ?? []
        let more = increased.count > 1 ? ["and \(Counted.text(increased.count - 1, "more view"))"] : []
        return first + more + (diff.hangsOfNoView.new > diff.hangsOfNoView.old ? hangsOfNoView : [])
    }

    package var verdict: String {
        guard diff.isIncreased else { return "the exports cannot be compared: their counts are NOT EXACT." }
        return diff.increased.isEmpty
            ? "there are more hangs than before."
            : "\(Counted.text(diff.increased.count, "view")) cost more than before."
    }
}
