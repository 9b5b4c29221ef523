// SPDX-License-Identifier: MIT
// A random program: its views, and what happens one after the other. A seed makes the same one each time, on every machine.

import Rerender

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Neighbours begin far from each other: a state is mixed before it is one.
    init(seed: UInt64) {
        state = seed
        state = next() ^ 0x1234_5678_9ABC_DEF1
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    /// Whether something of that probability, in percent, is the case.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// A property of a random program's models.
enum Field: Int, CaseIterable, Hashable, Sendable {
    case number, text, list, style, child, level, seen
}

/// What a body of a random program has to do with models.
enum ModelUse: Hashable, Sendable {
    case none
    /// The view holds it.
    case held(Int)
    /// The body reads it, and the view does not hold it.
    case known(Int)
    /// It has a property that nobody is told of.
    case loose(Int)
}

/// One kind of view.
struct ViewPlan: Sendable {
    var key: String
    /// Indices of kinds of inputs.
    var inputs: [Int]
    var model: ModelUse
    /// What the body reads, by whether the first input's number is even.
    var reads: [[Field]]
    var isNumbered: Bool
    /// Inputs that the output shows; nil for one that is always the same.
    var shows: [Int]?
    var compares: Bool
    /// Views whose bodies run in this one's: their index and instance.
    var children: [Subject]
}

struct Subject: Hashable, Sendable {
    var view: Int
    var instance: InstanceID?
}

enum Step: Sendable {
    case evaluate(Subject)
    case set(Subject, input: Int, number: Int)
    case write(model: Int, Field, number: Int)
    case hide(model: Int, number: Int)
    case announce(Subject, String)
    case commit(Subject, changed: Bool?)
    case end(Subject)
    case pause(Subject)
    case turn
}

/// A random program.
struct Plan: Sendable, CustomStringConvertible {
    static let modelCount = 3
    let seed: UInt64
    private(set) var views: [ViewPlan] = []
    private(set) var steps: [Step] = []

    init(seed: UInt64, kinds: Int) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let count = 3 + random.below(4)
        for view in (0..<count).reversed() { views.insert(Self.view(view, of: count, kinds, views, &random), at: 0) }
        let hasTurns = random.chance(25)
        // More than needed: what is evaluated ends the program.
        for _ in 0..<400 { steps.append(step(hasTurns, &random)) }
    }

    private static func view(
        _ index: Int, of count: Int, _ kinds: Int, _ later: [ViewPlan], _ random: inout SeededGenerator
    ) -> ViewPlan {
        let model: ModelUse =
            switch random.below(10) {
            case 0..<4: .none
            case 4..<7: .held(random.below(modelCount))
            case 7..<9: .known(random.below(modelCount))
            default: .loose(random.below(modelCount))
            }
        let reads = (0..<2).map { _ in Field.allCases.filter { _ in random.chance(35) } }
        var children: [Subject] = []
        if index + 1 < count, random.chance(60) {
            for _ in 0...random.below(2) {
                // Those that come later were made before: `later[0]` is the next view.
                let child = index + 1 + random.below(count - index - 1)
                children.append(subject(child, later[child - index - 1], &random))
            }
        }
        return ViewPlan(
            key: ["A", "B", "C", "D", "E", "F"][index], inputs: (0..<3).map { _ in random.below(kinds) }, model: model,
            reads: reads, isNumbered: random.chance(50),
            shows: random.chance(15) ? nil : (0..<3).filter { _ in random.chance(60) }, compares: random.chance(40),
            children: children)
    }

    private static func subject(_ index: Int, _ view: ViewPlan, _ random: inout SeededGenerator) -> Subject {
        Subject(view: index, instance: view.isNumbered ? InstanceID(UInt64(1 + random.below(2))) : nil)
    }

    private func step(_ hasTurns: Bool, _ random: inout SeededGenerator) -> Step {
        let index = random.below(views.count)
        let subject = Self.subject(index, views[index], &random)
        switch random.below(100) {
        case 0..<45: return .evaluate(subject)
        case 45..<65: return .set(subject, input: random.below(3), number: random.below(4))
        case 65..<82:
            return .write(model: random.below(Self.modelCount), random.pick(Field.allCases), number: random.below(3))
        case 82..<85: return .hide(model: random.below(Self.modelCount), number: random.below(3))
        case 85..<89: return .announce(subject, random.pick(["count", "filter", "theme"]))
        case 89..<92: return .commit(subject, changed: random.pick([nil, true, false]))
        case 92..<95: return .end(subject)
        case 95..<96: return .pause(subject)
        default: return hasTurns ? .turn : .evaluate(subject)
        }
    }

    var description: String {
        let kinds = makeInputKinds()
        let parts = views.map { view in
            "view \(view.key): \(view.inputs.map { kinds[$0].name }), \(view.model), reads \(view.reads), shows \(view.shows.map { "\($0)" } ?? "nothing"),"
                + " \(view.compares ? "compares" : "does not compare"), children \(view.children.map(text))"
        }
        return "program \(seed)\n" + parts.joined(separator: "\n")
    }

    func text(_ subject: Subject) -> String {
        views[subject.view].key + (subject.instance.map { "#\($0.rawValue)" } ?? "")
    }

    func text(_ step: Step) -> String {
        switch step {
        case .evaluate(let subject): "evaluate \(text(subject))"
        case .set(let subject, let input, let number): "input \(input) of \(text(subject)) = \(number)"
        case .write(let model, let field, let number): "model \(model).\(field) = \(number)"
        case .hide(let model, let number): "model \(model): what nobody is told of = \(number)"
        case .announce(let subject, let cause): "announce \(cause) for \(text(subject))"
        case .commit(let subject, let changed):
            "commit \(text(subject)), changed: \(changed.map { "\($0)" } ?? "unknown")"
        case .end(let subject): "end \(text(subject))"
        case .pause(let subject): "evaluate \(text(subject)) while counting is off"
        case .turn: "turn"
        }
    }
}
