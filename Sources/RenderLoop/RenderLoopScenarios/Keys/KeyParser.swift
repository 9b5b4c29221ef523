// SPDX-License-Identifier: MIT
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
