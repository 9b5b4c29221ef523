// SPDX-License-Identifier: MIT
// Faults for which a check fails, whatever the budget says.

import ArgumentParser
package import RerenderShow

/// A kind of fault, as `--fail-on` names it.
struct FaultKind: ExpressibleByArgument, Hashable, Sendable {
    let kind: Verdict.Kind

    init?(argument: String) {
        guard let kind = Verdict.Kind(rawValue: argument), kind.isMarked else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] { Verdict.Kind.allCases.filter(\.isMarked).map(\.rawValue) }
}

/// Findings of one kind.
package struct FoundFault: Hashable, Encodable, Sendable {
    package let kind: Verdict.Kind
    let count: UInt64
    /// The sentences of those that the verdict names.
    let findings: [String]

    /// `2 findings of the kind "sameFrames"`.
    var text: String { "\(Counted.text(count, "finding")) of the kind \"\(kind.rawValue)\"" }
}

extension Tally {
    /// What was found of some kinds, in their order; none of a kind that was not.
    func faults(of kinds: [Verdict.Kind]) -> [FoundFault] {
        kinds.compactMap { kind in
            guard let verdict, verdict.count(of: kind) > 0 else { return nil }
            let named = verdict.findings.filter { $0.kind == kind }.map(\.readable)
            return FoundFault(kind: kind, count: verdict.count(of: kind), findings: named)
        }
    }

    /// Why faults cannot be told, where a check fails for some; empty where they can.
    func gaps(failingOn kinds: [Verdict.Kind]) -> [String] {
        kinds.isEmpty || verdict != nil || processes == 0 ? [] : ["faults are not known: the export has no verdict"]
    }
}
