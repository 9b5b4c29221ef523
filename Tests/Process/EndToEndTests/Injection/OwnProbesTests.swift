// SPDX-License-Identifier: MIT
// A view that the program instruments itself is counted once, by the program.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Views that the program instruments itself", .enabled(if: Fixture.hasSwift, "needs swiftc, cc and make"))
struct OwnProbesTests {
    init() async throws { try await Fixture.preload() }

    @Test(
        "are counted once, by the program, wherever it has its probes; the views beside them and in them by the injected engine",
        .promise,
        arguments: [1, 7])
    func once(rounds: UInt64) async throws {
        let run = try await InjectedRun.run([ChildProcess.product("probes"), "own", "\(rounds)"])
        let instrumented: Set = ["InBody", "InBodyOf", "Around", "AroundUnknown", "Part", "Tree"]
        #expect(run.truth["Plain"] == 5 * rounds && run.truth["Holder"] == rounds)
        #expect(run.counts("own") == run.truth.filter { instrumented.contains($0.key) })
        // The outermost `Tree` has no probe around it.
        #expect(run.truth["Tree"] == 2 * rounds && run.truth["Tree, outermost"] == rounds)
        let others = ["Plain": 5 * rounds, "Holder": rounds, "Tree": rounds]
        #expect(run.counts("injected") == others)
        #expect(run.kinds == ["own": .views, "injected": .injectedViews])
        #expect(run.said.contains(#/5 views of process \d+ are instrumented by the program itself, and the injected /#))
        #expect(run.said.contains(": Around, AroundUnknown, InBody, InBodyOf, Tree\n"))
        #expect(!run.said.contains("not seen"), "\(run.said)")
    }

    @Test("of the render loop are counted by its probes alone, and the others by the injected engine")
    func renderLoop() async throws {
        let command = [
            ChildProcess.product("rerender-demo"), "--scenario", "isolation-object", "--script", "tap:skip,tap:like",
        ]
        let alone = try await InjectedRun.run(command, isInjected: false)
        let injected = try await InjectedRun.run(command)
        #expect(!alone.counts("main").isEmpty && injected.counts("main") == alone.counts("main"))
        // All of the screen's views have a probe.
        #expect(injected.counts("injected").isEmpty)
        #expect(injected.said.contains(#/\d views of process \d+ are instrumented by the program itself/#))
        #expect(!injected.said.contains("not seen"), "\(injected.said)")
    }

}
