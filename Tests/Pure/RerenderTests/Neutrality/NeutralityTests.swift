// SPDX-License-Identifier: MIT
// Every scenario of a small app runs bare and with the probe; the logs of all that happened are the same.

import Rerender
import Testing

@Suite("Neutrality")
struct NeutralityTests {
    @Test("An app with the probe does what it does without, event by event", arguments: Scenario.all)
    func neutral(_ scenario: Scenario) {
        let bare = run(scenario, probed: false)
        #expect(bare.count > 3)
        for isComparing in [false, true] {
            #expect(run(scenario, probed: true, isComparing: isComparing) == bare)
        }
    }

    @Test("The probe is really there")
    func isProbed() {
        let host = HostApp(probed: true)
        let view = MountedView("View", { 1 }, body: { "\($0)" })
        host.mount(view)
        host.render(view)
        #expect(host.counted("View") == 2)
    }

    @Test("An object that lives longer shows in the log")
    func differs() {
        func log(_ keeps: Bool) -> [String] {
            let log = EventLog()
            var object: Mortal? = Mortal("object", log)
            let kept = keeps ? object : nil
            object = nil
            log.note("let go")
            withExtendedLifetime((object, kept)) {}
            return log.events
        }
        #expect(log(false) != log(true))
    }

    private func run(_ scenario: Scenario, probed: Bool, isComparing: Bool = false) -> [String] {
        let log: EventLog
        do {
            let host = HostApp(probed: probed, isComparing: isComparing)
            log = host.log
            scenario.run(host)
            log.note("end")
        }
        return log.events
    }
}
