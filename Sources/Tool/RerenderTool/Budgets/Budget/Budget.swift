// SPDX-License-Identifier: MIT
// The limits that a budget file sets for views.

import RerenderModel

/// A budget: limits for views and for everything together.
package struct Budget: Hashable, Sendable {
    /// The version of the file that this program writes, and the only one that it reads.
    static let currentVersion = 1

    /// What is allowed; nothing where nil.
    package struct Limits: Hashable, Sendable {
        /// The most of each; a measure that is absent is not limited.
        var most: [Measure: UInt64] = [:]
        /// The recommended maximum of the 95th percentile of the body times. Never fails a check.
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
    package struct Line: Hashable, Sendable {
        var pattern: KeyPattern
        var limits = Limits()
        /// What its author has to say of it.
        var note: String?
    }

    /// For all views of all processes, those in no line included.
    package var total = Limits()
    /// By text; no text twice.
    package var views: [Line] = []

    package init(total: Limits = Limits(), views: [Line] = []) {
        (self.total, self.views) = (total, views)
    }
}

/// Finds the line of a view.
package struct LineIndex: Sendable {
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

    /// Views by the line that they count for; by nil those in no line.
    func grouped(_ views: [KeyTally]) -> [Int?: [KeyTally]] { Dictionary(grouping: views) { line(of: $0.key) } }
}
