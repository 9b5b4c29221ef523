// SPDX-License-Identifier: MIT
// The unit files and the installation under a real systemd with a real user manager.

import Foundation
import TestSupport
import Testing

@Suite(
    "systemd",
    .serialized,
    .enabled(if: SystemdHarness.obstacle == nil, Comment(rawValue: SystemdHarness.obstacle ?? "")))
struct SystemdTests {
    @Test("A question or an app that connects starts the daemon, and it answers")
    func activation() async throws {
        try await SystemdHarness.expectSuccess(of: "activation.sh")
    }

    @Test("A restart, a kill and a stop of the daemon lose nothing of a connected app")
    func restart() async throws {
        try await SystemdHarness.expectSuccess(of: "restart.sh")
    }

    @Test("Stopping the sockets leaves no file behind")
    func stop() async throws {
        try await SystemdHarness.expectSuccess(of: "stop.sh")
    }

    @Test("The sandbox stops what it should stop and nothing that the daemon needs")
    func sandbox() async throws {
        try await SystemdHarness.expectSuccess(of: "sandbox.sh")
    }

    @Test("Real-time priority is obtained where a manager or rtkit allows it, and its absence is reported")
    func priority() async throws {
        try await SystemdHarness.expectSuccess(of: "priority.sh")
    }

    @Test("The timer of metrics is off, and writes what apps counted once it is enabled")
    func metrics() async throws {
        try await SystemdHarness.expectSuccess(of: "metrics.sh")
    }

    @Test("Installing and uninstalling leaves everything as it was", arguments: ["user", "root"])
    func installation(by user: String) async throws {
        let script = SystemdHarness.checkout.appending(path: "Scripts/lib/inject").path
        let made = try await ChildProcess.run([script, SystemdHarness.binaries.path])
        #expect(made.succeeded, "\(made)")
        try await SystemdHarness.expectSuccess(of: "install.sh", user)
    }

    @Test("The harness passes a script's exit status on and ends what runs too long")
    func harness() async throws {
        #expect(try await SystemdHarness.run("status.sh", "3").status == 3)
        #expect(try await SystemdHarness.run("status.sh", "forever", timeout: 2).status == 124)
    }
}
