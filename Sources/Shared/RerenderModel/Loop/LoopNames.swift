// SPDX-License-Identifier: MIT
// The parts and stretches of a main loop by the names that traces have for them.

extension LoopTotals {
    /// Its parts, each with the name of its property.
    package static var tracedParts: [(name: String, path: WritableKeyPath<LoopTotals, LoopPart>)] {
        [
            ("bodies", \.bodies), ("style", \.style), ("layout", \.layout), ("update", \.update),
            ("snapshot", \.snapshot), ("drawing", \.drawing), ("sources", \.sources), ("loop", \.loop),
        ]
    }

    /// Its stretches, each with the name of its property.
    package static var tracedStretches: [(name: String, path: WritableKeyPath<LoopTotals, QuietStretch>)] {
        [("frames", \.frames), ("spinning", \.spinning), ("busy", \.busy)]
    }
}

/// Cases by their places, as traces have them: 1 is the first, and 0 stands for none.
package enum TraceCode {
    /// The code of a case.
    package static func code<Case: CaseIterable & Equatable>(_ value: Case) -> UInt8 {
        UInt8(clamping: (Array(Case.allCases).firstIndex(of: value) ?? -1) + 1)
    }

    /// The case of a code; nil for that of none, and for one that is not known.
    package static func value<Case: CaseIterable>(_ code: UInt8) -> Case? {
        code == 0 ? nil : Array(Case.allCases).dropFirst(Int(code) - 1).first
    }
}
