// SPDX-License-Identifier: MIT
// Programs whose windows are not in the process that was started, or not of GTK 4.

import Foundation
import TestSupport
import Testing

@Suite(
    "Programs without widgets of their own",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct ApplicationTests {
    private func run(
        _ command: [String], _ environment: [String: String], option: String = "--hud"
    ) async throws -> ChildProcess.Output {
        try await Fixture.preload()
        let directory = try TemporaryDirectory()
        var environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        environment["WAYLAND_DISPLAY"] = nil
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let run = try await ChildProcess.run(
            [ChildProcess.product("rerenderctl"), "run", option, "--"] + command, environment: environment)
        withExtendedLifetime(directory) {}
        return run
    }

    /// A first instance on a session bus of its own.
    private func runningInstance(_ server: XServer) async throws -> (app: ChildProcess, bus: String) {
        let program = try await Fixture.made("c/widgets")
        let app = try ChildProcess(
            [
                try ReleaseCost.path("dbus-run-session"), "--", "/bin/sh", "-c",
                "echo \"$DBUS_SESSION_BUS_ADDRESS\"; exec \"$0\" application", program,
            ], environment: server.whole())
        return (app, try await app.nextLine())
    }

    /// The number of a process that the instance says next: the services of its bus may write lines of theirs between.
    private func process(of instance: ChildProcess) async throws -> String {
        while true {
            let line = try await instance.nextLine()
            if Int32(line) != nil { return line }
        }
    }

    private static let hasBus = ChildProcess.path(of: "dbus-run-session") != nil

    @Test(
        "A program that hands over to a running instance is recognised, with the process to quit",
        .enabled(if: hasBus, "dbus-run-session is not installed"))
    func handover() async throws {
        let server = try await XServer()
        let program = try await Fixture.made("c/widgets")
        let (first, bus) = try await runningInstance(server)
        let number = try await process(of: first)
        let second = try await run(
            [program, "application"], server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus]) { $1 })
        #expect(second.exit == .status(0))
        let said = "handed over to a running instance, process \(number), which is not counted: quit that first"
        #expect(second.standardError.contains(said), "\(second.standardError)")
        #expect(!second.standardError.contains("called View"), "\(second.standardError)")
        #expect(!second.standardError.contains("the HUD was not shown"), "\(second.standardError)")
        // It is the one that has both windows.
        #expect(try await process(of: first) == number)
        first.closeInput()
        #expect(await first.waitForExit() == .status(0))
    }

    @Test(
        "A program to which GTK comes late, and that shows no widget, is told that it may have handed over",
        .enabled(if: hasBus, "dbus-run-session is not installed"),
        .enabled(if: WidgetTests.pythonObstacle == nil, "\(WidgetTests.pythonObstacle ?? "")"))
    func lateHandover() async throws {
        let server = try await XServer()
        let (first, bus) = try await runningInstance(server)
        let number = try await process(of: first)
        let second = try await run(
            [WidgetTests.interpreter, WidgetFixture.python, "application"],
            server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus]) { $1 })
        #expect(second.exit == .status(0))
        let said = "none was seen; if a running instance of the program has the windows, quit that first"
        #expect(second.standardError.contains(said), "\(second.standardError)")
        #expect(!second.standardError.contains("called View"), "\(second.standardError)")
        #expect(try await process(of: first) == number)
        first.closeInput()
        #expect(await first.waitForExit() == .status(0))
    }

    @Test(
        "Of a GTK of another version, and of one with other widgets, the end says so, and nothing is changed",
        arguments: [
            (5, 408, "its GTK is not version 4"),
            (4, 416, "its GTK has another layout of GtkWidget than the one that rerender was built with"),
        ])
    func strange(version: Int, size: Int, why: String) async throws {
        let ended = try await run(try await Self.strange(version, size), [:])
        #expect(ended.exit == .status(0) && ended.standardOutput == "made a widget\n", "\(ended)")
        #expect(ended.standardError.contains("were not counted: \(why)"), "\(ended.standardError)")
    }

    @Test("What is not counted of a program that runs is said by stats and by doctor, and no more when it has ended")
    func running() async throws {
        try await Fixture.preload()
        let lab = try await InjectionLab(), server = try await XServer()
        let environment = server.whole(["RERENDER_RUNTIME_DIR": lab.daemon.directory])
        let (command, line, why) = (
            try await Self.strange(4, 416) + ["stay"], "made a widget", "its GTK has another layout of GtkWidget"
        )
        let run = try ChildProcess(
            [ChildProcess.product("rerenderctl"), "run", "--inject", "--"] + command, environment: environment)
        #expect(try await run.nextLine() == line)
        func isSaid() async throws -> Bool {
            let stats = try await lab.ctl("stats").standardOutput, doctor = try await lab.run("doctor")
            let texts = [stats, doctor.standardOutput].map { $0.split(whereSeparator: \.isWhitespace) }
            return texts.allSatisfy { $0.joined(separator: " ").contains(why) }
        }
        let isSaidMeanwhile = try await isSaid()
        #expect(isSaidMeanwhile, "\(why)")
        run.closeInput()
        let ended = await run.finish()
        #expect(ended.exit == .status(0) && ended.standardError.contains(why), "\(ended)")
        let isSaidLater = try await isSaid()
        #expect(!isSaidLater, "\(why)")
        withExtendedLifetime(server) {}
    }

    /// A command that makes a widget of another GTK.
    private static func strange(_ version: Int, _ size: Int) async throws -> [String] {
        let library = try await Fixture.made("c/strange/\(version)-\(size)/libgtk-4.so.1")
        let program = try await Fixture.made("c/strange/program")
        return ["/bin/sh", "-c", "LD_PRELOAD=\"$LD_PRELOAD:$1\" exec \"$0\" $2", program, library]
    }

    @Test(
        "A program with GTK 3 does not start with the HUD; with --inject that is said once, before it starts",
        .enabled(if: ChildProcess.path(of: "gtk3-widget-factory") != nil, "gtk3-widget-factory is not installed"))
    func older() async throws {
        let command = [try ReleaseCost.path("gtk3-widget-factory"), "--version"]
        let why = "cannot be counted: its GTK is version 3, and rerender counts the widgets of GTK 4"
        let refused = try await run(command, [:])
        #expect(refused.exit == .status(64) && refused.standardOutput.isEmpty, "\(refused)")
        #expect(refused.standardError.contains("the HUD cannot be shown, and the widgets of \(command[0]) \(why)"))
        let ended = try await run(command, [:], option: "--inject")
        #expect(ended.standardError.contains("the widgets of \(command[0]) \(why)"), "\(ended.standardError)")
        #expect(ended.standardError.ranges(of: "GTK is version 3").count == 1, "\(ended.standardError)")
    }
}
