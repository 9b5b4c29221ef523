// SPDX-License-Identifier: MIT
// The window of rerender-demo on an X server without a screen.

import Foundation
import RenderLoop
import RenderLoopScenarios
import RerenderGTK
import TestSupport

extension HUDScreen {
    /// Starts the window with a scenario, and waits until its widgets have their places.
    static func demo(_ scenario: RedrawScenario) async throws -> HUDScreen {
        let screen = try await start(["window", scenario.rawValue], on: XServer(width: 1_100, height: 720))
        for control in scenario.controls { try await screen.place(control.name) }
        return screen
    }

    /// Where a widget is on the screen, as soon as it is there.
    @discardableResult
    nonisolated func place(_ name: String) async throws -> HUDRect {
        try await eventually("a place for \(name)") {
            let bounds = try await self.bounds(name)
            return bounds.width > 1 && bounds.height > 1 ? bounds : nil
        }
    }

    /// Clicks into the middle of a widget.
    func click(_ name: String) async throws {
        let place = try await place(name).center
        try await click(place.x, place.y)
    }

    /// What is on the screen: each text, each field's text and each slider's value.
    func texts() async throws -> [String] {
        try await words("texts").joined(separator: " ").split(separator: "|").map(String.init)
    }

    /// Waits until a text is on the screen.
    nonisolated func shows(_ text: String) async throws {
        try await eventually("'\(text)'", seen: { try await self.texts() }) {
            try await self.texts().contains(text) ? () : nil
        }
    }

    /// What was evaluated, how often.
    func counts() async throws -> [String: Int] { Self.counts(try await words("counts")) }

    /// The scenario that is shown, and what its store counted.
    func store() async throws -> (name: String, counts: [String: Int]) {
        let words = try await words("store")
        return (words.first ?? "", Self.counts(Array(words.dropFirst())))
    }

    private static func counts(_ words: [String]) -> [String: Int] {
        let pairs = words.map { $0.split(separator: "=") }.filter { $0.count == 2 }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int($0[1]) ?? 0) })
    }
}

extension RedrawScenario {
    /// What a run without a window evaluates, step by step.
    @MainActor
    func headless(_ script: String) throws -> [String: Int] {
        let clock = VirtualClock()
        let run = RedrawRun(self, driver: clock)
        clock.settle()
        for step in try Script(parsing: script).steps { run.perform(step, on: clock) }
        return run.total
    }
}
