// SPDX-License-Identifier: MIT
// Runs a random program, and judges what is said of each of its evaluations.

import Observation
import Rerender
import RerenderModel

@Observable private final class Child {
    var level = 0
}

@Observable private final class Model {
    var number = 0
    var text = "0"
    var list = [0]
    var style = Unequal(value: 0)
    var child = Child()
}

@Observable private final class Loose {
    var seen = 0
    @ObservationIgnored var hidden = 0
}

private struct Plain<First, Second, Third> {
    var first: First
    var second: Second
    var third: Third
}

private struct Holding<Model, First, Second, Third> {
    var first: First
    var second: Second
    var third: Third
    let model: Model
}

/// One run of a random program: 60 evaluations, each with the truth.
package final class RandomProgram: CustomStringConvertible {
    package static let evaluations = 60
    private let plan: Plan
    private let kinds = makeInputKinds()
    private let recorder = Recorder(areNamesKnown: true)
    private let models = (0..<Plan.modelCount).map { _ in Model() }
    private let looses = (0..<Plan.modelCount).map { _ in Loose() }
    /// All that ever were, and those that are.
    private var children: [Child] = []
    private var childOfModel: [Child] = []
    /// What is in the models: bodies that run are told of each look at these.
    private var values: [Property: String] = [:]
    private var hiddenOfLoose = [Int](repeating: 0, count: Plan.modelCount)
    private var numbers: [Subject: [Int]] = [:]
    private var cells: [Subject: [NumberBox]] = [:]
    private var memories: [Subject: Memory] = [:]
    private var said: [Answer] = []
    private var turn = 0
    private var step = 0
    private var history: [String] = []

    private struct Answer {
        var subject: Subject
        var truth: Truth
        var wasPaused: Bool
        /// Whether it was evaluated in this turn before, with no commit since.
        var isAgain: Bool
        var step: Int
        var parent: Int?
        var outcome: Outcome?
    }

    package init(seed: UInt64) {
        plan = Plan(seed: seed, kinds: kinds.count)
        childOfModel = models.map(\.child)
        children = childOfModel
        func fill(_ object: AnyObject, _ fields: Field...) {
            for field in fields { values[Property(object: ObjectIdentifier(object), field: field)] = "0" }
        }
        for model in models { fill(model, .number, .text, .list, .style) }
        for child in children { fill(child, .level) }
        for loose in looses { fill(loose, .seen) }
    }

    /// Runs the program and judges every evaluation.
    ///
    /// - Parameter isTold: Whether the failures contain the whole program.
    package func run(isTold: Bool = true) -> Tally {
        for (number, step) in plan.steps.enumerated() {
            history.append("\(number): \(plan.text(step))")
            self.step = number
            perform(step)
            if said.count >= Self.evaluations { break }
        }
        var tally = Tally()
        for (number, answer) in said.enumerated() { judge(number, answer, &tally) }
        for text in recorder.tally.wrong {
            tally.add(.wrong, isTellable: false, "program \(plan.seed), oracle: \(text)")
        }
        checkTotals(&tally)
        if isTold, !tally.wrong.isEmpty { tally.wrong.append(description) }
        return tally
    }

    /// The program, and what happened so far.
    package var description: String { "\(plan)\n\(history.joined(separator: "\n"))" }
}

// MARK: - Steps

extension RandomProgram {
    private func perform(_ step: Step) {
        switch step {
        case .evaluate(let subject): evaluate(subject, under: nil)
        case .set(let subject, let input, let number): set(subject, input, number)
        case .write(let model, let field, let number): write(model, field, number)
        case .hide(let model, let number): (looses[model].hidden, hiddenOfLoose[model]) = (number, number)
        case .announce(let subject, let cause):
            recorder.store.invalidate(plan.views[subject.view].key, instance: subject.instance, cause: cause)
            if memories[subject]?.announced.contains(cause) == false { memories[subject]?.announced.append(cause) }
        case .commit(let subject, let changed):
            recorder.store.committed(plan.views[subject.view].key, changed: changed, instance: subject.instance)
            memories[subject]?.isCommitted = true
        case .end(let subject):
            recorder.store.ended(plan.views[subject.view].key, instance: subject.instance)
            memories[subject] = nil
        case .pause(let subject): pause(subject)
        case .turn:
            recorder.store.turnBegan()
            turn += 1
        }
    }

    private func set(_ subject: Subject, _ input: Int, _ number: Int) {
        _ = state(of: subject)
        if kinds[plan.views[subject.view].inputs[input]].nature == .hidden {
            cells[subject]?[input].number = number
        } else {
            numbers[subject]?[input] = number
        }
    }

