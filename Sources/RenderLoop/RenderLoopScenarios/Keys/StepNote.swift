// SPDX-License-Identifier: MIT
// What the last step did, in one line of a terminal.

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
