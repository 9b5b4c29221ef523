// SPDX-License-Identifier: MIT
// What is said of cycles.

import RerenderModel
import Testing

@testable import RerenderShow

@Suite("What is said of cycles")
struct CycleTextTests {
    private func store(_ cycles: [Cycle]) -> ProcessStats {
        var store = ProcessStats(
            pid: 7, name: "shop", store: "main", storeNumber: 0, startedAt: Timestamp(nanosecondsSince1970: 0))
        store.cycles = cycles.isEmpty ? nil : cycles
        return store
    }

    private func cycle(_ names: [String], rounds: UInt64, nanoseconds: UInt64 = 4_000_000_000) -> Cycle {
        let steps = names.map { Cycle.Step(name: $0, writer: $0 == "Side" ? "set() Shop/Side.swift:9" : nil) }
        return Cycle(
            steps: steps, rounds: rounds, latestRounds: rounds, latestNanoseconds: nanoseconds,
            latestAt: Timestamp(nanosecondsSince1970: 0))
    }

    private let resizing = ["Row", "Row: onResize", "Side"]

    @Test("with what it leads over", arguments: ["an idle function", "a queue", "a Task"])
    func over(passage: String) {
        var cycle = cycle(["Row"], rounds: 241)
        cycle.over = passage
        #expect(
            CycleText.sentences("Row", store([cycle])) == [
                "It is in a cycle over \(passage): Row → Row, 241 rounds, 60/s."
            ])
    }

    @Test("in the explanation of each view in it, with who wrote")
    func sentences() {
        let store = store([cycle(resizing, rounds: 241)])
        for view in ["Row", "Side"] {
            #expect(
                CycleText.sentences(ViewKey(rawValue: view), store) == [
                    "It is in a cycle: Row → Row: onResize → Side → Row, 241 rounds, 60/s.",
                    "Side follows a write by set() Shop/Side.swift:9.",
                ])
        }
        #expect(CycleText.sentences("Other", store).isEmpty)
    }
}
