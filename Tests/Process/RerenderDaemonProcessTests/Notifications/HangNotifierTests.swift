// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("Notifications of hangs")
struct HangNotifierTests {
    @Test(
        "reach a real bus as one notification in ten seconds",
        .enabled(if: Bus.isInstalled, "needs dbus-daemon, notify-send, python3-dbus and python3-gi"))
    func delivery() async throws {
        let bus = try await Bus()
        let service = try ChildProcess(
            [Bus.python, Bus.service], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"])
        #expect(try await service.nextLine() == "ready")
        let notifier = try ChildProcess(
            [ChildProcess.product("daemon-lab"), "notifier"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        // At once: this test may wait for its turn for longer than the ten seconds.
        let orders = ["shop Cart<Int>\\074\u{600}\\074 400"] + Array(repeating: "desk Other 500", count: 5)
        try notifier.send(orders.joined(separator: "\n"))
        for _ in 0..<6 { #expect(try await notifier.nextLine() == "next") }
        #expect(
            try await service.nextLine()
                == #"["Rerender", 0, "shop hung for 400 ms", "100% of it was in the body of Cart&lt;Int&gt;\\074\u0600\\074.", 0, -1]"#
        )
        let rest = await notifier.finish()
        #expect(rest.succeeded && rest.standardOutput.isEmpty)
        service.kill(SIGTERM)
        #expect(await service.finish().standardOutput.isEmpty, "the five others are kept back")
    }

    @Test(
        "a session without a notification service is logged and harms nothing",
        .enabled(if: Bus.isInstalled, "needs dbus-daemon and notify-send"))
    func nobody() async throws {
        let bus = try await Bus()
        let notifier = try ChildProcess(
            [ChildProcess.product("daemon-lab"), "notifier"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await notifier.ask("shop Cart 400")
        #expect(try await notifier.nextLine().contains("cannot show a notification of a hang"))
        #expect(await notifier.finish().succeeded)
    }
}

/// A message bus of the test's own.
private final class Bus: Sendable {
    static let python = "/usr/bin/python3"
    static let service = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "service.py").path

    static let isInstalled =
        ChildProcess.path(of: "dbus-daemon") != nil && ChildProcess.path(of: "notify-send") != nil
        && StartedChild.succeeds([python, "-c", "import dbus.service, gi.repository.GLib"])

    let address: String
    private let daemon: ChildProcess
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        let program = ChildProcess.path(of: "dbus-daemon") ?? "dbus-daemon"
        daemon = try ChildProcess([
            program, "--session", "--nofork", "--nopidfile", "--address=unix:path=\(directory.path)/bus",
            "--print-address",
        ])
        address = try await daemon.nextLine()
    }

    deinit { daemon.kill(SIGTERM) }
}
