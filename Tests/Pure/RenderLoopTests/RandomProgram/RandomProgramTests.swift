// SPDX-License-Identifier: MIT
// Programs made up at random: what the graph has kept up to date is what it makes from scratch.

import Foundation
import RenderLoop
import TestSupport
import Testing

@MainActor
@Suite struct RandomProgramTests {
    private static let size = CellSize(width: 160, height: 60)
    /// How many programs are made up; more where the environment says so.
    private nonisolated static let programs =
        ProcessInfo.processInfo.environment["RENDERLOOP_PROGRAMS"].flatMap(UInt64.init) ?? 40

    /// A loop that has come to rest.
    @MainActor
    private final class Run {
        let clock = VirtualClock()
        let loop: RenderLoop
        var events: [String] = []
        var warnings: [LoopWarning] = []

        init(_ world: World, restores: Bool, logs: Bool = false) {
            loop = RenderLoop(WorldView(world: world, restores: restores), driver: clock, size: size)
            loop.onWarning = { [unowned self] in warnings.append($0) }
            if logs { loop.observe { [unowned self] in events.append("\($0)") } }
            clock.settle()
        }

        /// Every committed value of every layer, as text.
        var layers: [String] {
            var lines: [String] = []
            func add(_ layer: Layer, _ depth: Int) {
                let values = layer.committed
                let place = "\(values.frame.origin.x),\(values.frame.origin.y)"
                let size = "\(values.frame.size.width)x\(values.frame.size.height)"
                lines.append(
                    String(repeating: " ", count: depth) + "\(place) \(size) \(values.opacity) \(values.content)")
                for layer in values.sublayers { add(layer, depth + 1) }
            }
            add(loop.committedRoot, 0)
            return lines
        }
    }

    /// One to four changes in one turn, or a tap; the state that has to be left is in the world.
    private func step(_ world: World, _ run: Run, _ random: inout SeededGenerator) {
        if Int.random(in: 0..<3, using: &random) == 0, let name = world.liveCounters.randomElement(using: &random) {
            #expect(run.loop.hasInput(named: name))
            run.loop.send(InputEvent(.tap, target: name))
            if Int.random(in: 0..<2, using: &random) == 0 { run.loop.send(InputEvent(.tap, target: name)) }
            run.clock.nextFrame()
        }
        var changes = random
        run.clock.source("change") {
            for _ in 0..<Int.random(in: 1...4, using: &changes) { world.change(&changes) }
            if Int.random(in: 0..<8, using: &changes) == 0 { for _ in 0..<30 { world.change(&changes) } }
        }
        run.clock.settle()
        random = changes
        world.forgetGoneCounters()
    }

    @Test(arguments: 1...programs)
    func whatIsKeptUpToDateIsWhatIsMadeFromScratch(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = World()
        let run = Run(world, restores: false, logs: seed.isMultiple(of: 2))
        for number in 0..<40 {
            step(world, run, &random)
            let fresh = Run(world, restores: true)
            guard run.layers == fresh.layers else {
                let difference = zip(run.layers, fresh.layers).first { $0 != $1 }
                Issue.record("seed \(seed), step \(number): is, should be \(String(describing: difference))")
                return
            }
            let missing = world.liveCounters.filter { !run.loop.hasInput(named: $0) }
            #expect(missing == [], "seed \(seed), step \(number)")
            #expect(run.warnings == [] && fresh.warnings == [])
        }
    }

    @Test(arguments: [3, 14, 159])
    func theSameSeedGivesTheSameEvents(seed: UInt64) {
        func events() -> [String] {
            var random = SeededGenerator(seed: seed)
            let world = World()
            let run = Run(world, restores: false, logs: true)
            for _ in 0..<10 { step(world, run, &random) }
            return run.events
        }
        let first = events()
        #expect(first.count > 500)
        for _ in 0..<20 { #expect(events() == first) }
    }
}
