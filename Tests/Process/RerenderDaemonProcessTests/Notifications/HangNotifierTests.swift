// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import Synchronization
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

private func endedHang(_ change: (inout Hang) -> Void = { _ in }) -> Hang {
    var hang = Hang(id: 1, pid: 7, process: "shop", startedAt: .now, turn: 1)
    hang.durationNanoseconds = 412_000_000
    hang.view = ViewKey(rawValue: "CartTotal")
    hang.attribution = .inBody
    hang.shares = [.init(view: "CartTotal", nanoseconds: 398_000_000)]
    hang.open = false
    change(&hang)
    return hang
}

@Suite("Notifications of hangs")
struct HangNotifierTests {
    @Test("are off until somebody switches them on, and are only of hangs that ended and count")
    func switching() async throws {
        let shown = Shown()
        let notifier = HangNotifier(
            log: shown.log.logger, now: { shown.time }, show: { text throws(SystemRefusal) in try shown.show(text) })
        notifier.hangEnded(endedHang())
        notifier.isEnabled = true
        notifier.hangEnded(endedHang { $0.open = true })
        notifier.hangEnded(endedHang { $0.counts = false })
        notifier.hangEnded(endedHang { $0.process = "desk" })
        try await shown.waitFor(1)
        notifier.queue.sync {}
        #expect(shown.texts.map(\.summary) == ["desk hung for 412 ms"])
        notifier.isEnabled = false
        shown.add(seconds: 60)
        notifier.hangEnded(endedHang())
        notifier.isEnabled = true
        notifier.hangEnded(endedHang { $0.process = "third" })
        try await shown.waitFor(2)
        #expect(shown.texts.map(\.summary) == ["desk hung for 412 ms", "third hung for 412 ms"])
    }

    @Test("a fault is logged once, and again after one that was shown")
    func faults() async throws {
        let shown = Shown()
        let notifier = HangNotifier(
            log: shown.log.logger, now: { shown.time }, show: { text throws(SystemRefusal) in try shown.show(text) })
        notifier.isEnabled = true
        for (number, fault) in ["no bus", "no bus", nil, "no bus"].enumerated() {
            shown.fail(with: fault)
            shown.add(seconds: 20)
            notifier.hangEnded(endedHang())
            try await shown.waitFor(number + 1)
            notifier.queue.sync {}
        }
        try await eventually("the lines") { shown.log.lines.count == 2 ? () : nil }
        #expect(shown.log.lines.allSatisfy { $0.contains("no bus") })
    }

    @Test(
        "reach a real bus as one notification in ten seconds",
        .enabled(if: Bus.isInstalled, "needs dbus-daemon, python3-dbus and python3-gi"))
    func delivery() async throws {
        let bus = try await Bus()
        let service = try ChildProcess(
            [Bus.python, Bus.service], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"])
        #expect(try await service.nextLine() == "ready")
        let notifier = try ChildProcess(
            [ChildProcess.product("notifier")], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        // At once: this test may wait for its turn for longer than the ten seconds.
        let orders = ["shop Cart<Int> 400"] + Array(repeating: "desk Other 500", count: 5)
        try notifier.send(orders.joined(separator: "\n"))
        for _ in 0..<6 { #expect(try await notifier.nextLine() == "next") }
        #expect(
            try await service.nextLine()
                == #"["Rerender", 0, "shop hung for 400 ms", "100% of it was in the body of Cart&lt;Int&gt;.", 0, 0, -1]"#
        )
        let rest = await notifier.finish()
        #expect(rest.succeeded && rest.standardOutput.isEmpty)
        service.kill(SIGTERM)
        #expect(await service.finish().standardOutput.isEmpty, "the five others are kept back")
    }

    @Test(
        "a session without a notification service is logged and harms nothing",
        .enabled(if: Bus.isInstalled, "needs dbus-daemon"))
    func nobody() async throws {
        let bus = try await Bus()
        let notifier = try ChildProcess(
            [ChildProcess.product("notifier")], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await notifier.ask("shop Cart 400")
        #expect(try await notifier.nextLine().contains("cannot show a notification of a hang"))
        #expect(await notifier.finish().succeeded)
    }
}

/// What would have been shown, with a clock to set.
private final class Shown: Sendable {
    private struct State {
        var texts: [NotificationText] = []
        var time: UInt64 = 1
        var fault: String?
    }

    private let state = Mutex(State())
    let log = CapturedLog()

    var texts: [NotificationText] { state.withLock { $0.texts } }
    var time: UInt64 { state.withLock { $0.time } }

    func add(seconds: UInt64) { state.withLock { $0.time += seconds * 1_000_000_000 } }
    func fail(with fault: String?) { state.withLock { $0.fault = fault } }

    func show(_ text: NotificationText) throws(SystemRefusal) {
        let fault = state.withLock { state in
            state.texts.append(text)
            return state.fault
        }
        if let fault { throw SystemRefusal(text: fault) }
    }

    func waitFor(_ count: Int) async throws {
        try await eventually("\(count) notifications") { texts.count == count ? () : nil }
    }
}

/// A message bus of the test's own.
private final class Bus: Sendable {
    static let python = "/usr/bin/python3"
    static let service = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "service.py").path

    static let isInstalled: Bool = {
        guard ChildProcess.path(of: "dbus-daemon") != nil else { return false }
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", "import dbus.service, gi.repository.GLib"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

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
