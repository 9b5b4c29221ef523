// SPDX-License-Identifier: MIT
// `rerenderctl doctor`: checks the set-up.

import ArgumentParser
import FoundationEssentials
import RerenderDaemon
import RerenderShow

/// Checks everything that a measurement needs.
struct DoctorCommand: AsyncParsableCommand, RunsWithoutSettings {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the set-up, and show how to fix it.",
        usage: "rerenderctl doctor [--json] [-- <command> ...]",
        discussion: """
            The first line says whether `run` is ready, or what is missing. A daemon that
            runs permanently is optional.

            Prints ok, warn (something optional is missing) or fail (Rerender cannot
            work) for each check, with advice below it. Checks the runtime directory,
            LTTng, the watchdog's priority, and what is not counted of programs that are
            injected; of a daemon that runs its sockets, its units and the connected
            processes. Changes nothing, but connecting starts a socket-activated daemon.

            With a command, says whether its program can be injected, and whether `run`
            does so; whether its widgets of GTK can be counted; and why not. The command
            is not run.

            Exit status: 1 if a check fails.

            Examples:
              rerenderctl doctor
              rerenderctl doctor -- ./any-swift-ui-app
              rerenderctl doctor --json | jq '.checks[] | select(.status != "ok")'
            """)

    @Flag(help: "Print the findings as JSON.")
    var json = false

    @OptionGroup var command: CommandArgument

    func validate() throws {
        if try !command.isGiven(to: Self.self), !command.captured.isEmpty {
            throw ValidationError("Add a command after --, or remove --.")
        }
    }

    /// Whether the settings file can be used, where there is one.
    private static func settings() -> [Finding] {
        if let fault = ToolSettings.fault {
            return [.fail("settings", fault, "Repair or remove the file; rerenderctl help config lists the settings")]
        }
        guard let file = ToolSettings.file, FilePath.real(file.path) != nil else { return [] }
        return [.ok("settings", Printable.text(file.path))]
    }

    func run() async throws {
        let others = Self.settings() + (command.words.first.map { InjectionChecks(of: $0).findings() } ?? [])
        let report = await ProgressLine.during("checking the set-up") { _ in
            await DoctorReport.ofThisMachine(others: others)
        }
        if json {
            try OutputStream.standardOutput.write(Array(try StatsExport.encoder().encode(report)) + [0x0A])
        } else {
            let console = Console.output
            try console.show(report.lines(width: console.width, colours: console.colours))
        }
        if report.hasFailed { throw ExitCode(ExitStatus.checkFailed) }
    }
}
