// SPDX-License-Identifier: MIT
// The command that `run`, `record` and `check` take after their options, and the options that inject the library into it.

import ArgumentParser
import RerenderModel
import RerenderShow

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

/// Whether the library is injected, and what it takes for views.
struct InjectOptions: ParsableArguments {
    @Flag(help: "Count the views of a Swift program that does not link the library.")
    var inject = false

    @Option(
        help: ArgumentHelp(
            "With --inject, also count types of this protocol, beside those called View. Repeatable.",
            valueName: "module.name"))
    var viewProtocol: [String] = []

    func validate() throws {
        for name in viewProtocol where !Self.isProtocol(name) {
            throw ValidationError(
                "--view-protocol takes a module and a protocol, such as MyUI.Screen, not '\(Printable.text(name))'.")
        }
    }

    /// Throws where a protocol is named and nothing is injected for certain.
    ///
    /// - Parameter ways: The options that inject, as one would type them.
    func mustInject(_ isInjected: Bool, ways: String = "--inject") throws {
        if !viewProtocol.isEmpty, !isInjected { throw ValidationError("--view-protocol needs \(ways).") }
    }

    private static func isProtocol(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !name.contains { $0 == "," || $0.isWhitespace }
    }

    /// The injection into a command, or nil where none is wanted; throws where it cannot work.
    ///
    /// - Parameter showsHUD: Whether the command gets the HUD, for which it is injected in any case.
    func injection(into command: [String], showsHUD: Bool = false) async throws(ToolFailure) -> Injection? {
        guard inject || showsHUD else { return nil }
        return try await Injection.prepare(for: command, protocols: viewProtocol, showsHUD: showsHUD)
    }
}

/// `--no-inject`.
struct NoInjectOption: ParsableArguments {
    @Flag(help: "Inject nothing, also where the command could be counted by it.")
    var noInject = false

    /// Throws where the user asked for the opposite, too.
    ///
    /// - Parameter option: The one that injects, as one would type it.
    func mustFit(_ isInjected: Bool, named option: String) throws {
        if noInject, isInjected { throw ValidationError("Choose either --no-inject or \(option).") }
    }

    /// The injection into a command that the user did not ask for; nil without one.
    func unasked(into command: [String]) -> Injection? { noInject ? nil : Injection.unasked(into: command) }
}
