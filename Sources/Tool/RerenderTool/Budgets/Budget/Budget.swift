// SPDX-License-Identifier: MIT
// A budget: the limits of views, the patterns of their keys, and the making of a budget from a run.

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
            Limits(most: Dictionary(uniqueKeysWithValues: Measure.ofViews.map { ($0, amounts[$0]) }))
        }

        /// The same limits with the numbers that were counted. What goes on without input differs from run to run: people choose its limits.
        func refreshed(_ amounts: Amounts) -> Limits {
            var limits = self
            for measure in most.keys where Measure.ofViews.contains(measure) { limits.most[measure] = amounts[measure] }
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

    /// The one line that a view counts for: its key's, else that of the glob which gives most; nil without one.
    func line(of key: ViewKey) -> Int? {
        exact[key] ?? globs.first { $0.pattern.fits(key) }?.index
    }

    /// Views by the line that they count for; by nil those in no line.
    func grouped(_ views: [KeyTally]) -> [Int?: [KeyTally]] { Dictionary(grouping: views) { line(of: $0.key) } }
}

/// A key or a pattern: `*` matches any text, `?` any one character, and `\` escapes the next character.
///
/// Characters are Unicode scalars, and case counts.
package struct KeyPattern: Hashable, Comparable, Sendable {
    private enum Part: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case one
        case any
    }

    /// As it is written in a budget.
    package let text: String
    private let parts: [Part]

    /// Reads a pattern; nil where it ends with a `\` that takes nothing its meaning.
    init?(_ text: String) {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                parts.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            // Two stars are one, and would only take longer.
            case "*": if parts.last != .any { parts.append(.any) }
            case "?": parts.append(.one)
            default: parts.append(.scalar(scalar))
            }
        }
        guard !isEscaped else { return nil }
        (self.text, self.parts) = (text, parts)
    }

    /// The pattern of this key and no other.
    init(exactly key: ViewKey) {
        let special: Set<Unicode.Scalar> = ["*", "?", "\\"]
        var text = String.UnicodeScalarView()
        for scalar in key.rawValue.unicodeScalars {
            if special.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        self.text = String(text)
        parts = key.rawValue.unicodeScalars.map { .scalar($0) }
    }

    /// The only key that it fits; nil of a glob.
    var key: ViewKey? {
        var key = String.UnicodeScalarView()
        for part in parts {
            guard case .scalar(let scalar) = part else { return nil }
            key.append(scalar)
        }
        return ViewKey(rawValue: String(key))
    }

    /// How much of it is given: of two globs that fit a key, the one with more is meant.
    var givenScalars: Int {
        parts.count { if case .scalar = $0 { true } else { false } }
    }

    /// As it may be shown.
    var displayName: String { Printable.text(text) }

    /// Whether a key fits. At most the product of both lengths in steps.
    func fits(_ key: ViewKey) -> Bool {
        let scalars = Array(key.rawValue.unicodeScalars)
        var (at, part) = (0, 0)
        // Where the last star stood, and how far it reaches so far.
        var star: (part: Int, at: Int)?
        while at < scalars.count {
            if part < parts.count, parts[part] == .any {
                star = (part, at)
                part += 1
            } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(scalars[at]) {
                (at, part) = (at + 1, part + 1)
            } else if let last = star {
                star = (last.part, last.at + 1)
                (at, part) = (last.at + 1, last.part + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .any }
    }

    package static func < (lhs: KeyPattern, rhs: KeyPattern) -> Bool {
        lhs.text < rhs.text
    }
}

/// Makes budgets from runs.
package enum BudgetUpdate {
    /// The budget that this run keeps exactly.
    ///
    /// Of an old budget its globs stay, and so do notes, advised times and which measures a line limits; numbers become
    /// the run's. Lines of keys that were not seen go, and views in no line get one.
    package static func budget(from tally: Tally, old: Budget?) -> Budget {
        var budget = Budget()
        budget.total = old?.total.refreshed(tally.amounts) ?? .exactly(tally.amounts)
        let lines = old?.views ?? []
        let viewsByLine = LineIndex(lines).grouped(tally.seen)
        for view in viewsByLine[nil] ?? [] {
            budget.views.append(Budget.Line(pattern: KeyPattern(exactly: view.key), limits: .exactly(view.amounts)))
        }
        for (index, line) in lines.enumerated() {
            let views = viewsByLine[index] ?? []
            guard !views.isEmpty || line.pattern.key == nil else { continue }
            var line = line
            line.limits = line.limits.refreshed(views.amounts)
            budget.views.append(line)
        }
        budget.views.sort { $0.pattern < $1.pattern }
        return budget
    }
}
