// SPDX-License-Identifier: MIT
// The waits of the other tests.

import TestSupport
import Testing

@Suite("How long a test waits") struct WaitLimitTests {
    private func wait(load: Double, step: Double, seconds: Double = 20) -> Double {
        var time = 0.0
        var limit = WaitLimit(seconds: seconds, at: .init(time: 0, load: load))
        while true {
            time += step
            if limit.isReached(at: .init(time: time, load: load)) { return time }
        }
    }

    @Test("Its limit on a free machine") func free() {
        #expect(abs(wait(load: 0.5, step: 0.01) - 20) < 0.1)
        #expect(abs(wait(load: 0.5, step: 0.2) - 20) < 0.3)
    }

    @Test("Longer in proportion where threads wait for a processor") func busy() {
        #expect(abs(wait(load: 5, step: 0.01) - 100) < 0.1)
    }

    @Test("Longer where the test itself comes late to its turn") func starved() {
        #expect(wait(load: 1, step: 2) >= 160)
    }

    @Test("Never longer than the hard limit") func hard() {
        #expect(abs(wait(load: 1_000, step: 0.1) - 400) < 1)
        #expect(abs(wait(load: 1_000, step: 0.1, seconds: 0.1) - 60) < 1)
        #expect(abs(wait(load: 1_000, step: 1, seconds: 300) - 900) < 2)
    }

    @Test("Progress starts the count anew") func progress() {
        var limit = WaitLimit(seconds: 1, at: .init(time: 0, load: 1))
        var reached: [Bool] = []
        for step in 1...34 {
            reached.append(limit.isReached(at: .init(time: Double(step) * 0.2, load: 1)))
            if step <= 30 { limit.noteProgress() }
        }
        #expect(!reached.contains(true))
        let isReached = limit.isReached(at: .init(time: 7.1, load: 1))
        #expect(isReached)
    }

    @Test("A failure says what was awaited, how long, and what there was instead") func message() async throws {
        let error = await #expect(throws: NeverHappened.self) {
            try await eventually(within: 0.05, "the hang", seen: { ["no hang"] }) { () -> Int? in nil }
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("the hang: not within ") && text.hasSuffix("; instead: [\"no hang\"]"), "\(text)")
    }

    @Test("A process that does something is not killed, and one that does nothing is, which the test is told of")
    func processes() async throws {
        let busy = try await ChildProcess.run(
            ["/bin/bash", "-c", "for ((i = 0; i < 2000000; i++)); do :; done"], seconds: 1)
        #expect(busy.succeeded)
        let idle = try await ChildProcess.run(["/bin/sleep", "1000"], seconds: 0.5)
        #expect(idle.exit == .signal(9))
        #expect(idle.standardError.contains("killed by the test: its end came not within"))
    }

    @Test("The processor time of a process counts its descendants") func tree() async throws {
        let shell = try ChildProcess(["/bin/bash", "-c", "(while :; do :; done) & cat; kill %1"])
        try await eventually("ticks of the child") { ProcessTree.ticks(of: shell.processID) > 5 ? () : nil }
        #expect(await shell.finish().succeeded)
    }
}
