// SPDX-License-Identifier: MIT
// What a commit decides, evaluation by evaluation, against the sums that the view counts.

import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("What a commit decides of evaluations")
struct DecidedVerdictTests {
    private static func verdict(_ id: UInt64, _ kind: WasteKind?, isMeasured: Bool = false) -> WasteVerdict {
        var verdict = WasteVerdict(kind: kind, isMeasured: isMeasured, selfNanoseconds: id)
        verdict.signpostID = id
        return verdict
    }

    /// As the trace tells it: the earlier ones, and then the latest.
    private static func told(_ decided: DecidedVerdicts) -> [String] {
        (Array(decided.earlier) + [decided.latest]).map { "\($0.signpostID): \($0.traceCode)" }
    }

    @Test("of two in one turn the first was wasted, and the second, which said so, was needed")
    func twiceInATurn() {
        var open = OpenVerdicts()
        var waste = WasteTotals()
        var second = Self.verdict(2, .twiceInATurn)
        second.isAgain = true
        for verdict in [Self.verdict(1, nil), second] {
            open.append(verdict, epoch: 0)
            waste.add(verdict)
        }
        let told = Self.told(open.commit(changed: true, epoch: 0, waste: &waste))
        #expect(told == ["1: 1", "2: 0"])
        #expect(waste[.twiceInATurn] == 1 && waste.nanoseconds == 1)
    }

    @Test("of two in one turn with the same output, the first was needed: what was shown is its output")
    func sameOutputAgain() {
        var open = OpenVerdicts()
        var waste = WasteTotals()
        var second = Self.verdict(2, nil)
        var third = Self.verdict(3, .sameOutput, isMeasured: true)
        (second.isAgain, third.isAgain) = (true, true)
        for verdict in [Self.verdict(1, nil), second, third] {
            open.append(verdict, epoch: 0)
            waste.add(verdict)
        }
        let told = Self.told(open.commit(changed: true, epoch: 0, waste: &waste))
        #expect(told == ["1: 1", "3: 2"])
        #expect(waste[.twiceInATurn] == 1 && waste[.sameOutput] == 1 && waste.nanoseconds == 4)
    }

    @Test("a commit without a word confirms what was inferred, and one of another epoch decides nothing")
    func confirmed() {
        var open = OpenVerdicts()
        var waste = WasteTotals()
        for verdict in [Self.verdict(1, .sameValue), Self.verdict(2, nil), Self.verdict(3, .parentOnly)] {
            open.append(verdict, epoch: 0)
        }
        let confirmed = Self.told(open.commit(changed: nil, epoch: 0, waste: &waste))
        #expect(confirmed == ["1: 1", "3: 1"])
        open.append(Self.verdict(4, .sameValue), epoch: 0)
        let ofAnother = Self.told(open.commit(changed: false, epoch: 1, waste: &waste))
        #expect(ofAnother == ["0: 0"])
        let ofNone = Self.told(open.commit(changed: false, epoch: 1, waste: &waste))
        #expect(ofNone == ["0: 0"], "nothing is open")
    }

    @Test(
        "a commit that changed nothing measures all evaluations since the last one, whatever was inferred of them",
        arguments: [7, 8, 9, 16, 100])
    func measuresAll(count: UInt64) {
        var open = OpenVerdicts()
        var waste = WasteTotals()
        let kinds = WasteKind.allCases.map { Optional($0) } + [nil]
        for round in 1...3 as ClosedRange<UInt64> {
            for id in 1...count {
                let kind = kinds[Int(id) % kinds.count]
                var verdict = Self.verdict(id, kind, isMeasured: kind == .sameOutput)
                verdict.isUnjudged = kind == nil
                verdict.selfNanoseconds = id
                open.append(verdict, epoch: 0)
                waste.add(verdict)
            }
            let decided = open.commit(changed: false, epoch: 0, waste: &waste)
            #expect(decided.count <= StoreLimits.openVerdicts)
            #expect(waste.measured == round * count && waste.unjudged == 0)
            #expect(WasteKind.allCases.allSatisfy { $0 == .sameOutput || waste[$0] == 0 })
            #expect(waste.nanoseconds == round * count * (count + 1) / 2)
        }
        // What a commit decided is of no further one.
        _ = open.commit(changed: false, epoch: 0, waste: &waste)
        #expect(waste.measured == 3 * count)
    }

    @Test(
        "what the trace tells of evaluations adds up to what the view counts, in a long random history",
        arguments: 1...6)
    func addsUp(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var open = OpenVerdicts()
        var waste = WasteTotals()
        /// What the trace says of each evaluation: its end, and then the commit that names it.
        var told: [UInt64: UInt8] = [:]
        var unjudged: [UInt64: UInt8] = [:]
        var since = 0
        for id in 1...4_000 as ClosedRange<UInt64> {
            since += 1
            let isMeasured = Int.random(in: 0..<4, using: &random) == 0
            let kind = WasteKind.allCases.filter { $0.isMeasured == isMeasured }.randomElement(using: &random)
            var verdict = Self.verdict(id, Bool.random(using: &random) ? kind : nil, isMeasured: isMeasured)
            verdict.isAgain = Bool.random(using: &random)
            if verdict.kind == nil, !isMeasured { verdict.isUnjudged = Bool.random(using: &random) }
            open.append(verdict, epoch: 0)
            waste.add(verdict)
            told[id] = verdict.traceCode
            unjudged[id] = verdict.unjudgedCode
            // Of more, a trace names the latest.
            guard Int.random(in: 0..<5, using: &random) == 0 || since == StoreLimits.openVerdicts else { continue }
            since = 0
            let changed = [true, false, nil].randomElement(using: &random) ?? nil
            let decided = open.commit(changed: changed, epoch: 0, waste: &waste)
            #expect(decided.latest.signpostID == id && decided.count <= StoreLimits.openVerdicts)
            let ids = Array(decided.earlier).map(\.signpostID)
            #expect(ids == ids.sorted() && ids.allSatisfy { $0 < id })
            for verdict in Array(decided.earlier) + [decided.latest] {
                told[verdict.signpostID] = verdict.traceCode
                unjudged[verdict.signpostID] = verdict.unjudgedCode
            }
        }
        #expect(UInt64(unjudged.values.count { $0 == 1 }) == waste.unjudged && waste.unjudged > 0)
        #expect(UInt64(told.values.count { $0 == 2 }) == waste.measured)
        let inKinds = WasteKind.allCases.reduce(0) { $0 + waste[$1] }
        #expect(UInt64(told.values.count { $0 > 0 }) == inKinds)
    }
}
