// SPDX-License-Identifier: MIT
// `rerenderctl pulse`: highlights a view in its app.

import ArgumentParser
import RerenderShow

/// Asks an app to show one of its views.
struct PulseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulse",
        abstract: "Highlight a view in its app and print its counts.",
        discussion: """
            KEY is a view's key as `stats` shows it, or a part of one that matches a
            single view. In a window of GTK 4, a red border appears around each of its
            widgets and fades within a second. An app with another screen runs the
            handler that it set on the store (onPulse). It also prints the view's counts
            to its standard error, unless console logging is off. The status is 1 if
            nothing of the view is on the screen.

            Examples:
              rerenderctl pulse CartTotal
              rerenderctl pulse Row --process 4711
            """)

    @Argument(
        help: ArgumentHelp("The view's key, or a part of it.", valueName: "key"), completion: DaemonCompletion.keys)
    var key: String

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let session = try Session.current()
        let target = try await ViewTarget.find(key, selection, session)
        let request = PulseRequest(key: target.key.rawValue, StoreID(target.store).selection)
        let report = try await session.daemon.document(.post(.pulse, request), as: CommandReport.self)
        try Console.output.show(
            try CommandText.pulsed(target.key, in: StoreID(target.store), StoreLabels.full(target.store), report))
    }
}
