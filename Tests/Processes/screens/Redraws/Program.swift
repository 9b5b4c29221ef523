// SPDX-License-Identifier: MIT
// Takes orders, counts what the loop tells, and answers.

import Foundation
import RenderLoop
import Rerender

@MainActor
final class Program {
    let store = RerenderStore()
    let truth = BodyCounts()
    let clock = Clock()
    let widths = Widths()
    let loop: RenderLoop
    let renderer = TextRenderer()

    private var evaluated: [UInt64: String] = [:]
    private var commits: [String: UInt64] = [:]
    private var ticksLeft = 0
    private var isWaiting = false
    private var timer: Timer?

    init() {
        store.isConsoleLoggingEnabled = false
        let screen = Screen(truth: truth, clock: clock, widths: widths).rerender("Screen").rerenderStore(store)
        loop = RenderLoop(screen, driver: MainRunLoop())
        loop.add(renderer)
        loop.observe { [unowned self] in note($0) }
    }

    func say(_ text: String) {
        // Not through stdio: flushing waits for the thread that reads.
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    func take(_ line: String) {
        let order = line.split(separator: " ").map(String.init)
        switch (order.first, order.dropFirst().first) {
        case ("tap", let name?): loop.send(InputEvent(.tap, target: name))
        case ("tick", let count?):
            ticksLeft = Int(count) ?? 0
            tick()
        case ("cycle", let count?):
            widths.mostRounds += Int(count) ?? 0
            widths.row += 1
        case ("timer", let milliseconds?): beginTimer(seconds: (Double(milliseconds) ?? 0) / 1000)
        case ("slow", let milliseconds?): clock.slowness = Int(milliseconds) ?? 0
        case ("counts", _): say(Self.text(truth.bodies))
        case ("commits", _): say(Self.text(commits))
        case ("screen", _): say(Data(renderer.text.utf8).base64EncodedString())
        default: say("what?")
        }
    }

    private func tick() {
        ticksLeft -= 1
        let clock = clock
        DispatchQueue.main.async { MainActor.assumeIsolated { clock.tick += 1 } }
    }

    /// Answers at once, and no more when a turn is over.
    private func beginTimer(seconds: Double) {
        let clock = clock
        timer = Timer.scheduledTimer(withTimeInterval: seconds, repeats: true) { _ in
            MainActor.assumeIsolated { clock.tick += 1 }
        }
        say("begun")
    }

    private func note(_ event: LoopEvent) {
        switch event {
        case .evaluated(let node, _):
            evaluated[node.id] = node.name
            isWaiting = true
        case .committed(_, _, isExplicit: false):
            for name in evaluated.values where truth.bodies[name] != nil { commits[name, default: 0] += 1 }
            evaluated = [:]
        case .waiting:
            guard isWaiting, !widths.isGoing, timer == nil else { return }
            isWaiting = false
            if ticksLeft > 0 { tick() } else if loop.turn > 1 { say("done") }
        default: break
        }
    }

    private static func text(_ counts: [String: UInt64]) -> String {
        counts.map { "main/\($0.key)=\($0.value)" }.sorted().joined(separator: ";")
    }
}
