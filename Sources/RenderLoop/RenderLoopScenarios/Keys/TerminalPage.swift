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

// Parses a terminal's input into keys; each key acts on the control that has the focus.

package enum Key: Hashable, Sendable {
    case tab, backTab, up, down, left, right, enter, backspace, escape
    /// The end of the input: Ctrl-D, or Ctrl-C where that is no signal.
    case end
    /// A character that is text.
    case character(Character)
}

/// Makes keys of bytes, in whatever pieces they come.
package struct KeyParser: Sendable {
    /// The start of a sequence or of a character; never longer than ``longest``.
    private var pending: [UInt8] = []
    private static let longest = 32

    package init() {}

    /// The keys that are complete with these bytes. An escape at the end is the key of that name.
    package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            pending.append(byte)
            if let key = finish() { keys.append(key) }
            if pending.count > Self.longest { pending = [] }
        }
        if pending == [0x1B] {
            pending = []
            keys.append(.escape)
        }
        return keys
    }

    /// Takes what is pending if it is a key, or nothing that can become one.
    private mutating func finish() -> Key? {
        guard let first = pending.first, let last = pending.last else { return nil }
        if first == 0x1B { return finishSequence(last) }
        // A character that ends too early is dropped; what came instead is not.
        if pending.count > 1, !(0x80...0xBF).contains(last) {
            pending = [last]
            return finish()
        }
        if first < 0x80 {
            pending = []
            return Self.key(first)
        }
        return finishCharacter(first)
    }

    /// `ESC [ parameters final` or `ESC O final`.
    private mutating func finishSequence(_ last: UInt8) -> Key? {
        if pending.count == 1 { return nil }
        if pending.count == 2 {
            if last == UInt8(ascii: "[") || last == UInt8(ascii: "O") { return nil }
            // Alt with a key, or an escape and a key: the key alone has a meaning here. Another escape may begin one.
            pending = last == 0x1B ? [last] : []
            return last == 0x1B ? .escape : Self.key(last)
        }
        guard (0x40...0x7E).contains(last) else { return nil }
        pending = []
        return switch last {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "Z"): .backTab
        default: nil
        }
    }

    /// A character of several bytes; one that is not valid is dropped.
    private mutating func finishCharacter(_ first: UInt8) -> Key? {
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard pending.count >= length else { return nil }
        defer { pending = [] }
        guard let text = String(validating: pending, as: UTF8.self), let character = text.first else { return nil }
        return character.unicodeScalars.allSatisfy(\.isTyped) ? .character(character) : nil
    }

    private static func key(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03, 0x04: .end
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x20...0x7E: .character(Character(Unicode.Scalar(byte)))
        default: nil
        }
    }
}

/// What a key leads to.
package enum KeyAction: Hashable, Sendable {
    /// The user does something on the screen.
    case step(ScriptStep)
    /// Another control has the focus.
    case focus
    /// The user wants to leave.
    case quit
}

/// The control that has the focus.
package struct Focus: Hashable, Sendable {
    /// All controls, in the order of the tab key.
    package let controls: [ScreenControl]
    /// The place of the one with the focus.
    package private(set) var index = 0
    /// Where the sliders stand, which all begin in the middle.
    private var values: [String: Double] = [:]
    private static let sliderStep = 0.1

    /// Begins at the first control.
    package init(_ controls: [ScreenControl]) { self.controls = controls }

    /// The control that has the focus; nil on a screen without controls.
    package var control: ScreenControl? { controls.isEmpty ? nil : controls[index] }

    /// What a key does. Nil for one that means nothing here.
    package mutating func press(_ key: Key) -> KeyAction? {
        switch key {
        case .end: return .quit
        // Slow lines bring an arrow key in two pieces, and this is the first.
        case .escape: return nil
        case .tab, .down: return move(1)
        case .backTab, .up: return move(-1)
        case .left: return control?.kind == .slider ? slide(-Self.sliderStep) : move(-1)
        case .right: return control?.kind == .slider ? slide(Self.sliderStep) : move(1)
        case .enter: return tap()
        case .backspace: return control?.kind == .field ? .step(.type("\u{7F}")) : nil
        case .character(let character): return type(character)
        }
    }

    private mutating func move(_ distance: Int) -> KeyAction? {
        guard controls.count > 1 else { return nil }
        index = (index + distance + controls.count) % controls.count
        return .focus
    }

    private func tap() -> KeyAction? {
        guard let control, control.kind == .button else { return nil }
        return .step(.tap(control.name))
    }

    private func type(_ character: Character) -> KeyAction? {
        if control?.kind == .field { return .step(.type(String(character))) }
        return switch character {
        case " ": tap()
        case "q", "Q": .quit
        default: nil
        }
    }

    private mutating func slide(_ distance: Double) -> KeyAction? {
        guard let control else { return nil }
        // By whole steps: tenths do not add up to one.
        let tenths = ((values[control.name, default: 0.5] + distance) * 10).rounded()
        let value = min(max(tenths / 10, 0), 1)
        values[control.name] = value
        return .step(.slide(value))
    }
}
