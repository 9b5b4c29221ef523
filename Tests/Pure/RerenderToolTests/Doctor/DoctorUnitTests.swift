// SPDX-License-Identifier: MIT
// What the doctor says of the systemd units, which depends on the daemon that there is.

import RerenderModel
import RerenderDaemon
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("rerenderctl doctor on the units")
struct DoctorUnitTests {
    private func units(
        _ daemon: UnitChecks.Daemon, push: String = "active", query: String = "active", service: String = "inactive",
        _ change: (inout FakeSystem) -> Void = { _ in }
    ) async -> [Finding] {
        var system = FakeSystem.good
        system.outputs[FakeSystem.units] = FakeSystem.unitStates(push: push, query: query, service: service)
        change(&system)
        return await UnitChecks(system: system, daemon: daemon).findings()
    }

    @Test("takes a missing user manager for a fault only where no daemon runs")
    func noManager() async throws {
        for daemon in [UnitChecks.Daemon.ofItsOwn, .silent, .ofUnits] {
            #expect(await units(daemon) { $0.outputs[FakeSystem.units] = nil }.first?.status == .ok)
        }
        #expect(await units(.none) { $0.outputs[FakeSystem.units] = nil }.first?.status == .warn)
        let ofAnotherVersion = try await finding(
            "systemd units", .fail, .healthy { $0.protocolVersion = 2 }
        ) { $0.outputs[FakeSystem.units] = nil }
        #expect(ofAnotherVersion == nil, "a daemon that answers runs, whatever it answers")
    }

    @Test("calls no unit missing that is masked or broken, and says what to do")
    func loadStates() async {
        let states = [
            ("masked", "is masked", "systemctl --user unmask rerenderd.service"),
            ("bad-setting", "cannot be loaded (bad-setting)", "systemctl --user status rerenderd.service"),
            ("error", "cannot be loaded (error)", "systemctl --user status rerenderd.service"),
            ("not-found", "is not installed", "Scripts/install"),
        ]
        for (state, text, advice) in states {
            let found = await units(.ofUnits, service: state).last
            #expect(found?.status == .warn && found?.text == "rerenderd.service \(text)")
            #expect(found?.advice?.contains(advice) == true, "\(state)")
        }
    }

    @Test("says that the service starts on demand only where a socket starts it")
    func service() async {
        #expect(await units(.none, push: "inactive").last?.text == "rerenderd.service starts on demand")
        let found = await units(.none, push: "inactive", query: "inactive").last
        #expect(found?.status == .warn && found?.text == "rerenderd.service is inactive")
        #expect(found?.advice?.hasSuffix("enable --now rerenderd-push.socket rerenderd-query.socket") == true)
        #expect(await units(.none, service: "failed").last?.advice?.contains("journalctl") == true)
    }

    @Test("does not tell to start units beside a daemon that made its sockets itself: they would take its paths")
    func ownDaemon() async {
        let found = await units(.ofItsOwn, push: "inactive", query: "inactive")
        #expect(found.map(\.status) == [.ok, .ok, .ok])
        #expect(found.first?.text == "rerenderd-push.socket is inactive; the daemon runs without it")
        #expect(await units(.ofItsOwn, push: "failed").first?.status == .warn)
    }

    @Test("does not tell to start units for a directory in which they do not listen")
    func elsewhere() async {
        let own = RuntimeDirectory(path: "/mine", origin: .environment)
        let idle = await units(.none, push: "inactive", query: "inactive") { $0.directories.insert(own, at: 0) }
        #expect(idle.allSatisfy { $0.status == .ok && $0.text.hasSuffix("it would not serve the directory in use") })
        let busy = await units(.none) { $0.directories.insert(own, at: 0) }
        #expect(busy.first?.text == "rerenderd-push.socket is active for another directory")
    }

    @Test("tells to restart active sockets whose daemon cannot be reached: starting them again does nothing")
    func unreachable() async {
        let found = await units(.none).first
        #expect(found?.text == "rerenderd-push.socket is active, but its daemon does not respond")
        #expect(found?.advice == "Run: systemctl --user restart rerenderd-push.socket rerenderd-query.socket")
        #expect(await units(.silent).first?.status == .ok)
    }
}
