// SPDX-License-Identifier: MIT
// What views may cost: the limits that a budget file sets.

import RerenderModel

/// What is counted and limited.
enum Measure: String, Hashable, Sendable, CaseIterable, Codable {
    case evaluations
    case wasted
    case hangs

    /// "5 evaluations", "1 wasted evaluation", "no hangs".
    func text(_ count: UInt64) -> String {
        let (one, many) =
            switch self {
            case .evaluations: ("evaluation", "evaluations")
            case .wasted: ("wasted evaluation", "wasted evaluations")
            case .hangs: ("hang", "hangs")
            }
        return count == 0 ? "no \(many)" : Counted.text(count, one, many)
    }
}

/// A budget: limits for views and for everything together.
struct Budget: Hashable, Sendable {
    /// The version of the file that this program writes, and the only one that it reads.
    static let currentVersion = 1

    /// What is allowed; nothing where nil.
    struct Limits: Hashable, Sendable {
        /// The most of each; a measure that is absent is not limited.
        var most: [Measure: UInt64] = [:]
        /// What the 95th percentile of the body times should be at most. Only said, never held against a run.
        var bodyP95Nanoseconds: UInt64?

        /// Limits that allow what was counted, and not one more.
        static func exactly(_ amounts: Amounts) -> Limits {
            Limits(most: Dictionary(uniqueKeysWithValues: Measure.allCases.map { ($0, amounts[$0]) }))
        }

        /// The same limits with the numbers that were counted.
        func refreshed(_ amounts: Amounts) -> Limits {
            var limits = self
            for measure in most.keys { limits.most[measure] = amounts[measure] }
            return limits
        }
    }

    /// The limits of one view, or of all views together that a glob fits.
    struct Line: Hashable, Sendable {
        var pattern: KeyPattern
        var limits = Limits()
        /// What its author has to say of it.
        var note: String?
    }

    /// For all views of all processes, those in no line included.
    var total = Limits()
    /// By text; no text twice.
    var views: [Line] = []
}

/// Finds the line of a view.
struct LineIndex: Sendable {
    private var exact: [ViewKey: Int] = [:]
    /// The ones that give most first.
    private var globs: [(index: Int, pattern: KeyPattern)] = []

    init(_ lines: [Budget.Line]) {
        for (index, line) in lines.enumerated() {
            if let key = line.pattern.key { exact[key] = index } else { globs.append((index, line.pattern)) }
        }
        globs.sort {
            let (lhs, rhs) = ($0.pattern.givenScalars, $1.pattern.givenScalars)
            return lhs != rhs ? lhs > rhs : $0.pattern < $1.pattern
        }
    }

    /// The one line that a view counts for: its key's, else that of the glob which gives most; nil if there is none.
    func line(of key: ViewKey) -> Int? {
        exact[key] ?? globs.first { $0.pattern.fits(key) }?.index
    }
}
