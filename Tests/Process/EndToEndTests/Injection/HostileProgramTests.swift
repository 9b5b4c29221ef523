// SPDX-License-Identifier: MIT
// Programs in which counting a body would be too much, or its result is not what it seems.

import Foundation
import TestSupport
import Testing

@Suite("Injected programs that leave no room for mistakes", .enabled(if: Fixture.hasSwift, "needs swiftc"))
struct HostileProgramTests {
    @Test(
        "go on as they would alone: getters of other results, errors, deep recursion, small stacks, signal handlers, children",
        arguments: ["none", "speed"])
    func held(way: String) async throws {
        try await Fixture.preload()
        let program = try await Fixture.made("alone/\(way)/Hostile")
        let alone = try await ChildProcess.run([program])
        try #require(alone.exit == .status(0) && alone.standardOutput.hasPrefix("held "))
        let run = try await InjectedRun.run([program])
        #expect(run.output == alone.standardOutput)
        #expect(run.said.contains("some calls in process"), "\(run.said)")
        #expect(run.said.contains("is a forked child that started no other program"), "\(run.said)")
        #expect(alone.standardOutput.hasSuffix("child 2\n"))
        let counts = run.counts("injected")
        #expect(counts["Both (Hostile.View)"] == 1 && counts["Both (Hostile.Texts.View)"] == 1)
        #expect(counts["Errors.Failing"] == 5 && counts["Texts.Plain"] == 5 && counts["Titles.Plain"] == nil)
        #expect(counts["TypedErrors.Failing"] == 5 && counts["Endless"] == 5)
        #expect(run.said.contains("not seen: TypedErrors.Badge ("), "\(run.said)")
        let nested = try #require(run.counts("injected")["Nested"])
        #expect(nested > 100 && nested < 20_000 + 10)
    }

    @Test("are counted without instances where the framework only has the name and the kinds of a known one")
    func otherArguments() async throws {
        try await Fixture.preload()
        let program = try await Fixture.made("on/OtherCrossUI/speed/App")
        let run = try await InjectedRun.run([program])
        #expect(run.counts("injected") == run.truth)
        #expect(
            run.said.contains("the protocol View of SwiftCrossUI is not the one that rerender knows"), "\(run.said)")
    }

    @Test("are counted where the framework may add requirements, so that tables are made at run time")
    func resilientFramework() async throws {
        try await Fixture.preload()
        let program = try await Fixture.made("on/OtherCrossUI/evolution/App")
        let run = try await InjectedRun.run([program])
        #expect(run.truth["Row"] == 20, "\(run.output)")
        #expect(run.counts("injected") == run.truth)
    }
}
