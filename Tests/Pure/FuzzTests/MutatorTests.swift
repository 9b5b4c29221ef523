// SPDX-License-Identifier: MIT
// Inputs that are changed without libFuzzer, and how far a run of them is.

import FuzzWire
import Glibc
import TestSupport
import Testing

@Suite("Changed inputs")
struct MutatorTests {
    private static let kept: [[UInt8]] = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], Array(40..<60), [0]]

    /// Remembers what it is given, and finds something in what begins with an even byte.
    private static func target(_ longest: Int = 32, head: Int = 0, step: Int = 1) -> FuzzTarget {
        FuzzTarget(
            "test", longest: longest, head: head, step: step,
            reading: { bytes in bytes.first.map { $0 % 2 == 0 } ?? false })
    }

    private static func inputs(_ count: UInt64, seed: UInt64) throws -> [[UInt8]] {
        var mutator = try Mutator(kept, for: target(), seed: seed)
        return (0..<count).map { mutator.input($0) }
    }

    @Test("are none of those that are kept, never empty nor too long, and seldom the same")
    func different() throws {
        let inputs = try Self.inputs(20_000, seed: 1)
        let longest = inputs.map(\.count).max()
        let same = inputs.count { Self.kept.contains($0) && $0 != [0] }
        #expect(inputs.allSatisfy { !$0.isEmpty })
        #expect(longest == 32)
        // What is changed into another kept one is one of very few.
        #expect(same < 20)
        #expect(Set(inputs).count > 10_000)
    }

    @Test("change each place, to each value, and each length")
    func everywhere() throws {
        let inputs = try Self.inputs(100_000, seed: 2)
        for place in 0..<10 {
            let values = Set(inputs.compactMap { $0.count > place ? $0[place] : nil })
            #expect(values.count == 256, "place \(place)")
        }
        let lengths = Set(inputs.map(\.count))
        #expect(lengths == Set(1...32))
    }

    @Test("depend on the seed and the number alone")
    func repeatable() throws {
        let inputs = try Self.inputs(1_000, seed: 3)
        var mutator = try Mutator(Self.kept, for: Self.target(), seed: 3)
        let backwards = (0..<1_000).reversed().map { mutator.input($0) }
        #expect(backwards.reversed() == inputs)
        let others = try Self.inputs(1_000, seed: 1_000_003)
        #expect(zip(inputs, others).count { $0 == $1 } < 100)
    }

    @Test("go on where the last run ended, and are counted once each")
    func resumed() throws {
        let path = try TestFile.makeDirectory() + "/progress"
        var mutator = try Mutator(Self.kept, for: Self.target(), seed: 4)
        var time: UInt64 = 1_000
        for end in [UInt64(700), 500, 10_000] {
            let progress = try MutationProgress(path: path)
            try MutationRun.run(
                Self.target(), &mutator, progress, to: end,
                clock: {
                    time += 7
                    return time
                })
        }
        let expected = try Self.inputs(10_000, seed: 4).count { $0[0] % 2 == 0 }
        let progress = try MutationProgress(path: path)
        #expect(progress.next == 10_000)
        #expect(progress.taken == UInt64(expected))
        // At the end of the first run, after 4,096 and 8,192 inputs, and at the end of the last: each time by seven.
        #expect(progress.nanoseconds == 4 * 7)
    }

    @Test("are named by their number where something does not hold, in each run until it is mended")
    func finding() throws {
        let path = try TestFile.makeDirectory() + "/progress"
        let inputs = try Self.inputs(1_000, seed: 5)
        let wrong = FuzzTarget("wrong", longest: 32) { bytes in
            if bytes == inputs[600] { throw FuzzFinding("wrong") }
        }
        let first = try #require(inputs.firstIndex(of: inputs[600]))
        for _ in 0..<2 {
            let progress = try MutationProgress(path: path)
            var mutator = try Mutator(Self.kept, for: wrong, seed: 5)
            var found: FuzzFinding?
            do {
                try MutationRun.run(wrong, &mutator, progress, to: 1_000)
            } catch let finding as FuzzFinding {
                found = finding
            }
            #expect(found == FuzzFinding("wrong"))
            #expect(progress.next == UInt64(first))
        }
    }

    @Test("are counted by one run at a time")
    func locked() throws {
        let path = try TestFile.makeDirectory() + "/progress"
        let first = try MutationProgress(path: path)
        #expect(throws: FuzzFinding("\(path) is in use by another run")) { _ = try MutationProgress(path: path) }
        #expect(first.next == 0)
    }

    @Test("cannot be made of nothing")
    func nothing() {
        for kept in [[], [[]], [[UInt8](repeating: 0, count: 33)]] as [[[UInt8]]] {
            #expect(throws: FuzzFinding.self) { _ = try Mutator(kept, for: Self.target(), seed: 1) }
        }
    }

    @Test("find each planted defect of an answer near a kept input")
    func planted() throws {
        let target = try #require(FuzzTarget.planted.first { $0.name == "planted-answer" })
        let path = try TestFile.makeDirectory() + "/progress"
        let progress = try MutationProgress(path: path)
        var mutator = try Mutator([Array("RRDAabcd".utf8)], for: target, seed: 1)
        var isFound = false
        do {
            try MutationRun.run(target, &mutator, progress, to: 100_000)
        } catch is FuzzFinding {
            isFound = true
        }
        #expect(isFound && progress.next < 99_999)
    }
}
