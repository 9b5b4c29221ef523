// SPDX-License-Identifier: MIT
// Bodies that are left by longjmp or by a C++ exception: the program goes on as it would alone, what ended is counted, and the store
// says how many were left.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Bodies that a jump leaves")
struct JumpTests {
    private static let kinds = ["longjmp", "exception"]

    /// Checks that a store counted what the program did, and told of what was left.
    private func expect(_ run: InjectedRun, _ store: String) {
        var truth = run.truth
        let left = truth.removeValue(forKey: "left")
        #expect(run.counts(store) == truth && run.dropped[store] == 0)
        let sentence =
            "not counted: \(left ?? 0) evaluations that the program left by longjmp or a C++ exception, did not end, or runs on stacks of its own"
        #expect(run.gaps[store] == [sentence])
        #expect(run.said.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(sentence), "\(run.said)")
    }

    @Test("in a program with probes, and how many there are is told", .promise, arguments: kinds)
    func probes(kind: String) async throws {
        let steps = [
            "often", "inside", "levels", "deeper", "instances", "handlers", "reads", "threads", "ended",
        ]
        let run = try await InjectedRun.run([ChildProcess.product("probes"), "jumps", kind] + steps, isInjected: false)
        expect(run, "main")
        #expect(run.truth["left"] == 10_000 + 50 + 60 + 400 + 100 + 100 + 2_002)
        let views = run.stores["main"] ?? [:]
        #expect(views["Next"]?.reasons.keys.allSatisfy { $0 == "initial" || $0.contains("Outer") } == true)
        for view in ["After", "Deep", "Plain", "Often", "Thread 0", "Tracked", "Row"] {
            let reasons = views[view]?.reasons ?? [:]
            #expect(!reasons.isEmpty && reasons.keys.allSatisfy { !$0.contains("parent") }, "\(view): \(reasons)")
        }
        // A handler that was left wrote nothing.
        let writers = views["Written"]?.stats.reasons.flatMap(\.writers).map(\.writer) ?? []
        #expect(!writers.isEmpty && writers.allSatisfy { !$0.contains("click") }, "\(writers)")
    }

    @Test(
        "in a program that is injected, and Rerender says how many there are", .promise,
        .enabled(if: Fixture.hasSwift, "needs swiftc, cc and make"), arguments: kinds)
    func injected(kind: String) async throws {
        try await Fixture.preload()
        let command = [ChildProcess.product("plain-views"), "jumps", kind]
        let alone = try await ChildProcess.run(command)
        try #require(alone.exit == .status(0))
        let run = try await InjectedRun.run(command)
        #expect(run.output.split(separator: "\n").sorted() == alone.standardOutput.split(separator: "\n").sorted())
        expect(run, "injected")
    }

    @Test("but not those on coroutines' stacks, which end in another order than they began in")
    func coroutines() async throws {
        let run = try await InjectedRun.run(
            [ChildProcess.product("probes"), "jumps", "longjmp", "coroutines"], isInjected: false)
        #expect(run.counts("main") == run.truth && run.truth["Coroutine 1"] == 100)
        #expect(run.dropped["main"] == 0 && run.gaps["main"] == nil)
    }

    @Test("and of too many in each other, the outer ones do not count")
    func deep() async throws {
        let run = try await InjectedRun.run(
            [ChildProcess.product("probes"), "jumps", "longjmp", "deep"], isInjected: false)
        expect(run, "main")
    }

    @Test(
        "and where little of the stack is left, further ones in each other count in no view, and the program lives",
        arguments: [(40, false), (2_000, true)])
    func deepStack(levels: Int, areTooDeep: Bool) async throws {
        let run = try await InjectedRun.run([ChildProcess.product("probes"), "deep", "\(levels)"], isInjected: false)
        let (counts, dropped) = (run.counts("main"), run.dropped["main"] ?? 0)
        #expect(run.truth["Nested"] == UInt64(levels))
        #expect((counts["Nested"] ?? 0) + dropped == UInt64(levels) && counts["After"] == 1)
        #expect((dropped > 0) == areTooDeep && dropped < levels, "\(dropped)")
        let sentence =
            "in no view: \(dropped) evaluations were so deep in each other that too little of the stack was left to look for a cause"
        #expect(run.gaps["main"] == (areTooDeep ? [sentence] : nil))
    }
}
