// SPDX-License-Identifier: MIT
// The page of a terminal while a user operates a screen, with notes on the latest steps and their results.

/// The text that draws a page over the one before.
package enum TerminalPage {
    /// The page, with the control sequences that put it in place.
    ///
    /// - Parameters:
    ///   - title: What is shown.
    ///   - screen: The committed screen.
    ///   - focus: The controls, of which the one with the focus is marked.
    ///   - note: What the last step did.
    ///   - columns: How wide the terminal is; longer lines are cut.
    ///   - lines: How high it is; further lines are left out.
    package static func text(
        title: String, screen: String, focus: Focus, note: StepNote, columns: Int, lines: Int
    ) -> String {
        let width = max(columns - 1, 1)
        let all =
            [title, ""] + screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + ["", controls(focus), note.line(columns: width), "", keys(focus)]
        let visible = all.prefix(max(lines - 1, 1)).map { String($0.prefix(width)) + clearsLine }
        return home + visible.joined(separator: "\n") + clearsBelow
    }

    private static func controls(_ focus: Focus) -> String {
        focus.controls.enumerated().map { index, control in
            index == focus.index ? "▸\(control.name)◂" : " \(control.name) "
        }.joined(separator: " ")
    }

    /// What the keys do where the focus is: a field takes `q` as a text.
    private static func keys(_ focus: Focus) -> String {
        switch focus.control?.kind {
        case .button: "tab, arrows: focus   enter, space: tap   q: quit"
        case .slider: "tab, up, down: focus   left, right: slide   q: quit"
        case .field: "tab, arrows: focus   characters: type   Ctrl-C: quit"
        case nil: "q: quit"
        }
    }

    private static let home = "\u{1B}[H"
    private static let clearsLine = "\u{1B}[K"
    private static let clearsBelow = "\u{1B}[J"
}

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

/// An action and what came of it.
package struct StepNote: Hashable, Sendable {
    private let action: String
    private let outcome: String
    /// What is kept of an action, however long the outcome is.
    private static let leastAction = 12

    /// - Parameters:
    ///   - action: What was done; may be of any length.
    ///   - outcome: What was evaluated; may not be pushed off the screen.
    package init(_ action: String = "", _ outcome: String = "") {
        self.action = action
        self.outcome = outcome
    }

    /// Both in a line of at most so many columns: the action is cut first.
    package func line(columns: Int) -> String {
        let gap = action.isEmpty || outcome.isEmpty ? "" : " "
        let room = max(columns - gap.count - outcome.cellWidth, min(Self.leastAction, columns))
        return (action.cut(to: room) + gap + outcome).cut(to: columns)
    }
}

extension String {
    fileprivate var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }

    /// Its beginning, with an ellipsis where something is missing.
    fileprivate func cut(to columns: Int) -> String {
        var width = 0
        // The end of what would still leave a column for the ellipsis.
        var end = startIndex
        for index in indices {
            width += self[index].cellWidth
            if width > columns { return columns < 1 ? "" : self[..<end] + "…" }
            if width < columns { end = self.index(after: index) }
        }
        return self
    }
}

extension Character {
    /// How many columns it takes at most: more is no harm, fewer would break the line. Wide are Hangul and what follows
    /// it, but for punctuation, arrows, signs and boxes where they are no emoji.
    fileprivate var cellWidth: Int {
        unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return properties.isEmojiPresentation || scalar == "\u{FE0F}"
                || scalar.value >= 0x1100 && !(0x2000..<0x2E80).contains(scalar.value)
        } ? 2 : 1
    }
}
