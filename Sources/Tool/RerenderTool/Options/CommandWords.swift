// SPDX-License-Identifier: MIT
// The command behind `--` in the arguments of another.

import ArgumentParser
import RerenderModel

/// Tells a command to run from our own options, where the parser passes on everything from the first word it takes.
enum CommandWords {
    /// The command without the `--` before it.
    static func of(_ captured: [String]) -> [String] {
        captured.first == "--" ? Array(captured.dropFirst()) : captured
    }

    /// Whether there is a command; throws a validation error where an option that we do not know stands in its place.
    static func checked(_ captured: [String]) throws -> Bool {
        guard let program = of(captured).first, !program.isEmpty else { return false }
        if captured.first != "--", program.hasPrefix("-") {
            throw ValidationError("Unknown option '\(Printable.text(program))'. Put -- before a command of that name.")
        }
        return true
    }
}