    private func state(of subject: Subject) -> (numbers: [Int], cells: [NumberBox]) {
        let numbers = numbers[subject] ?? [0, 0, 0]
        let cells = cells[subject] ?? (0..<3).map { _ in NumberBox() }
        (self.numbers[subject], self.cells[subject]) = (numbers, cells)
        return (numbers, cells)
    }

    private func write(_ index: Int, _ field: Field, _ number: Int) {
        let model = models[index]
        var object: AnyObject = model
        switch field {
        case .number: model.number = number
        case .text: model.text = "\(number)"
        case .list: model.list = [number]
        case .style: model.style = Unequal(value: number)
        case .child:
            // The old one stays, so that no other one can have its address.
            let child = Child()
            child.level = number
            children.append(child)
            childOfModel[index] = child
            model.child = child
            values[Property(object: ObjectIdentifier(child), field: .level)] = "\(number)"
        case .level:
            object = childOfModel[index]
            childOfModel[index].level = number
        case .seen:
            object = looses[index]
            looses[index].seen = number
        }
        let property = Property(object: ObjectIdentifier(object), field: field)
        // What is not Equatable is written each time.
        let isNoted = field == .child || field == .style || values[property] != "\(number)"
        if field != .child { values[property] = "\(number)" }
        guard isNoted else { return }
        for (subject, memory) in memories where memory.last.read[property] != nil {
            memories[subject]?.written.insert(property)
        }
    }

    /// Evaluates while nothing is counted.
    private func pause(_ subject: Subject) {
        let view = plan.views[subject.view]
        recorder.store.isEnabled = false
        recorder.store.evaluate(view.key, of: 1, instance: subject.instance) {}
        recorder.store.isEnabled = true
        for known in memories.keys { memories[known]?.isPaused = true }
    }
}

// MARK: - Evaluations

extension RandomProgram {
    private func evaluate(_ subject: Subject, under parent: Int?) {
        guard said.count < Self.evaluations else { return }
        let view = plan.views[subject.view]
        var situation = situation(of: subject)
        let memory = memories[subject]
        let truth = Reader(kinds: kinds, value: value).truth(
            view, memory, situation, parent: parent.map { plan.views[said[$0].subject.view].key }, turn: turn)
        let number = said.count
        said.append(
            Answer(
                subject: subject, truth: truth, wasPaused: memory?.isPaused ?? false,
                isAgain: turn > 0 && memory?.turn == turn && memory?.isCommitted == false, step: step,
                parent: parent))
        let before = recorder.stats(view.key)
        // What bodies inside read is read in this one, too.
        var read = properties(view, situation.numbers)
        let output = situation.output, numbers = situation.numbers
        run(subject, view) { [self] in
            _ = self.read(view, numbers)
            for child in view.children {
                evaluate(child, under: number)
                if let inner = memories[child]?.last.read.keys { read.formUnion(inner) }
            }
            return output
        }
        for property in read {
            situation.read[property] = value(property)
            situation.names[property] = names(property, view)
        }
        said[number].outcome = Recorder.outcome(before, recorder.stats(view.key))
        history.append(
            "    \(number) \(plan.text(subject)): \(truth); said \(said[number].outcome?.description ?? "nothing")")
        memories[subject] = Memory(last: situation, wasCompared: view.compares, turn: turn)
    }

    private func situation(of subject: Subject) -> Situation {
        let view = plan.views[subject.view], (numbers, cells) = state(of: subject)
        let properties = properties(view, numbers)
        let hidden = if case .loose(let index) = view.model { hiddenOfLoose[index] } else { 0 }
        let shown = view.shows.map { inputs in
            inputs.map { "\(numbers[$0]) \(cells[$0].number)" } + properties.map(value).sorted() + ["\(hidden)"]
        }
        return Situation(
            numbers: numbers, cells: cells.map(\.number), output: shown.map { $0.joined(separator: ", ") } ?? "nothing")
    }

    /// What a body itself reads.
    private func properties(_ view: ViewPlan, _ numbers: [Int]) -> Set<Property> {
        func property(_ object: AnyObject, _ field: Field) -> Property {
            Property(object: ObjectIdentifier(object), field: field)
        }
        switch view.model {
        case .none: return []
        case .loose(let index): return [property(looses[index], .seen)]
        case .held(let index), .known(let index):
            let model = models[index]
            return view.reads[numbers[0] % 2].reduce(into: []) { properties, field in
                switch field {
                case .seen: break
                case .level: properties.formUnion([property(model, .child), property(childOfModel[index], .level)])
                default: properties.insert(property(model, field))
                }
            }
        }
    }

    /// The value of a property; the models themselves would notice that it is read.
    private func value(_ property: Property) -> String { values[property] ?? "" }

