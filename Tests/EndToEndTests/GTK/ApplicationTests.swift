// SPDX-License-Identifier: MIT
// Programs whose windows are not in the process that was started, or not of GTK 4.

import Foundation
import TestSupport
import Testing

@Suite(
    "Programs without widgets of their own",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct ApplicationTests {
    private func run(_ command: [String], _ environment: [String: String]) async throws -> ChildProcess.Output {
        _ = try await ViewFixture.shared.library()
        let directory = try TemporaryDirectory()
        var environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        environment["WAYLAND_DISPLAY"] = nil
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let run = try await ChildProcess.run(
            [ChildProcess.product("rerenderctl"), "run", "--hud", "--"] + command, environment: environment)
        withExtendedLifetime(directory) {}
        return run
    }

    @Test(
        "A program that hands over to a running instance is recognised, with the process to quit",
        .enabled(if: ChildProcess.path(of: "dbus-run-session") != nil, "dbus-run-session is not installed"))
    func handover() async throws {
        let server = try await XServer()
        let program = try await WidgetFixture.program()
        var environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        environment["WAYLAND_DISPLAY"] = nil
        let first = try ChildProcess(
            [
                try ReleaseCost.path("dbus-run-session"), "--", "/bin/sh", "-c",
                "echo \"$DBUS_SESSION_BUS_ADDRESS\"; exec \"$0\" application", program,
            ], environment: environment)
        let bus = try await first.nextLine(), process = try await first.nextLine()
        let second = try await run(
            [program, "application"], server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus]) { $1 })
        #expect(second.exit == .status(0))
        let said = "handed over to a running instance, process \(process), which is not counted: quit that first"
        #expect(second.standardError.contains(said), "\(second.standardError)")
        #expect(!second.standardError.contains("called View"), "\(second.standardError)")
        #expect(!second.standardError.contains("the HUD was not shown"), "\(second.standardError)")
        // It is the one that has both windows.
        #expect(try await first.nextLine() == process)
        first.closeInput()
        #expect(await first.waitForExit() == .status(0))
    }

    @Test(
        "Of a program with GTK 3 the end says so",
        .enabled(if: ChildProcess.path(of: "gtk3-widget-factory") != nil, "gtk3-widget-factory is not installed"))
    func older() async throws {
        let ended = try await run([try ReleaseCost.path("gtk3-widget-factory"), "--version"], [:])
        #expect(
            ended.standardError.contains(
                "were not counted: its GTK is version 3, and rerender counts the widgets of GTK 4"),
            "\(ended.standardError)")
    }
}
