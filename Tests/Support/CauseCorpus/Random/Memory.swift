// SPDX-License-Identifier: MIT
// What a reader of a random program knows of each instance, and the truth that follows from it.

import RerenderModel

/// A property of one object.
struct Property: Hashable, Sendable {
    var object: ObjectIdentifier
    var field: Field
}

/// What an evaluation had to do with the world: its inputs and what it read.
struct Situation: Sendable {
    /// The numbers of the inputs, and of what their cells hold.
    var numbers: [Int]
    var cells: [Int]
    /// What the body read, and the bodies in it, with the values.
    var read: [Property: String] = [:]
    /// Names of what was read: from the view, and by the model's type.
    var names: [Property: (path: String, type: String)] = [:]
    var output: String
}

/// What is remembered of an instance between two evaluations.
struct Memory: Sendable {
    var last: Situation
    var wasCompared: Bool
    /// Whether it was evaluated, or might have been, while nothing was counted.
    var isPaused = false
    var written: Set<Property> = []
    var announced: [String] = []
    var turn = 0
    var isCommitted = false
}

/// Computes truths.
struct Reader {
    static let names = ["first", "second", "third"]
    let kinds: [any InputKind]
    /// The value of a property now.
    let value: (Property) -> String

    /// The truth of an evaluation, of which all is known.
    func truth(_ view: ViewPlan, _ memory: Memory?, _ now: Situation, parent: String?, turn: Int) -> Truth {
        guard let memory else { return .initial }
        let natures = view.inputs.map { kinds[$0].nature }
        let differing = now.numbers.indices.filter { now.numbers[$0] != memory.last.numbers[$0] }
        let changed = differing.filter { [.value, .object].contains(natures[$0]) }
        let isRemade = natures.contains(.object)
        var truth: Truth
        if !memory.announced.isEmpty {
            truth = .announced(memory.announced.joined(separator: ", "))
        } else if !memory.written.isEmpty {
            truth = written(memory)
            truth.lesser += changed.map { Self.names[$0] }
        } else if !changed.isEmpty || isRemade {
            let names = now.numbers.indices.filter { changed.contains($0) || natures[$0] == .object }
            truth = .changed(names.map { Self.names[$0] }.joined(separator: ", "))
        } else {
            truth = .same
        }
        truth.need = need(view, memory, now, truth, natures, turn)
        return parent.map { truth.under($0) } ?? truth
    }

    private func written(_ memory: Memory) -> Truth {
        let names = memory.written.compactMap { memory.last.names[$0] }
        var truth = Truth.wrote(Set(names.map(\.path)).sorted().joined(separator: ", "))
        truth.lesser = names.map(\.type)
        return truth
    }

    private func need(
        _ view: ViewPlan, _ memory: Memory, _ now: Situation, _ truth: Truth, _ natures: [Nature], _ turn: Int
    ) -> Truth.Need {
        let isAgain = turn > 0 && memory.turn == turn && !memory.isCommitted && view.isNumbered
        if view.compares, memory.wasCompared {
            if now.output == memory.last.output { return .measured }
            // The one before was not shown; this one is another.
            return isAgain ? .either : .notWasted
        }
        var kinds: Set<WasteKind> = isAgain ? [.twiceInATurn] : []
        if areInputsEqual(view, memory, now, natures), memory.announced.isEmpty {
            // Another model with equal content: to say so is right, and not to is.
            if memory.written.contains(where: { $0.field == .child }) { return .either }
            // Read in a body inside: the view does not hold the model that has more in it.
            if memory.last.read.keys.contains(where: { $0.field == .seen }) { return .either }
            kinds.formUnion(memory.written.isEmpty ? Truth.byInputs : Truth.byInputs.union([.sameValue]))
            if natures.contains(.closure) { kinds.insert(.closureIdentity) }
        }
        return kinds.isEmpty ? .notWasted : .inferred(kinds)
    }

    /// Whether all inputs are equal, and known to be.
    private func areInputsEqual(_ view: ViewPlan, _ memory: Memory, _ now: Situation, _ natures: [Nature]) -> Bool {
        if natures.contains(.hidden) || now.numbers != memory.last.numbers { return false }
        if case .loose = view.model { return false }
        return memory.last.read.allSatisfy { $0.value == value($0.key) }
    }
}