    /// The names of a property for a view that holds the model, or does not.
    private func names(_ property: Property, _ view: ViewPlan) -> (path: String, type: String) {
        let type =
            property.field == .seen
            ? "Loose.seen" : property.field == .level ? "Child.level" : "Model.\(property.field)"
        switch view.model {
        case .held(let index) where ObjectIdentifier(models[index]) == property.object:
            return ("model.\(property.field)", type)
        case .held(let index) where ObjectIdentifier(childOfModel[index]) == property.object:
            return ("model.child.level", type)
        case .loose(let index) where ObjectIdentifier(looses[index]) == property.object: return ("model.seen", type)
        default: return (type, type)
        }
    }

    /// Reads what the body reads.
    private func read(_ view: ViewPlan, _ numbers: [Int]) -> Int {
        switch view.model {
        case .none: return 0
        case .loose(let index): return looses[index].seen + looses[index].hidden
        case .held(let index), .known(let index):
            let model = models[index]
            return view.reads[numbers[0] % 2].reduce(0) { sum, field in
                switch field {
                case .number: sum + model.number
                case .text: sum + model.text.utf8.count
                case .list: sum + model.list.count
                case .style: sum + model.style.value
                case .child: sum + (withExtendedLifetime(model.child) { 1 })
                case .level: sum + model.child.level
                case .seen: sum
                }
            }
        }
    }

    private func run(_ subject: Subject, _ view: ViewPlan, _ body: @escaping () -> String) {
        let inputs = view.inputs.map { kinds[$0] }
        run(subject, view, inputs[0], inputs[1], inputs[2], body)
    }

    private func run(
        _ subject: Subject, _ view: ViewPlan, _ first: some InputKind, _ second: some InputKind,
        _ third: some InputKind, _ body: @escaping () -> String
    ) {
        let (numbers, cells) = state(of: subject)
        let inputs = Plain(
            first: first.make(numbers[0], cells[0]), second: second.make(numbers[1], cells[1]),
            third: third.make(numbers[2], cells[2]))
        switch view.model {
        case .none, .known: evaluate(inputs, subject, view, body)
        case .held(let index):
            let view1 = Holding(first: inputs.first, second: inputs.second, third: inputs.third, model: models[index])
            evaluate(view1, subject, view, body)
        case .loose(let index):
            let view1 = Holding(first: inputs.first, second: inputs.second, third: inputs.third, model: looses[index])
            evaluate(view1, subject, view, body)
        }
    }

    private func evaluate<View>(_ value: View, _ subject: Subject, _ view: ViewPlan, _ body: @escaping () -> String) {
        recorder.evaluate(
            view.key, value, instance: subject.instance, comparing: view.compares ? .equatable : nil, is: nil
        ) { _ in body() }
    }
}

// MARK: - Judging

extension RandomProgram {
    private func judge(_ number: Int, _ answer: Answer, _ tally: inout Tally) {
        guard let outcome = answer.outcome else { return }
        var truth = answer.truth
        truth.chain = answer.parent.flatMap { chain(under: $0, outcome) }
        var verdict = truth.verdict(on: outcome)
        var isTellable = truth.isTellable
        if answer.wasPaused {
            // What was counted before a pause may be forgotten; it must not be made up.
            var forgotten = Truth.open
            if let parent = truth.parent { forgotten = forgotten.under(parent) }
            let needs =
                answer.isAgain ? [.notWasted, truth.need, .inferred([.twiceInATurn])] : [.notWasted, truth.need]
            for need in needs {
                verdict = min(verdict, forgotten.with(need).verdict(on: outcome), truth.with(need).verdict(on: outcome))
            }
            isTellable = verdict == .right
        }
        tally.add(
            verdict, isTellable: isTellable,
            "program \(plan.seed), evaluation \(number) (\(plan.text(answer.subject)), step \(answer.step)): truly \(truth), said \(outcome)"
        )
    }

    /// The way up is what was said of the parent. Three ways are told of each reason.
    private func chain(under parent: Int, _ outcome: Outcome) -> String? {
        guard outcome.reason.hasPrefix("parent: "), outcome.chain != "other", let said = said[parent].outcome else {
            return nil
        }
        let key = plan.views[self.said[parent].subject.view].key
        let root = said.reason.hasPrefix("parent: ") ? said.chain : said.reason
        guard let root, root != "other" else { return nil }
        return "\(key) ← \(root)"
    }

    private func checkTotals(_ tally: inout Tally) {
        for view in recorder.store.stats {
            let waste = view.wasted,
                evaluated = said.filter { plan.views[$0.subject.view].key == view.key.rawValue }.count
            let adds =
                view.count == evaluated && waste.count == waste.measured + waste.inferred && waste.count <= view.count
                && view.reasons.reduce(0) { $0 + $1.count } == view.count
            if !adds {
                tally.add(
                    .wrong, isTellable: false, "program \(plan.seed): totals of \(view.key.rawValue) do not add up")
            }
        }
    }
}
