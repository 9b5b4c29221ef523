// SPDX-License-Identifier: MIT
// `rerenderctl pulse`: highlights a view in its app.

import ArgumentParser
import RerenderToolBase

/// Asks an app to show one of its views.
struct PulseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulse",
        abstract: "Highlight a view in its app and print its counts.",
        discussion: """
            KEY is a view's key as `stats` shows it, or a part of one that matches a
            single view. The app runs the handler that it set on the store (onPulse). It
            also prints the view's counts to its standard error, unless console logging
            is off.

            Examples:
              rerenderctl pulse CartTotal
              rerenderctl pulse Row --process 4711
            """)

    @Argument(help: ArgumentHelp("The view's key, or a part of it.", valueName: "key"))
    var key: String

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let session = try Session.current()
        let target = try await ViewTarget.find(key, selection, session)
        let request = PulseRequest(key: target.key.rawValue, StoreID(target.store).selection)
        let report = try await session.client.document(.post(.pulse, request), as: CommandReport.self)
        try Console.output.show(try Self.text(target, report))
    }

    private static func text(_ target: ViewTarget, _ report: CommandReport) throws -> String {
        let name = StoreLabels.full(target.store)
        guard report.sent > 0, report.confirmed == report.sent else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(name) did not confirm in time that it pulsed \(target.key.displayName).\n"
                    + "It may be stopped, or its main loop may hang. See: rerenderctl stats")
        }
        let key = target.key.displayName
        return report.reached == 0
            ? "\(key) was not pulsed in \(name): \(CommandText.noPulse(in: StoreID(target.store)))"
            : "pulsed \(key) in \(name): \(Counted.text(report.reached, "handler")) ran"
    }
}
