// SPDX-License-Identifier: MIT
// Answers the lines of standard input.

import Foundation
import RenderLoop
import RenderLoopScenarios
import Rerender
import RerenderModel

#if RERENDER_GTK
    /// A scenario in a window, and what a test asks of it. `done` follows each answer.
    @MainActor
    final class ScreenHost {
        private let scenarios: ScenarioWindow?
        private let gallery: (window: RenderWindow, loop: RenderLoop)?
        private var rest = ""

        init?(_ name: String) {
            if let scenario = RedrawScenario(rawValue: name) {
                (scenarios, gallery) = (ScenarioWindow(scenario), nil)
            } else {
                (scenarios, gallery) = (nil, Self.gallery())
            }
            if scenarios == nil, gallery == nil { return nil }
        }

        private static func gallery() -> (window: RenderWindow, loop: RenderLoop)? {
            guard let window = RenderWindow(title: "Gallery", choices: [], choose: { _ in }) else { return nil }
            let driver = GLibLoop()
            let loop = RenderLoop(Gallery(), driver: driver)
            window.show(loop, on: driver, title: "Gallery", text: "what no scenario has")
            return (window, loop)
        }

        func run() {
            scenarios?.runLoop()
            gallery?.window.run()
        }

        func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

        /// Reads what there is, and answers each whole line.
        func read() {
            let data = FileHandle.standardInput.availableData
            // The test is gone.
            if data.isEmpty { exit(0) }
            rest += String(decoding: data, as: UTF8.self)
            while let end = rest.firstIndex(of: "\n") {
                let line = rest[..<end]
                rest = String(rest[rest.index(after: end)...])
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                answer(words.first ?? "", words.count > 1 ? words[1] : "")
                say("done")
            }
        }

        private func answer(_ command: String, _ argument: String) {
            guard let loop = scenarios?.run?.loop ?? gallery?.loop else { return }
            switch command {
            case "bounds":
                let bounds = scenarios?.bounds(of: argument) ?? gallery?.window.bounds(of: argument) ?? [0, 0, 0, 0]
                say("bounds \(argument) " + bounds.map { "\($0)" }.joined(separator: " "))
            case "counts": say("counts " + Self.text(scenarios?.run?.total ?? [:]))
            case "store":
                let counts = scenarios?.store?.stats.map { ($0.key.rawValue, Int($0.count)) } ?? []
                say(
                    "store \(scenarios?.scenario.rawValue ?? "") " + Self.text(Dictionary(uniqueKeysWithValues: counts))
                )
            case "texts": say("texts " + texts(in: loop.committedRoot).joined(separator: "|"))
            case "turn": say("turn \(loop.turn)")
            case "pulse": loop.pulse(ViewKey(rawValue: argument))
            case "highlight": for store in LiveStore.all { store.highlight(argument == "on") }
            default: say("unknown \(command)")
            }
        }

        private static func text(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }

        private func texts(in layer: Layer) -> [String] {
            let own: [String] =
                switch layer.committed.content {
                case .text(let text): [text]
                case .control(.field(let text, _)): ["field:\(text)"]
                case .control(.slider(let value)): ["slider:\(value)"]
                default: []
                }
            return own + layer.committed.sublayers.flatMap(texts)
        }
    }
#endif
