// SPDX-License-Identifier: MIT
// Scripts: the steps of a user, one a turn.

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
        guard parts.count <= Self.stepLimit else { throw .tooManySteps(parts.count) }
        var steps: [ScriptStep] = []
        for (index, part) in parts.enumerated() {
            do {
                steps.append(try Self.step(part))
            } catch {
                throw .badStep(number: index + 1, text: part, error)
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
            throw .noControl(number: index + 1, step, scenario: scenario, listing: controls.listing)
        }
    }

    /// The parts between commas, with what is escaped taken literally.
    private static func split(_ text: String) throws(ScriptError) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in text {
            if isEscaped {
                guard character == "," || character == "\\" else { throw .badEscape(character) }
                parts[parts.count - 1].append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        guard !isEscaped else { throw .badEscape(nil) }
        return parts
    }

    private static func step(_ part: String) throws(StepFault) -> ScriptStep {
        let sides = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = sides.count == 2 ? sides[1] : nil
        switch sides[0] {
        case "tap":
            guard let argument, !argument.isEmpty else { throw .needsName }
            return .tap(argument)
        case "type":
            guard let argument, !argument.isEmpty, argument.count <= textLimit else { throw .needsText }
            guard argument.unicodeScalars.allSatisfy(\.isTyped) else { throw .controlCharacter }
            return .type(argument)
        case "slide":
            guard let argument, let value = Double(argument), (0...1).contains(value) else { throw .needsValue }
            return .slide(value)
        case "wait":
            guard argument == nil else { throw .waitsAlone }
            return .wait
        default: throw .unknown
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is text: not a control character, which a terminal would obey.
    package var isTyped: Bool { properties.generalCategory != .control }
}

/// What is wrong with one step.
package enum StepFault: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown, needsName, needsText, needsValue, controlCharacter, waitsAlone

    /// What would be right.
    package var description: String {
        switch self {
        case .unknown: "a step is one of \(ScriptError.steps)"
        case .needsName: "a tap needs the name of a button, as in tap:heart"
        case .needsText: "type needs 1 to \(Script.textLimit) characters, as in type:abc"
        case .needsValue: "slide needs a number from 0 to 1, as in slide:0.7"
        case .controlCharacter: "control characters cannot be typed"
        case .waitsAlone: "wait stands alone; for longer, write it several times"
        }
    }
}

/// Why a script cannot be run.
package enum ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooManySteps(Int)
    case badEscape(Character?)
    case badStep(number: Int, text: String, StepFault)
    case noControl(number: Int, ScriptStep, scenario: String, listing: String)

    /// What is shown of a step that is in the way.
    private static let shownCharacters = 60

    static let steps = "tap:NAME, type:TEXT, slide:NUMBER and wait"

    /// What is wrong and what would be right.
    package var description: String {
        switch self {
        case .tooManySteps(let count): "the script has \(count) steps; at most \(Script.stepLimit) are run"
        case .badEscape(let character):
            "in a script a backslash stands before a comma or a backslash, not before "
                + (character.map { "'\($0)'" } ?? "its end")
        case .badStep(let number, let text, let fault):
            "step \(number) of the script, '\(Self.excerpt(text))': \(fault)"
        case .noControl(let number, let step, let scenario, let listing):
            "step \(number) of the script, '\(Self.excerpt(step.description))': "
                + "that is not on the screen of \(scenario), which has \(listing)"
        }
    }

    private static func excerpt(_ text: String) -> String {
        let start = text.prefix(shownCharacters)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}
