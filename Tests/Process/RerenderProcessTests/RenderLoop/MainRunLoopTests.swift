// SPDX-License-Identifier: MIT
// The real main run loop, in a process of its own.

import TestSupport
import TestTraits
import Testing

@Suite struct MainRunLoopTests {
    private func lines(_ callout: String) async throws -> [String] {
        let output = try await ChildProcess([ChildProcess.product("screens"), "turns", callout]).finish()
        #expect(output.exit == .status(0), "\(output.standardError)")
        return output.standardOutput.split(separator: "\n").map(String.init)
    }

    private func turn(_ line: String) -> String {
        line.split(separator: " ").first { $0.hasPrefix("turn=") }.map(String.init) ?? ""
    }

    @Test(.promise, arguments: ["timer", "queue", "thread", "frames"])
    func aChangeIsEvaluatedAndCommittedAtTheEndOfItsTurn(_ callout: String) async throws {
        let lines = try await lines(callout)
        let changes = lines.filter { $0.hasPrefix("changed") }
        #expect(changes.count == 5)
        #expect(changes.allSatisfy { $0.hasSuffix("evaluations=0") }, "nothing is evaluated at once")
        let turns = Set(changes.map(turn))
        let evaluated = lines.dropFirst(4).filter { $0.hasPrefix("evaluated") }
        #expect(Set(evaluated.map(turn)) == turns)
        #expect(evaluated.count == turns.count, "once for all changes of a turn")
        #expect(lines.last?.hasPrefix("screen=6 5 ") == true)
    }

    @Test func theFirstTurnRunsHandlersBeforeItsCommit() async throws {
        let lines = try await lines("idle")
        #expect(lines.count == 5)
        #expect(lines.first?.hasPrefix("evaluated turn=") == true)
        #expect(lines.dropFirst().first?.hasPrefix("handler") == true)
        #expect(lines.dropFirst(3).first?.hasPrefix("committed") == true)
        #expect(Set(lines.prefix(4).map(turn)).count == 1)
        #expect(lines.last?.hasPrefix("screen=1 0 ") == true)
    }

    @Test func anIdleLoopIsNotWoken() async throws {
        let last = try await lines("idle").last ?? ""
        let turns = last.split(separator: " ").first { $0.hasPrefix("turns=") }?.dropFirst(6) ?? ""
        #expect(Int(turns).map { $0 <= 6 } == true, "\(last)")
    }

    @Test func movesBetweenFramesArriveAsOneAtTheNext() async throws {
        let lines = try await lines("moves")
        try #require(lines.count == 3, "\(lines)")
        #expect(lines[0].hasPrefix("sent"), "nothing arrives at once")
        #expect(lines[1].hasPrefix("received began") && lines[1].hasSuffix("places=1"))
        #expect(lines[2].hasPrefix("received moved") && lines[2].hasSuffix("places=2,3,4,5"))
        #expect(turn(lines[1]) == turn(lines[2]), "one frame brings both")
        #expect(turn(lines[1]) != turn(lines[0]))
    }

    @Test func aDisplayLinkIsSkippedWhereTheLoopIsLate() async throws {
        let frames = try await lines("late").map { $0.split(separator: " ").dropFirst().compactMap { UInt64($0) } }
        try #require(frames.count >= 3 && frames.allSatisfy { $0.count == 2 }, "\(frames)")
        // The first took ten frames' time. What was due meanwhile never comes.
        #expect(frames[1][1] >= 8)
        for (frame, next) in zip(frames, frames.dropFirst()) { #expect(next[0] - frame[0] == next[1] + 1) }
    }
}
