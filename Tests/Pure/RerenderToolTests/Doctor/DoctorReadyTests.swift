// SPDX-License-Identifier: MIT
// The first line of the doctor, and a machine without a daemon, which needs none.

import RerenderModel
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("rerenderctl doctor on a machine without a daemon")
struct DoctorReadyTests {
    private static let libraries = InjectionLibraries(directory: "/nowhere")

    private func ready(
        _ place: InjectionLibraries.Place = .found(libraries), beside checks: [Finding] = [],
        _ change: (inout FakeSystem) -> Void = { _ in }
    ) -> Finding {
        var system = FakeSystem.good
        change(&system)
        return ReadyCheck(system: system, libraries: place, parent: "/tmp").finding(beside: checks)
    }

    @Test("the first line says that run is ready, and what it does not count")
    func counts() {
        let withoutGTK = ready()
        #expect(withoutGTK.check == "set-up" && withoutGTK.status == .warn)
        #expect(withoutGTK.text == "ready for `run`: all but the widgets of GTK 4 are counted as they are")
        #expect(withoutGTK.advice?.hasPrefix("Install ") == true)
        let unmade = ready(.toBeMade(Self.libraries, script: "make-them"))
        #expect(unmade.text.hasPrefix("ready for `run` of programs that link the library: ") && unmade.status == .warn)
        let missing = ready(.missing("they are gone", advice: "Build them"))
        #expect(missing.text == "ready for `run` of programs that link the library: they are gone")
        #expect(missing.advice == "Build them" && missing.status == .warn)
        #expect(ready(.found(InjectionLibraries(directory: "/a b"))).text.contains("its path has a space"))
    }

    @Test("or what is missing for it")
    func faults() {
        let off = ready { $0.variables["RERENDER"] = "0" }
        #expect(off == .warn("set-up", "not ready for `run`: RERENDER=0 is set", "Run: unset RERENDER"))
        let switched = ready(beside: [.warn("switch", "it is off", "Run: rerenderctl on")])
        #expect(
            switched.text == "not ready for `run`: Rerender is switched off" && switched.advice == "Run: rerenderctl on"
        )
        let settings = ready(beside: [.ok("switch-like", ""), .fail("settings", "bad", "Repair or remove the file")])
        #expect(settings.status == .fail && settings.advice == "Repair or remove the file")
        #expect(ready(beside: [.ok("settings", "/file")]).status == .warn, "its libraries have no part for GTK")
        let closed = ready { $0.closed = ["/tmp"] }
        #expect(closed.status == .fail && closed.text == "not ready for `run`: no directory can be made in /tmp")
    }

    @Test("no daemon is no fault: neither a missing socket, nor one that a killed daemon left")
    func withoutDaemon() async {
        let directory = "/run/user/1000/rerender"
        func isWithout(_ change: (inout FakeSystem) -> Void) async -> Bool {
            var system = FakeSystem.good
            change(&system)
            return await SocketChecks(system: system).isWithoutDaemon()
        }
        let (push, query) = (directory + "/push.sock", directory + "/query.sock")
        func remove(_ paths: [String], _ system: inout FakeSystem) {
            for path in paths { system.files[path] = nil }
        }
        #expect(await isWithout { remove([push, query], &$0) })
        #expect(await isWithout { $0.deaf = [push, query] })
        #expect(await isWithout { remove([directory, push, query], &$0) })
        // One socket alone is a daemon that apps or commands cannot reach.
        #expect(await !isWithout { $0.files[push] = nil })
        #expect(await !isWithout { $0.deaf = [query] })
        #expect(await !isWithout { _ in })
        #expect(
            await !isWithout {
                $0.files[push] = nil
                $0.files[query]?.owner = 7
            })
        #expect(
            await !isWithout {
                $0.files[push] = nil
                $0.files[query]?.kind = .other
            })
        let findings = await SocketChecks(system: FakeSystem.good).findings(hasDaemon: false)
        #expect(!findings.isEmpty && findings.allSatisfy { $0.check == "runtime directory" })
    }

    @Test("it is said how to have one, and units that are broken are said, too")
    func absent() async {
        func absent(push: String = "inactive", service: String = "inactive", manager: Bool = true) async -> [Finding] {
            var system = FakeSystem.good
            system.outputs[FakeSystem.units] =
                manager ? FakeSystem.unitStates(push: push, query: "inactive", service: service) : nil
            return await DaemonChecks.absent(system)
        }
        for findings in [await absent(), await absent(push: "not-found"), await absent(manager: false)] {
            #expect(findings.map(\.status) == [.ok] && findings[0].check == "daemon", "\(findings)")
            #expect(findings[0].text == "none runs permanently, which is optional: `run` starts one for each command")
            #expect(
                findings[0].advice?.hasPrefix("To have one: systemctl --user enable --now rerenderd-push.socket")
                    == true)
        }
        for (push, service) in [
            ("failed", "inactive"), ("inactive", "failed"), ("masked", "inactive"), ("active", "inactive"),
        ] {
            let findings = await absent(push: push, service: service)
            #expect(findings.map(\.status) == [.ok, .warn], "\(push) \(service): \(findings)")
        }
        let lines = DoctorReport(checks: await absent()).lines(width: 300, colours: false)
        #expect(lines.last == "All checks passed.")
    }
}
