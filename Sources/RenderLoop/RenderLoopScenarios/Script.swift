// SPDX-License-Identifier: MIT
// Scripts: the steps of a user, one a turn, and the controls of a screen that they operate.

/// What a user does at once.
package enum ScriptStep: Hashable, Sendable, CustomStringConvertible {
    /// Taps the button of a name.
    case tap(String)
    /// Types a text, all of it between two frames.
    case type(String)
    /// Moves the slider to a value from 0 to 1.
    case slide(Double)
    /// Does nothing, while the scenario's own clock beats once.
    case wait

    /// As it stands in a script.
    package var description: String {
        switch self {
        case .tap(let name): "tap:\(Self.escaped(name))"
        case .type(let text): "type:\(Self.escaped(text))"
        case .slide(let value): "slide:\(value)"
        case .wait: "wait"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "," || $1 == "\\" ? "\\\($1)" : "\($1)" }
    }
}

/// Steps, in their order: `tap:heart,type:abc,slide:0.7,wait`.
///
/// In a text a comma is written `\,` and a backslash `\\`.
package struct Script: Hashable, Sendable {
    /// More than a person does; a bound for what is typed by mistake.
    package static let stepLimit = 10_000
    /// The longest text of one step, in characters.
    package static let textLimit = 1_000

    /// The steps; never empty.
    package let steps: [ScriptStep]

    /// Reads a script; an error names the step and says what there is.
    package init(parsing text: String) throws(ScriptError) {
        let parts = try Self.split(text)
        guard parts.count <= Self.stepLimit else {
            throw ScriptError("the script has \(parts.count) steps; at most \(Self.stepLimit) are run")
        }
        var steps: [ScriptStep] = []
        for (index, part) in parts.enumerated() {
            do {
                steps.append(try Self.step(part))
            } catch {
                throw ScriptError(step: index + 1, part, "\(error)")
            }
        }
        self.steps = steps
    }

    /// What each step operates; an error lists what the screen has.
    package func check(_ controls: [ScreenControl], of scenario: String) throws(ScriptError) {
        for (index, step) in steps.enumerated() {
            let isThere =
                switch step {
                case .tap(let name): controls.contains(.button(name))
                case .type: controls.contains { $0.kind == .field }
                case .slide: controls.contains { $0.kind == .slider }
                case .wait: true
                }
            guard !isThere else { continue }
            throw ScriptError(
                step: index + 1, step.description,
                "that is not on the screen of \(scenario), which has \(controls.listing)")
        }
    }

    /// The parts between commas, with what is escaped taken literally.
    private static func split(_ text: String) throws(ScriptError) -> [String] {
        var parts = [""]
        var characters = text.makeIterator()
        while let character = characters.next() {
            if character == "," {
                parts.append("")
                continue
            }
            // After a backslash, a comma or another one.
            let literal = character == "\\" ? characters.next() : character
            guard let literal, character == literal || literal == "," else { throw ScriptError(escaped: literal) }
            parts[parts.count - 1].append(literal)
        }
        return parts
    }

    private static func step(_ part: String) throws(ScriptError) -> ScriptStep {
        let sides = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = sides.count == 2 ? sides[1] : nil
        switch sides[0] {
        case "tap":
            guard let argument, !argument.isEmpty else {
                throw ScriptError("a tap needs the name of a button, as in tap:heart")
            }
            return .tap(argument)
        case "type":
            guard let argument, !argument.isEmpty, argument.count <= textLimit else {
                throw ScriptError("type needs 1 to \(textLimit) characters, as in type:abc")
            }
            guard argument.unicodeScalars.allSatisfy(\.isTyped) else {
                throw ScriptError("control characters cannot be typed")
            }
            return .type(argument)
        case "slide":
            guard let argument, let value = Double(argument), (0...1).contains(value) else {
                throw ScriptError("slide needs a number from 0 to 1, as in slide:0.7")
            }
            return .slide(value)
        case "wait":
            guard argument == nil else { throw ScriptError("wait stands alone; for longer, write it several times") }
            return .wait
        default: throw ScriptError("a step is one of tap:NAME, type:TEXT, slide:NUMBER and wait")
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is text: not a control character, which a terminal would obey.
    package var isTyped: Bool { properties.generalCategory != .control }
}

/// Why a script cannot be run.
package struct ScriptError: Error, CustomStringConvertible {
    /// What is wrong and what would be right.
    package let description: String

    /// What is shown of a step that is in the way.
    private static let shownCharacters = 60

    fileprivate init(_ description: String) { self.description = description }

    fileprivate init(escaped: Character?) {
        let text = escaped.map { "'\($0)'" } ?? "its end"
        self.init("in a script a backslash stands before a comma or a backslash, not before \(text)")
    }

    fileprivate init(step number: Int, _ text: String, _ fault: String) {
        let start = text.prefix(Self.shownCharacters)
        let excerpt = start.endIndex == text.endIndex ? text : start + "…"
        self.init("step \(number) of the script, '\(excerpt)': \(fault)")
    }
}

/// Something on a scenario's screen that takes input; always there.
package struct ScreenControl: Hashable, Sendable {
    /// What it does with input.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Is tapped.
        case button
        /// Is typed into.
        case field
        /// Has a value from 0 to 1.
        case slider
    }

    /// By which input finds it; also what a user reads.
    package let name: String
    /// What it does with input.
    package let kind: Kind

    package static func button(_ name: String) -> ScreenControl { ScreenControl(name: name, kind: .button) }
    package static func field(_ name: String) -> ScreenControl { ScreenControl(name: name, kind: .field) }
    package static func slider(_ name: String) -> ScreenControl { ScreenControl(name: name, kind: .slider) }
}

extension [ScreenControl] {
    /// All controls for a message: `the buttons heart and season, the field name`.
    package var listing: String {
        let parts = ScreenControl.Kind.allCases.compactMap { kind -> String? in
            let names = filter { $0.kind == kind }.map(\.name)
            return switch names.count {
            case 0: nil
            case 1: "the \(kind.rawValue) \(names[0])"
            default: "the \(kind.rawValue)s \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
            }
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
