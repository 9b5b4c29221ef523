// SPDX-License-Identifier: MIT
// `rerenderctl reset`: sets counts to zero.

import ArgumentParser
import RerenderShow

/// Sets the totals of connected stores to zero.
struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Reset the totals of connected apps to zero.",
        discussion: """
            Every selected store starts a new epoch. Without options, that is every
            connected store. Processes that ended keep their totals.

            Examples:
              rerenderctl reset
              rerenderctl reset --process shop --store main
            """)

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let session = try Session.current()
        guard try await !session.selected(selection).isEmpty else {
            return try Console.output.show("No process is connected: nothing to reset.")
        }
        let report = try await session.daemon.document(.post(.reset, selection.choice), as: CommandReport.self)
        try Console.output.show(try CommandText.done("reset", report))
    }
}
