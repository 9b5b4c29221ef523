// SPDX-License-Identifier: MIT
// `rerenderctl hud`, `highlight` and `pulse`: overlays of an app above its own windows and views.

import ArgumentParser
import RerenderShow

/// On or off.
enum OverlayState: String, ExpressibleByArgument, CaseIterable {
    case on, off
}

/// Switches the HUD.
struct HUDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hud",
        abstract: "Show or hide a table of views above an app's window.",
        discussion: """
            The app must have a window of GTK 4. It was started with `rerenderctl run` or
            with `run --hud`, or it links RerenderGTK.

            Examples:
              rerenderctl hud on
              rerenderctl hud off --process shop
            """)

    @OptionGroup var options: OverlayOptions

    func run() async throws { try await options.set(.hud) }
}

/// Switches the highlight.
struct HighlightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "highlight",
        abstract: "Flash each widget or view as it redraws.",
        discussion: """
            Each widget that draws again flashes red with its count, or orange if the
            result is what it was; so does each view of a render loop that is evaluated
            again. A flash fades within 0.3 seconds. The app must have a window of GTK 4.
            It was started with `rerenderctl run` or `run --hud`, or it links RerenderGTK.

            Examples:
              rerenderctl highlight on
              rerenderctl highlight off --process shop
            """)

    @OptionGroup var options: OverlayOptions

    func run() async throws { try await options.set(.highlight) }
}

/// What both commands take, and do with it.
struct OverlayOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Switch it on or off.", valueName: "on|off"))
    var state: OverlayState

    @OptionGroup var selection: SelectionOptions

    /// Asks apps for it, and prints what became of it.
    func set(_ overlay: ScreenOverlay) async throws {
        let session = try Session.current(process: selection.choice.process)
        guard try await !session.selected(selection).isEmpty else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "No process is connected.\nStart a program with: rerenderctl run --inject -- PROGRAM")
        }
        let request = OverlayRequest(overlay, on: state == .on, selection.choice)
        let report = try await session.daemon.document(.post(.overlay, request), as: CommandReport.self)
        try Console.output.show(try CommandText.overlaid(overlay, isOn: state == .on, report))
    }
}

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
        let session = try Session.current(process: selection.choice.process)
        let target = try await ViewTarget.find(key, selection, session)
        let request = PulseRequest(key: target.key.rawValue, StoreID(target.store).selection)
        let report = try await session.daemon.document(.post(.pulse, request), as: CommandReport.self)
        try Console.output.show(
            try CommandText.pulsed(target.key, in: StoreID(target.store), StoreLabels.full(target.store), report))
    }
}
