// SPDX-License-Identifier: MIT
// The reasons and names that a node keeps while the loop is observed.

/// What a node keeps while the loop is observed.
@MainActor
final class NodeRecord {
    /// Causes since the last evaluation, each once, at most 32, by kind and name.
    private(set) var reasons: [EvaluationReason] = []
    /// Those of the latest evaluation.
    private(set) var latest: [EvaluationReason] = []
    /// How often another reason than those came and was not kept.
    private var left: UInt64 = 0
    /// Wraps the evaluations; nil without a tool.
    var probe: (any EvaluationProbe)?

    /// More are of no use to a reader, and each new one is compared with all.
    private static let reasonLimit = 32

    func add(_ reason: EvaluationReason) {
        guard !reasons.contains(reason) else { return }
        guard reasons.count < Self.reasonLimit else { return left += 1 }
        // Sorted, because the subscribers of an object are told in an order that differs from run to run.
        reasons.insert(reason, at: reasons.firstIndex { reason.isBefore($0) } ?? reasons.endIndex)
    }

    /// What a source is called here. Weak: another one may come to be where one that is gone was.
    struct Name {
        weak var source: DependencySource?
        var name: String
    }

    private(set) var names: [Name] = []

    func setName(_ name: String, of source: DependencySource) {
        if let index = names.firstIndex(where: { $0.source === source }) {
            names[index].name = name
        } else {
            names.removeAll { $0.source == nil }
            names.append(Name(source: source, name: name))
        }
    }

    func name(of source: DependencySource) -> String? {
        names.first { $0.source === source }?.name
    }

    /// The reasons; one without a name is left out where another of its kind has one, and an object where a property of it
    /// is there. How many were not kept is the last.
    func takeReasons() -> [EvaluationReason] {
        latest = reasons.filter { reason in
            let prefix = reason.name.isEmpty ? "" : reason.name + "."
            guard reason.name.isEmpty || reason.kind == .object else { return true }
            return !reasons.contains {
                $0.kind == reason.kind && $0.name.count > prefix.count && $0.name.hasPrefix(prefix)
            }
        }
        if left > 0 { latest.append(EvaluationReason(.further, "+\(left)")) }
        left = 0
        reasons.removeAll(keepingCapacity: true)
        return latest
    }
}

extension Node {
    /// For a node that is brought up to date without evaluating a body: what is kept would be told the next time, too.
    func forgetReasons() { _ = record?.takeReasons() }
}
