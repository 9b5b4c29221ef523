// SPDX-License-Identifier: MIT
// What is on the screen, and what a commit changes of it.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Line {
    var text = "x"
    var shows = true
}

@MainActor
private final class Changes: LayerRenderer {
    var counts: [Int] = []
    func render(_ commit: Commit) { counts.append(commit.changes.count) }
}

@MainActor
@Suite struct LayerTests {
    private func screen(_ view: some View) -> String { Stage(view, width: 20, height: 8).screen }

    @Test func stacksAndModifiersArrange() {
        #expect(
            screen(
                VStack {
                    Text("a"); Text("bbb")
                }) == " a\nbbb")
        #expect(
            screen(
                VStack(alignment: .trailing, spacing: 1) {
                    Text("a"); Text("bbb")
                }) == "  a\n\nbbb")
        #expect(
            screen(
                HStack {
                    Text("a"); Text("b\nc")
                }) == "a b\n  c")
        #expect(screen(Text("a").padding()) == "\n a")
        #expect(screen(Text("ab").background(Color.red).padding(1)) == "\n ab")
        #expect(screen(Text("a").frame(width: 3, height: 1).background(Color.red)) == "RaR")
        #expect(screen(Text("abc").overlay(alignment: .bottomTrailing) { Text("!") }) == "ab!")
        #expect(screen(Text("a").offset(x: 2, y: 1)) == "\n  a")
        #expect(screen(Text("a").padding().border(.red)) == "+-+\n|a|\n+-+")
        #expect(
            screen(
                ZStack {
                    Text("aaa"); Text("b").opacity(0.2)
                }) == "aaa")
        #expect(
            screen(
                Group {
                    Text("a"); Text("bc")
                }) == "a\nbc")
        #expect(screen(Color.blue.frame(width: 2, height: 2)) == "BB\nBB")
        #expect(screen(EmptyView()) == "")
        let all = Array(repeating: String(repeating: "R", count: 20), count: 8).joined(separator: "\n")
        #expect(screen(Color.red) == all, "the screen is proposed to the view at the top")
    }

    private struct Two: View {
        var body: some View {
            Text("a")
            Text("bb")
        }
    }

    @Test("a modifier of several views applies to each, and they lie as they would without it")
    func joined() {
        #expect(screen(Two()) == "a\nbb")
        #expect(screen(VStack(alignment: .trailing) { Two().background(Color.red) }) == " a\nbb")
        #expect(
            screen(VStack(alignment: .leading, spacing: 1) { Two().padding().border(.red) })
                == "+-+\n|a|\n+-+\n\n+--+\n|bb|\n+--+")
        #expect(screen(HStack { Two().opacity(1).frame(width: 6) }) == "  a      bb")
        #expect(screen(HStack { Group { Two() }.offset(y: 1) }) == "\na bb")
        #expect(screen(ZStack(alignment: .topLeading) { Two().padding(0) }) == "bb")
        #expect(screen(VStack { ForEach(0..<2) { Text("row \($0)") }.padding(0).opacity(1) }) == "row 0\nrow 1")
        let attached = Text("xxx").overlay(alignment: .topLeading) { Two().padding(0) }
        #expect(screen(VStack { attached }) == "bbx", "what is in front lies over one another")
    }

    private struct Aligned: View {
        let line: Line
        var body: some View {
            VStack(alignment: line.shows ? .leading : .trailing) { Two().padding(0).opacity(1) }
        }
    }

    @Test("several views in one modifier move with the alignment of the stack around")
    func realigned() {
        let line = Line()
        let stage = Stage(Aligned(line: line))
        #expect(stage.screen == "a\nbb")
        stage.act { line.shows = false }
        #expect(stage.screen == " a\nbb")
    }

    private struct Row: View {
        let line: Line
        var body: some View {
            if line.shows { Text(line.text) }
        }
    }

    @Test func everyLineFeedBeginsALine() {
        let lines = Text("a\r\nbc\n\r\nd")
        #expect(screen(lines) == "a\nbc\n\nd")
        #expect(screen(lines.border(.red)) == "++\n||\n||\n++", "two columns and four lines")
    }

    @Test func anOpacityIsANumberFromZeroToOne() throws {
        let reference = LayerReference()
        let stage = Stage(LayerHost(reference))
        let layer = try #require(reference.layer)
        for (opacity, expected): (Float, Float) in [(.nan, 0), (7, 1), (-.infinity, 0), (0.5, 0.5)] {
            stage.act { layer.opacity = opacity }
            #expect(layer.committed.opacity == expected)
        }
    }

    @Test(arguments: [(-3, 0), (Int.min, 0), (0, 0), (1, 1), (2, 2), (.max, 3)])
    func aRendererRemembersAsManyCommitsAsItIsTold(limit: Int, count: Int) {
        let line = Line()
        let clock = VirtualClock()
        let loop = RenderLoop(LineView(line: line), driver: clock)
        let renderer = TextRenderer()
        renderer.historyLimit = limit
        loop.add(renderer)
        clock.settle()
        for text in ["y", "z"] {
            clock.source("change") { line.text = text }
            clock.settle()
        }
        #expect(renderer.commits == 3)
        #expect(renderer.history == ["x", "y", "z"].suffix(count))
        #expect(renderer.text == "z")
    }

    private struct LineView: View {
        let line: Line
        var body: some View { Text(line.text) }
    }

    @Test func aCommitHasWhatChangedAndNoMore() {
        let lines = (0..<50).map { _ in Line() }
        let stage = Stage(VStack(alignment: .leading) { ForEach(0..<50) { Row(line: lines[$0]) } }, height: 60)
        let changes = Changes()
        stage.loop.add(changes)
        stage.act { lines[7].text = "y" }
        stage.act { lines[7].text = "yyy" }
        stage.act { lines[9].text = "zz" }
        // A text that others must not move for; then the stack and those around it become wider.
        #expect(changes.counts.first == 1)
        #expect(changes.counts.last == 1)
        #expect(changes.counts.count == 3)
        stage.act { lines[7].shows = false }
        #expect(stage.screen.split(separator: "\n").count == 49)
        #expect(stage.screen.split(separator: "\n")[8] == "zz")
    }

    /// Every layer of the working tree is where a fresh layout of the same views puts it.
    @Test func whatIsLaidOutInStepsIsAsLaidOutAtOnce() {
        var random = Lehmer(seed: 7)
        let lines = (0..<12).map { _ in Line() }
        func view() -> some View {
            VStack(alignment: .center) {
                ForEach(0..<12) { index in
                    HStack {
                        Row(line: lines[index]); Row(line: lines[(index + 5) % 12]).padding(index % 3)
                    }
                }
            }
            .background(Color.red)
        }
        let stage = Stage(view(), width: 60, height: 60)
        for _ in 0..<200 {
            stage.act {
                for _ in 0...random.next(3) {
                    let line = lines[random.next(12)]
                    if random.next(4) == 0 {
                        line.shows.toggle()
                    } else {
                        line.text = String(repeating: "w", count: 1 + random.next(9))
                    }
                }
            }
            #expect(stage.screen == Stage(view(), width: 60, height: 60).screen)
        }
    }

    @Test func aProbeLearnsWhetherTheCommitChangedTheView() {
        final class Probe: EvaluationProbe {
            var notes: [String] = []
            func willEvaluate(_ node: Node, reason: EvaluationReason) { notes.append("\(reason)") }
            func evaluate<Content: View>(_ view: Content, at node: Node, _ body: () -> Content.Body) -> Content.Body {
                notes.append("body")
                return body()
            }
            func committed(_ node: Node, changed: Bool) { notes.append("committed \(changed)") }
            func unmounted(_ node: Node) { notes.append("gone") }
        }
        struct Wasteful: View {
            let line: Line
            var body: some View { Text(line.text.isEmpty ? "" : "same") }
        }
        struct Outer: View {
            let line: Line
            let probe: Probe
            var body: some View {
                if line.shows { Wasteful(line: line).modifier(ProbeModifier { [probe] _ in probe }) }
            }
        }
        let line = Line()
        let probe = Probe()
        let stage = Stage(Outer(line: line, probe: probe))
        stage.act { line.text = "other" }
        stage.act { line.text = "" }
        stage.act { line.shows = false }
        #expect(
            probe.notes == [
                "initial", "body", "committed true", "observed line.text", "body", "committed false",
                "observed line.text", "body", "committed true", "gone",
            ])
    }
}

/// Numbers that are the same in every run.
struct Lehmer {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next(_ limit: Int) -> Int {
        state = state &* 48271 % 0x7FFF_FFFF
        return Int(state % UInt64(limit))
    }
}
