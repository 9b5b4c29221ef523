// SPDX-License-Identifier: MIT
// The command to run, as `run`, `record` and `check` take it after their options.

import ArgumentParser
import RerenderModel

/// A command after `--`.
///
/// The parser passes everything on from the first word that is no known option, so a mistyped option ends up here too.
struct CommandArgument: ParsableArguments {
    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
    var captured: [String] = []

    /// The command without the `--` before it.
    var words: [String] { captured.first == "--" ? Array(captured.dropFirst()) : captured }

    /// Whether there is a command. Shows the help of `owner` for `--help`, and refuses unknown options.
    func isGiven(to owner: any ParsableCommand.Type) throws -> Bool {
        if captured == ["--help"] || captured == ["-h"] { throw CleanExit.helpRequest(owner) }
        guard let program = words.first, !program.isEmpty else { return false }
        if captured.first != "--", program.hasPrefix("-") {
            throw ValidationError(
                "Unknown option '\(Printable.text(program))'.\nPut -- before a command of this name.")
        }
        return true
    }
}
