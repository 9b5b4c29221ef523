// SPDX-License-Identifier: MIT
// Programs that go to the bounds of what a store keeps: one below, the bound, one above, and twice as many, with the truth of each.

import Rerender
import RerenderModel

/// What a program has many of.
struct BoundKind: Sendable {
    typealias Run = @Sendable (Recorder, Int, inout SeededGenerator) -> Void

    let name: String
    /// How many.
    let numbers: [Int]
    /// Whether it writes on hundreds of stacks; a process keeps 4,096.
    let fillsStacks: Bool
    let run: Run

    init(_ name: String, _ numbers: [Int], fillsStacks: Bool = false, _ run: @escaping Run) {
        (self.name, self.numbers, self.fillsStacks, self.run) = (name, numbers, fillsStacks, run)
    }
}

/// A program of one kind, whose seed says how many of what it has; what else it does is random, and the same each time.
package struct BoundProgram: Sendable, CustomStringConvertible {
    /// As many as are run: some eleven of each kind.
    package static let count = 300
    /// How many kinds there are: so many seeds in a row have one each.
    package static let kindCount = kinds.count

    private let seed: UInt64
    private let kind: BoundKind
    private let number: Int

    package init(seed: Int) {
        self.seed = UInt64(seed)
        kind = Self.kinds[seed % Self.kinds.count]
        number = kind.numbers[seed / Self.kinds.count % kind.numbers.count]
    }

    package var description: String { "program \(seed), \(number) \(kind.name)" }

    /// Whether it writes on so many stacks that later programs of its process may have none left.
    package var fillsStacks: Bool { kind.fillsStacks }

    /// Runs the program and judges every answer that it gets.
    package func run() -> Tally {
        var random = SeededGenerator(seed: seed)
        let recorder = Recorder(areNamesKnown: true)
        kind.run(recorder, number, &random)
        var tally = recorder.tally
        tally.wrong = tally.wrong.map { "\(self): \($0)" }
        tally.unknown = tally.unknown.map { "\(self): \($0)" }
        // Nothing is remembered then, for a leak check to see.
        for view in recorder.store.stats { recorder.store.ended(view.key.rawValue) }
        return tally
    }

    /// The numbers around a bound.
    private static func around(_ bound: Int) -> [Int] { [bound - 1, bound, bound + 1, 2 * bound] }

    /// The bounds of `StoreLimits` and `WireLimits`, the lower ones that older versions had, and that of `HangShareText`.
    private static let kinds: [BoundKind] = [
        BoundKind("announced causes", around(8) + around(256), announced),
        BoundKind("properties that are written", around(8) + [20], properties),
        BoundKind("models in a list", around(16) + around(256), listedModels),
        BoundKind("models that the body alone knows", around(16) + around(256), knownModels),
        BoundKind("reports of reads", around(16) + around(256), reports),
        BoundKind("stacks of one write", around(64), fillsStacks: true, stacksOfWrite),
        BoundKind("stacks of one reason", around(256), fillsStacks: true, stacksOfReason),
        BoundKind("writers of a reason", around(3) + around(12), writers),
        BoundKind("reasons of a view", around(32), reasons),
        BoundKind("evaluations before a commit", around(8), commits),
        BoundKind("writes before an evaluation", [5] + around(32), varyingWrites),
        BoundKind("views in each other", around(16), levels),
        BoundKind("instances", around(4_096), instances),
        BoundKind("bytes of a text", around(4_096), bytes),
        BoundKind("elements of an array", around(512), elements),
        BoundKind("members of a set", [2, 40] + around(256), members),
        BoundKind("elements that are searched", around(1_024), searchedElements),
        BoundKind("models in each other", around(16), modelsInEachOther),
        BoundKind("objects on the way to a model", around(64), objectsBetween),
        BoundKind("handlers", around(1_024), handlers),
        BoundKind("bytes of a label", around(1_024), labels),
        BoundKind("bytes of a cause and its writer", around(256), texts),
        BoundKind("octaves of durations", around(24), octaves),
        BoundKind("views and handlers of a hang", around(9), hangShares),
        BoundKind("evaluations with a wrapper that has its value elsewhere", [4, 8, 16, 32], wrappers),
        BoundKind("evaluations that take a known time", [1, 3, 20, 40], times),
    ]
}

extension Recorder {
    /// The row of a reason of a view.
    func row(_ reason: String, of key: String = "View") -> ReasonCount? {
        stats(key)?.reasons.first { $0.reason == reason }
    }

    /// Who wrote what is a reason, with how many writes.
    func writers(of reason: String) -> [String: UInt64] {
        Dictionary((row(reason)?.writers ?? []).map { ($0.writer, $0.count) }) { $0 + $1 }
    }

    /// Expects that `count` writes were made at one place. `known` or more of them have that place for their writer, and the others have none.
    func expectWrites(_ count: Int, of reason: String, known: Int, line: UInt = #line) {
        let said = writers(of: reason)
        let named = said.filter { $0.key.hasPrefix("advance(_:)") }
        let (all, ofPlace) = (Self.sum(said), Self.sum(named))
        let areNames = named.count <= 1 && said.keys.allSatisfy { named[$0] != nil || $0 == Reason.unknown }
        expect(
            all == count && ofPlace >= known && areNames, "\(count) writes, and \(said) is said", line: line)
    }

    static func sum(_ writes: [String: UInt64]) -> Int { writes.values.reduce(0) { $0 + Int($1) } }
}
