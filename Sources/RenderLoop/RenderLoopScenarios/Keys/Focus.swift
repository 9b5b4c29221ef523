// SPDX-License-Identifier: MIT
// The focus, and what each key does to the control that has it.

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

    /// The control that has the focus; nil if there is none at all.
    package var control: ScreenControl? { controls.isEmpty ? nil : controls[index] }

    /// What a key does. Nil for one that means nothing here.
    package mutating func press(_ key: Key) -> KeyAction? {
        switch key {
        case .end: return .quit
        // Slow lines bring an arrow key in two pieces, of which this is the first.
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
