// SPDX-License-Identifier: MIT
import CauseCorpus
import RerenderModel
import TestSupport
import Testing

@Suite("Labelled corpus of causes")
struct CorpusTests {
    @Test("has no wrong answer", arguments: Case.all)
    func explained(_ one: Case) {
        #expect(one.failures() == [])
    }

    @Test("has at most 5 % unknown answers of what a reader could tell, and each fixed reason that a store finds")
    func unknown() {
        var all = Tally()
        for one in Case.all { all.add(case: one.name, one.tally()) }
        // Widgets have the one, and views with too many reasons have the other.
        let fixed = FixedReason.allCases.filter { $0 != .unknown && $0 != .other }
        #expect(fixed.map(\.text).filter { !all.reasons.contains($0) } == [], "no case of CauseCorpus has this reason")
        #expect(
            all.unknownShare <= 0.05, "\(all.summary(of: "cases"))\n\(all.unknown.joined(separator: "\n"))")
    }

    @Test("has at least 400 cases, each with a name of its own")
    func size() {
        #expect(Case.all.count >= 400)
        let names = Dictionary(grouping: Case.all, by: \.name).filter { $0.value.count > 1 }.keys
        #expect(names.isEmpty, "twice: \(names.sorted())")
    }
}

@Suite("Programs at the bounds of what is kept")
struct BoundProgramTests {
    /// Two of each kind, one above the first bound and twice as many. All of them run in a process of their own: those that write on many
    /// stacks leave none for other tests of this one.
    private static let seeds = (2 * BoundProgram.kindCount..<4 * BoundProgram.kindCount)
        .filter { !BoundProgram(seed: $0).fillsStacks }

    @Test("have no wrong answer", arguments: seeds)
    func right(seed: Int) {
        let tally = BoundProgram(seed: seed).run()
        #expect(tally.count > 0 && tally.wrong == [], "run it alone: corpus bounds \(seed)")
    }

    @Test("have at most 5 % unknown answers of what a reader could tell")
    func unknown() {
        var all = Tally()
        for seed in Self.seeds { all.add(BoundProgram(seed: seed).run()) }
        #expect(all.unknownShare <= 0.05, "\(all.summary(of: "answers"))\n\(all.unknown.joined(separator: "\n"))")
    }

    @Test("are 300 of at least 26 kinds, which are the same each time")
    func kinds() {
        #expect(BoundProgram.count == 300 && BoundProgram.kindCount >= 26)
        let all = (0..<BoundProgram.count).map { BoundProgram(seed: $0).description }
        #expect(Set(all).count == BoundProgram.count)
        #expect(all == (0..<BoundProgram.count).map { BoundProgram(seed: $0).description })
    }
}

@Suite("Random programs, of which the truth is computed")
struct RandomProgramTests {
    /// Few: optimised, `Scripts/corpus` runs two hundred in the time of these.
    private static let seeds = 0..<20

    @Test("have no wrong answer", arguments: seeds)
    func right(seed: Int) {
        let tally = RandomProgram(seed: UInt64(seed)).run()
        #expect(tally.count >= RandomProgram.evaluations)
        #expect(tally.wrong == [], "run it alone: corpus random \(seed)")
    }

    @Test("have at most 5 % unknown answers of what a reader could tell")
    func unknown() {
        var all = Tally()
        for seed in Self.seeds { all.add(RandomProgram(seed: UInt64(seed)).run(isTold: false)) }
        #expect(all.unknownShare <= 0.05, "\(all.summary(of: "evaluations"))")
    }

    @Test("are the same each time")
    func deterministic() {
        let (one, two) = (RandomProgram(seed: 7).run(), RandomProgram(seed: 7).run())
        #expect(one.right == two.right && one.unknown == two.unknown)
    }
}
