// SPDX-License-Identifier: MIT
// `.rerenderHUD()`: a text in a corner, or the HUD of a window.

import FoundationEssentials
import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct HUDPanelTests {
    private struct Screen: View {
        @State private var taps = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("tap") { taps += 1 }
                Leaf(taps: taps).rerender("leaf")
                Still(taps: taps).rerender("still")
            }
        }
    }

    private struct Leaf: View {
        let taps: Int
        var body: some View { Text("taps \(taps)") }
    }

    private struct Still: View {
        let taps: Int
        var body: some View { Text("still") }
    }

    private let store = RerenderStore(name: "hud-panel")

    @Test func asCharactersItIsATextInTheCornerThatKeepsUpWithTheCounts() {
        let stage = Stage(Screen().rerenderHUD().environment(store), width: 36, height: 6)
        // Which one took longer is not known.
        func screen(_ first: String, _ second: String) -> String {
            """
            tap              Rerender: hud-panel
            taps 0           nothing is known
            still            \(first)
                             \(second)
            """
        }
        let screens = [screen("leaf...1", "still..1"), screen("still..1", "leaf...1")]
        #expect(screens.contains(stage.screen), "\(stage.screen)")
        stage.tap("tap")
        #expect(stage.screen.contains("leaf...2"))
        #expect(stage.screen.contains("still..2, 1 wasted"))
    }

    /// Slow, and the same each time: of less than a second in all, no part of a core is known.
    private struct Slow: View {
        let taps: Int
        var body: some View {
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .milliseconds(400) {}
            return Text("slow")
        }
    }

    private struct SlowScreen: View {
        @State private var taps = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("tap") { taps += 1 }
                Slow(taps: taps).rerender("slow")
            }
        }
    }

    @Test func itSaysFirstWhatCostsMostInTheWordsOfTheVerdict() throws {
        let stage = Stage(SlowScreen().rerenderHUD().environment(store), width: 48, height: 6)
        #expect(!stage.screen.contains("slow:"))
        for _ in 0..<3 { stage.tap("tap") }
        let export = try JSONDecoder().decode(StatsExport.self, from: store.exportJSON())
        let finding = try #require(export.verdict?.first)
        #expect(finding.kind == .waste && finding.view == "slow")
        let lines = stage.screen.split(separator: "\n")
        #expect(lines.count > 1 && lines[1].contains("! \(finding.short)"), "\(stage.screen)")
    }

    @Test func itIsInTheCornerOfItsAlignmentAndGoesWithItsView() {
        let stage = Stage(Toggled(store: store), width: 40, height: 6)
        #expect(stage.screen.split(separator: "\n").first?.hasPrefix("on") == true)
        #expect(stage.screen.contains("\nRerender: hud-panel"))
        stage.tap("switch")
        #expect(!stage.screen.contains("Rerender"))
    }

    private struct Toggled: View {
        let store: RerenderStore
        @State private var isOn = true
        var body: some View {
            VStack(alignment: .leading) {
                Text(isOn ? "on" : "off")
                Button("switch") { isOn.toggle() }
                if isOn { Text("x").rerenderHUD(alignment: .bottomLeading).environment(store) }
            }
        }
    }

    @Test func itCountsForNothingAndComesToRest() {
        let (plain, shown) = (RerenderStore(name: "plain"), RerenderStore(name: "shown"))
        let (without, with) = (Stage(Screen().environment(plain)), Stage(Screen().rerenderHUD().environment(shown)))
        for stage in [without, with] { for _ in 0..<3 { stage.tap("tap") } }
        #expect(with.loop.evaluations == without.loop.evaluations)
        #expect(shown.stats.map(\.count) == plain.stats.map(\.count))
        #expect(shown.stats.map(\.wasted.count) == plain.stats.map(\.wasted.count))
        let turn = with.loop.turn
        with.clock.advance(by: 1_000_000_000)
        #expect(with.loop.turn == turn)
    }

    @Test func aWindowShowsItsOwn() {
        let (clock, host) = (VirtualClock(), Host())
        let loop = RenderLoop(Screen().rerenderHUD(alignment: .bottomTrailing).environment(store), driver: clock)
        loop.setHUDHost(host)
        clock.settle()
        #expect(host.shown == [.bottomTrailing])
        #expect(host.store != nil)
        #expect(!TextRenderer.text(of: loop.committedRoot).contains("Rerender"))
    }

    private final class Host: HUDHost {
        func highlightsViews(_ isOn: Bool) {}
        var shown: [Alignment] = []
        var store: RerenderStore?
        func showHUD(of store: RerenderStore?, at alignment: Alignment) {
            self.store = store
            shown.append(alignment)
        }
        func hideHUD() {}
    }
}
