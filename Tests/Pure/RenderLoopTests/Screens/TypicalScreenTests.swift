// SPDX-License-Identifier: MIT
// Screens as they are written for SwiftUI are shown and operated.

import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct TypicalScreenTests {
    private func lines(_ stage: Stage) -> [String] {
        stage.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func dashboard(_ data: DashboardData) -> Stage {
        let view = DashboardView().environment(data).environment(RerenderStore(name: "dashboard"))
        return Stage(view, width: 24, height: 12)
    }

    @Test func aDashboardIsLaidOutAndExpands() {
        let stage = dashboard(DashboardData())
        #expect(lines(stage)[0] == " ⌂ Dashboard          v")
        #expect(lines(stage)[2] == String(repeating: "-", count: 24))
        #expect(lines(stage)[4] == " Visitors     Revenue")
        #expect(lines(stage)[5] == " 12           3.5")
        #expect(lines(stage).count == 6)
        stage.tap("expand")
        #expect(lines(stage)[0].hasSuffix("^") && lines(stage)[7] == "details")
    }

    @Test func aTileIsEvaluatedForItsOwnValueAlone() {
        let data = DashboardData()
        let stage = dashboard(data)
        _ = stage.takeEvaluations()
        stage.act { data.visitors = 13 }
        #expect(stage.takeEvaluations() == ["DashboardView", "Tile"])
        #expect(lines(stage)[5] == " 13           3.5")
    }

    @Test func aFormTakesInput() {
        let stage = Stage(FormView(), width: 30, height: 10)
        #expect(lines(stage)[1] == " [_Name]" && lines(stage)[3] == " milk     [ ] done 1")
        stage.tap("Save")
        #expect(lines(stage)[6] == " saved 0", "the button is disabled without a name")
        stage.loop.send(InputEvent(.key("x"), target: "Name"))
        stage.clock.nextFrame()
        stage.tap("Save")
        #expect(lines(stage)[1] == " [x_]" && lines(stage)[6] == " saved 1")
        _ = stage.takeEvaluations()
        stage.tap("done 2")
        #expect(lines(stage)[4] == " bread    [x] done 2")
        #expect(stage.takeEvaluations().filter { $0 != "ForEachElement" } == ["EntryRow", "Toggle"])
    }

    @Test func aListIsNavigated() {
        let entries = (0..<200).map { Entry(id: $0, name: "entry \($0)", isDone: $0 == 1) }
        let stage = Stage(LibraryView(entries: entries), width: 20, height: 5)
        #expect(lines(stage) == ["Library", "○ entry 0", "✓ entry 1", "○ entry 2", "○ entry 3"])
        #expect(stage.takeEvaluations().filter { $0 == "LibraryRow" }.count == 4)
        stage.loop.send(InputEvent(.scrolled(10), target: "library"))
        stage.clock.nextFrame()
        #expect(lines(stage)[1] == "○ entry 10")
        stage.tap("entry 12")
        #expect(lines(stage)[0] == "< Back entry 12")
        stage.tap("Favourite")
        #expect(stage.screen.contains("★ entry 12"))
        stage.tap("Back")
        #expect(lines(stage)[0...1] == ["Library", "○ entry 10"])
    }
}
