// SPDX-License-Identifier: MIT
// The value of `--watch`.

import ArgumentParser

/// How many seconds lie between two tables.
///
/// Takes any text and keeps what was wrong with it for ``checked()``: an option whose value may be left out falls back
/// to its default, in silence, where its type refuses the text.
struct WatchInterval: ExpressibleByArgument, CustomStringConvertible {
    /// Nil where the text is no number.
    private let seconds: Double?

    /// What `--watch` alone means.
    static let usual = WatchInterval(argument: "2")
    private static let range = 0.1...86_400

    init(argument: String) {
        seconds = Double(argument)
    }

    /// Whether the option was given with a `=` and nothing behind it, which the parser takes for the option alone.
    static var isLeftEmpty: Bool { CommandLine.arguments.contains("--watch=") }

    /// The seconds. Throws if the text is no valid interval.
    func checked() throws -> Double {
        guard let seconds, Self.range.contains(seconds), !Self.isLeftEmpty else {
            throw ValidationError("--watch takes 0.1 to 86400 seconds.")
        }
        return seconds
    }

    /// Nothing: the help would show it as "default as flag", so the option's own text names the default.
    var description: String { "" }
}
