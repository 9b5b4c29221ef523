// SPDX-License-Identifier: MIT
// A short text of what a user did since the last turn.

/// Steps in their order, where what was typed key by key is one text.
package struct DoneSteps: Hashable, Sendable {
    private enum Part: Hashable {
        /// Joined, so that an emoji that came in several keys is one again.
        case typed(String)
        case erased(Int)
        case other(String)
    }

    private var parts: [Part]

    /// Begins with what was no step of a user's.
    package init(_ first: String...) { parts = first.map(Part.other) }

    /// Adds what a user did.
    package mutating func add(_ step: ScriptStep) {
        switch (step, parts.last) {
        case (.type("\u{7F}"), .erased(let count)): parts[parts.count - 1] = .erased(count + 1)
        case (.type("\u{7F}"), _): parts.append(.erased(1))
        case (.type(let text), .typed(let before)): parts[parts.count - 1] = .typed(before + text)
        case (.type(let text), _): parts.append(.typed(text))
        default: parts.append(.other(step.description))
        }
    }

    /// All of them, with commas between.
    package var text: String { parts.map(Self.text(of:)).joined(separator: ",") }

    private static func text(of part: Part) -> String {
        switch part {
        case .typed(let text): ScriptStep.type(text.isSeen ? text : text.scalarNames).description
        case .erased(let count): count == 1 ? "backspace" : "backspace \(count)×"
        case .other(let text): text
        }
    }
}

extension String {
    /// Whether any of it shows where it stands alone: a joiner or an accent that came a turn after its letter does not.
    fileprivate var isSeen: Bool {
        unicodeScalars.contains {
            !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .nonspacingMark
        }
    }

    /// `U+200D U+FE0F`
    fileprivate var scalarNames: String {
        unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }.joined(separator: " ")
    }
}
