// SPDX-License-Identifier: MIT
// What the loop evaluates, and what the store says of it, against what the rules predict without any graph.

import RenderLoop
import Rerender
import TestSupport
import Testing

/// Follows the rules: who is evaluated, why, and whether that changed what is seen.
@MainActor
private final class Prediction {
    struct Shown {
        var input = 0
        var value = 0
        var text = ""
        /// What was read last.
        var reads: Set<String> = []
    }

    let root: PredictedCell
    let world: PredictedWorld
    private var shown: [Int: Shown] = [:]
    private var states: [Int: Int] = [:]
    private(set) var evaluations: [Int: UInt64] = [:]
    private(set) var wasted: [Int: UInt64] = [:]
    /// Whether what the screen put into the environment has changed what a reader shows.
    private var isLevelSeen = false
    /// Of the last evaluation of each.
    private(set) var causes: [Int: Set<String>] = [:]

    init(_ root: PredictedCell, _ world: PredictedWorld) {
        self.root = root
        self.world = world
        _ = evaluate(root, input: 0, changed: [], isGiven: true)
        evaluations[PredictedScreen.id] = 1
        causes[PredictedScreen.id] = ["initial"]
    }

    /// A turn in which these sources announced changes.
    func turn(_ changed: Set<String>) {
        isLevelSeen = false
        _ = evaluate(root, input: 0, changed: changed, isGiven: false)
        guard changed.contains("level") else { return }
        evaluations[PredictedScreen.id, default: 1] += 1
        causes[PredictedScreen.id] = ["first"]
        if !isLevelSeen { wasted[PredictedScreen.id, default: 0] += 1 }
    }

    func set(_ cell: PredictedCell, to value: Int) -> Set<String> {
        guard states[cell.id, default: 0] != value else { return [] }
        states[cell.id] = value
        return ["state \(cell.id)"]
    }

    private func value(_ cell: PredictedCell, _ input: Int) -> (value: Int, reads: Set<String>) {
        switch cell.kind {
        case .plain: return (input, [])
        case .box:
            let box = world.boxes[cell.source]
            if box.first.isMultiple(of: 3) {
                return (input + box.second, ["box \(cell.source) first", "box \(cell.source) second"])
            }
            return (input + box.first, ["box \(cell.source) first"])
        case .object:
            let reads: Set = ["object \(cell.source) number", "object \(cell.source) other"]
            return (input + world.objects[cell.source].number, reads)
        case .environment: return (input + world.root.first, ["level"])
        case .state: return (input + states[cell.id, default: 0], ["state \(cell.id)"])
        }
    }

    /// Whether what was given to the cell changed what it, or what is in it, shows. The environment is given by the screen,
    /// whatever is between.
    private func evaluate(_ cell: PredictedCell, input: Int, changed: Set<String>, isGiven: Bool) -> Bool {
        let old = shown[cell.id]
        let hasInput = old.map { $0.input != input } ?? true
        let announced = old?.reads.intersection(changed) ?? []
        guard hasInput || !announced.isEmpty else {
            for child in cell.children {
                _ = evaluate(child, input: shown[child.id]?.input ?? 0, changed: changed, isGiven: false)
            }
            return false
        }
        let (value, reads) = value(cell, input)
        let text = cell.text(of: value)
        shown[cell.id] = Shown(input: input, value: value, text: text, reads: reads)
        var isChanged = old?.text != text
        for child in cell.children {
            let input = child.given.input(of: value)
            let isGiven = shown[child.id].map { $0.input != input } ?? true
            if evaluate(child, input: input, changed: changed, isGiven: isGiven) { isChanged = true }
        }
        evaluations[cell.id, default: 0] += 1
        if !isChanged { wasted[cell.id, default: 0] += 1 }
        causes[cell.id] = old == nil ? ["initial"] : Set(announced.map(Self.name) + (hasInput ? ["input"] : []))
        if announced.contains("level"), isChanged { isLevelSeen = true }
        return isGiven && isChanged
    }

    /// The name of a source as the view has it.
    private static func name(_ source: String) -> String {
        source.hasPrefix("state") ? "count" : String(source.split(separator: " ").last ?? "")
    }
}

@MainActor
@Suite struct PredictionTests {
    /// One to four changes.
    private func change(_ prediction: Prediction, _ random: inout SeededGenerator) -> Set<String> {
        let world = prediction.world
        var changed: Set<String> = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let source = Int.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                world.boxes[source].first += 1
                changed.insert("box \(source) first")
            case 1:
                world.boxes[source].second += 1
                changed.insert("box \(source) second")
            case 2:
                world.objects[source].number += Int.random(in: 0...1, using: &random)
                changed.insert("object \(source) number")
            case 3:
                world.objects[source].other += 1
                changed.insert("object \(source) other")
            case 4:
                world.root.first += 1
                changed.insert("level")
            default:
                let cells = prediction.root.all.filter { $0.kind == .state }
                guard let cell = cells.randomElement(using: &random) else { continue }
                let value = Int.random(in: 0..<5, using: &random)
                changed.formUnion(prediction.set(cell, to: value))
                world.states[cell.id]?.wrappedValue = value
            }
        }
        return changed
    }

    /// The properties that a reason names, without the way to them.
    private func names(_ reason: String) -> Set<String> {
        Set(
            reason.split(separator: ",").map { $0.split(separator: ".").last.map(String.init) ?? "" }
                .map { $0.trimmingPrefix(while: { $0 == " " }) }.map(String.init))
    }

    @Test(arguments: UInt64(1)...10)
    func countsWasteAndReasonsAreThoseThatTheRulesPredict(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (store, world) = (RerenderStore(name: "predicted"), PredictedWorld())
        var next = 0
        var root = PredictedCell(&next, depth: 3, &random)
        while root.all.count < 6 {
            next = 0
            root = PredictedCell(&next, depth: 3, &random)
        }
        let clock = VirtualClock()
        let loop = RenderLoop(
            PredictedScreen(cell: root, world: world).rerender("\(PredictedScreen.id)").rerenderStore(store),
            driver: clock,
            size: CellSize(width: 40, height: 80))
        clock.settle()
        let prediction = Prediction(root, world)
        for step in 0..<60 {
            var (changes, changed) = (random, Set<String>())
            clock.source("change") { changed = change(prediction, &changes) }
            clock.settle()
            random = changes
            prediction.turn(changed)
            #expect(world.bodies == prediction.evaluations, "seed \(seed), step \(step), \(changed)")
            guard world.bodies == prediction.evaluations else { return }
            for view in store.stats {
                let id = try #require(Int(view.key.rawValue))
                let place: Comment = "seed \(seed), step \(step), cell \(id), \(changed)"
                #expect(view.count == prediction.evaluations[id], place)
                #expect(view.wasted.measured == prediction.wasted[id, default: 0], place)
                let (said, causes) = (names(view.lastReason), prediction.causes[id] ?? [])
                #expect(!said.isEmpty && said.isSubset(of: causes), "\(place): \(view.lastReason), \(causes)")
            }
        }
        withExtendedLifetime(loop) {}
    }
}
