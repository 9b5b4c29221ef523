// SPDX-License-Identifier: MIT
// Matches view keys against the entries of a budget.

import RerenderModel

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
