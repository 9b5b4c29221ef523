// SPDX-License-Identifier: MIT
// Navigation stacks: pages, titles, links.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct NavigationTests {
    private struct Page: View {
        let number: Int
        @State private var taps = 0
        var body: some View {
            VStack {
                Button("taps \(number): \(taps)") { taps += 1 }.inputName("tap \(number)")
                NavigationLink("to \(number + 1)", value: number + 1)
            }
            .navigationTitle("Page \(number)")
        }
    }

    private struct Screen: View {
        var body: some View {
            NavigationStack {
                Page(number: 0).navigationDestination(for: Int.self) { Page(number: $0) }
            }
        }
    }

    private func lines(_ stage: Stage) -> [String] {
        stage.screen.split(separator: "\n").map { $0.trimmingPrefix(while: { $0 == " " }) }.map(String.init)
    }

    @Test func theTitleIsThatOfThePageInFront() {
        let stage = Stage(Screen(), width: 20, height: 5)
        #expect(lines(stage) == ["Page 0", "taps 0: 0", "to 1"])
        stage.tap("to 1")
        #expect(lines(stage) == ["< Back Page 1", "taps 1: 0", "to 2"])
        stage.tap("Back")
        #expect(lines(stage) == ["Page 0", "taps 0: 0", "to 1"])
    }

    @Test func theFirstCommitHasTheTitle() {
        #expect(Stage(Screen(), width: 20, height: 5).renderer.history.first?.hasPrefix("Page 0") == true)
    }

    @Test func aPageThatIsCoveredKeepsItsStateAndOneThatIsLeftDoesNot() {
        let stage = Stage(Screen(), width: 20, height: 5)
        stage.tap("tap 0")
        stage.tap("to 1")
        stage.tap("tap 1")
        #expect(lines(stage).contains("taps 1: 1"))
        stage.tap("Back")
        #expect(lines(stage).contains("taps 0: 1"))
        stage.tap("to 1")
        #expect(lines(stage).contains("taps 1: 0"))
    }

    private struct OwnPath: View {
        @State private var path: [Int] = []
        var body: some View {
            VStack(alignment: .leading) {
                NavigationStack(path: $path) {
                    Page(number: 0).navigationDestination(for: Int.self) { Page(number: $0) }
                }
                Text("path \(path)")
                Button("deep") { path = [4, 5] }
                Button("root") { path.removeAll() }
            }
        }
    }

    @Test func theProgramMayKeepThePath() {
        let stage = Stage(OwnPath(), width: 20, height: 7)
        stage.tap("to 1")
        #expect(lines(stage).contains("path [1]") && lines(stage).first == "< Back Page 1")
        stage.tap("deep")
        #expect(lines(stage).contains("path [4, 5]") && lines(stage).first == "< Back Page 5")
        stage.tap("Back")
        #expect(lines(stage).contains("path [4]") && lines(stage).first == "< Back Page 4")
        stage.tap("root")
        #expect(lines(stage).first == "Page 0")
    }

    private struct Deep: View {
        @State private var path = NavigationPath([1])
        var body: some View {
            NavigationStack(path: $path) {
                Text("root")
                    .navigationDestination(for: Int.self) { Text("number \($0)") }
                    .navigationDestination(for: String.self) { Text("text \($0)") }
                    .navigationTitle(Text("Root"))
            }
            Button("text") { path.append("a") }
        }
    }

    @Test func aPathMayBeThereFromTheBeginningAndOfSeveralTypes() {
        let stage = Stage(Deep(), width: 20, height: 5)
        #expect(lines(stage).contains("number 1"))
        #expect(lines(stage).first == "< Back", "a page without a title has none")
        stage.tap("text")
        #expect(lines(stage).contains("text a"))
    }

    private struct Views: View {
        var body: some View {
            NavigationStack {
                NavigationLink("open") { Text("opened").navigationTitle("Opened") }
            }
        }
    }

    @Test func aLinkMayHaveItsPageItself() {
        let stage = Stage(Views(), width: 20, height: 3)
        #expect(lines(stage) == ["open"], "without a title there is no line for it")
        stage.tap("open")
        #expect(lines(stage) == ["< Back Opened", "opened"])
        stage.tap("Back")
        #expect(lines(stage) == ["open"])
    }

    @Test func tappingInAPageEvaluatesThePageAlone() {
        let stage = Stage(Screen(), width: 20, height: 5)
        stage.tap("to 1")
        _ = stage.takeEvaluations()
        stage.tap("tap 1")
        #expect(stage.takeEvaluations() == ["Page"])
    }
}
