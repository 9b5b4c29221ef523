// SPDX-License-Identifier: MIT
// The controls of a screen.

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
