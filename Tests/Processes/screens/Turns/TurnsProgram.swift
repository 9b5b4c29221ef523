// SPDX-License-Identifier: MIT
// `screens turns CALLOUT`: a render loop on the real main run loop of this process. Prints what happened, for a test to judge.

import Dispatch
import Foundation
import Observation
import RenderLoop
import Rerender

@MainActor
@Observable
final class TurnsModel {
    var first = 0
    var second = 0
}

struct TurnsScreen: View {
    let model: TurnsModel
    var body: some View {
        Text("\(model.first) \(model.second)").onAppear { model.first += 1 }
    }
}

/// Changes the model as `callout` says, so often, and then ends.
@MainActor
final class TurnsProgram {
    let model = TurnsModel()
    let loop: RenderLoop
    let renderer = TextRenderer()
    let store: RerenderStore
    var lines: [String] = []
    var left = 5

    init() {
        loop = RenderLoop(TurnsScreen(model: model), driver: MainRunLoop())
        // After the loop, which makes the tracepoints: where a test records, the store waits until they are heard.
        store = RerenderStore(name: "turns")
        loop.add(renderer)
        loop.observe { [unowned self] event in
            switch event {
            case .evaluated(_, let causes): lines.append("evaluated turn=\(loop.turn) \(causes)")
            case .handlerRan(let handler): lines.append("handler turn=\(loop.turn) \(handler.kind)")
            case .committed(_, let changes, _): lines.append("committed turn=\(loop.turn) changes=\(changes)")
            default: break
            }
        }
    }

    func change() {
        left -= 1
        let before = loop.evaluations
        model.first += 1
        model.second += 1
        lines.append("changed turn=\(loop.turn) evaluations=\(loop.evaluations - before)")
    }

    func run(_ callout: String) {
        switch callout {
        case "timer":
            _ = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in
                MainActor.assumeIsolated { if self.left > 0 { self.change() } }
            }
        case "queue": onQueue()
        case "thread":
            Thread.detachNewThread {
                for _ in 0..<5 {
                    Thread.sleep(forTimeInterval: 0.01)
                    DispatchQueue.main.sync { MainActor.assumeIsolated { self.change() } }
                }
            }
        case "frames":
            var link: DisplayLink?
            link = loop.addDisplayLink { [unowned self] _ in
                if left > 0 { change() } else { link?.cancel() }
            }
        default: break
        }
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.4))
        // A busy machine comes to it later.
        let latest = Date(timeIntervalSinceNow: 10)
        while callout != "idle", left > 0, Date() < latest {
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
        }
        // The turn of the last change, which the time may have run out in.
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
        lines.append("screen=\(renderer.text) turns=\(loop.turn) evaluations=\(loop.evaluations)")
        print(lines.joined(separator: "\n"))
    }

    private func onQueue() {
        guard left > 0 else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) {
            MainActor.assumeIsolated {
                self.change()
                self.onQueue()
            }
        }
    }
}

@MainActor
enum Turns {
    static func run(_ callout: String) {
        switch callout {
        case "moves": InputProgram().moves()
        case "late": InputProgram().late()
        default: TurnsProgram().run(callout)
        }
    }
}
