// SPDX-License-Identifier: MIT
// Space that is left, frames with limits, alignments and padding, as SwiftUI documents them.

import Foundation
import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct FlexibleLayoutTests {
    private func screen(_ view: some View, width: Int = 12, height: Int = 6) -> String {
        Stage(view, width: width, height: height).screen
    }

    @Test func aSpacerTakesUpWhatIsLeftInItsStack() {
        let row = HStack(spacing: 0) {
            Text("a"); Spacer(); Text("b")
        }
        #expect(screen(row) == "a          b")
        #expect(
            screen(
                VStack {
                    Text("a"); Spacer(); Text("b")
                }) == "a\n\n\n\n\nb")
        #expect(
            screen(
                VStack {
                    row; Text("c")
                }) == "a          b\n     c")
        #expect(screen(row.padding(EdgeInsets(top: 0, leading: 2, bottom: 0, trailing: 2))) == "  a      b")
    }

    @Test func severalSpacersShareAndKeepTheirLeastLength() {
        #expect(
            screen(
                HStack(spacing: 0) {
                    Spacer(); Text("ab"); Spacer()
                }) == "     ab")
        let tight = HStack(spacing: 0) {
            Text("abcdef"); Spacer(minLength: 3); Text("ghijk")
        }
        #expect(screen(tight, width: 20) == "abcdef         ghijk")
        #expect(screen(tight, width: 10).hasPrefix("abcdef   g"), "there is no space to share")
        #expect(
            screen(
                List {
                    VStack {
                        Text("a"); Spacer()
                    }
                    Text("b")
                }) == "a\nb", "where nothing is proposed it has its least length")
    }

    @Test func aFrameWithAMaximumIsAsLargeAsItIsProposed() {
        #expect(screen(Text("a").frame(maxWidth: .infinity)) == "     a")
        #expect(screen(Text("a").frame(maxWidth: .infinity, alignment: .leading)) == "a")
        #expect(
            screen(Text("a").frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .bottomTrailing)).last == "a")
        #expect(screen(Text("a").frame(maxWidth: 5, alignment: .trailing)) == "    a")
        #expect(screen(Text("abcdef").frame(maxWidth: 4, alignment: .leading).background(Color.red)) == "abcdef")
    }

    @Test func aFrameWithAMinimumIsAtLeastThat() {
        #expect(screen(Text("a").frame(minWidth: 3).border(.red)) == "+-+", "a line is over the view")
        #expect(screen(Text("abcd").frame(minWidth: 3).background(Color.red)) == "abcd")
        #expect(screen(Text("a").frame(minWidth: 3, maxWidth: 5, alignment: .leading).background(Color.red)) == "aRRRR")
        #expect(screen(HStack { Text("a").frame(idealWidth: 4) }.background(Color.red)) == "RaRR")
    }

    @Test func framesWithoutALimitShareWhatOthersLeave() {
        let row = HStack(spacing: 0) {
            Text("a").frame(maxWidth: 2, alignment: .leading)
            Text("b").frame(maxWidth: .infinity, alignment: .leading)
            Text("c").frame(maxWidth: .infinity, alignment: .leading)
        }
        #expect(screen(row) == "a b    c")
    }

    @MainActor
    @Observable
    fileprivate final class Words {
        var left = "a"
        var showsSpacer = true
    }

    fileprivate struct Row: View {
        let words: Words
        var body: some View {
            HStack(spacing: 0) {
                Text(words.left)
                if words.showsSpacer { Spacer() }
                Text("b")
            }
        }
    }

    @Test func whatIsLeftIsSharedAnewWhenAViewChanges() {
        let words = Words()
        let stage = Stage(
            VStack(alignment: .leading) {
                Row(words: words); Text("below")
            }, width: 8, height: 3)
        #expect(stage.screen == "a      b\nbelow")
        stage.act { words.left = "abc" }
        #expect(stage.screen == "abc    b\nbelow")
        stage.act { words.showsSpacer = false }
        #expect(stage.screen == "abcb\nbelow")
        stage.act { words.showsSpacer = true }
        #expect(stage.screen == "abc    b\nbelow")
    }

    private struct Nested: View {
        let words: Words
        var body: some View {
            HStack(spacing: 0) {
                Text(words.left)
                if words.showsSpacer { Spacer() }
            }
        }
    }

    @Test func aStackWhosePartsBeginToTakeUpSpaceGetsItsShareAtOnce() {
        let words = Words()
        words.showsSpacer = false
        let stage = Stage(
            HStack(spacing: 0) {
                Nested(words: words); Text("b")
            }, width: 8, height: 2)
        #expect(stage.screen == "ab")
        stage.act { words.showsSpacer = true }
        #expect(stage.screen == "a      b", "its own size was the same before it got a share")
        stage.act { words.showsSpacer = false }
        #expect(stage.screen == "ab")
    }

    private struct Cell: View {
        let words: Words
        let kind: Int
        var body: some View {
            if words.showsSpacer, kind.isMultiple(of: 2) { Spacer() }
            switch kind % 5 {
            case 0: Text(words.left).frame(maxWidth: words.showsSpacer ? .infinity : 9, alignment: .trailing)
            case 1:
                Text(words.left)
                    .padding(EdgeInsets(top: 0, leading: words.left.count % 3, bottom: 0, trailing: 0)).font(.title)
            case 2: Text(words.left).frame(minWidth: 3, maxWidth: 8)
            case 3:
                VStack {
                    Text(words.left); Text("-")
                }
            default: Text(words.left)
            }
        }
    }

    private func grid(_ words: [Words]) -> some View {
        VStack(alignment: .leading) {
            ForEach(0..<4) { row in
                HStack(spacing: 0) { ForEach(0..<3) { Cell(words: words[row * 3 + $0], kind: row + $0) } }
            }
            Spacer()
        }
        .background(Color.red)
    }

    private func frames(_ layer: Layer) -> [CellRect] {
        [layer.committed.frame] + layer.committed.sublayers.flatMap(frames)
    }

    /// Every layer is where a fresh layout of the same views puts it.
    @Test func whatIsLaidOutInStepsIsAsLaidOutAtOnce() {
        var state: UInt64 = 11
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        let words = (0..<12).map { _ in Words() }
        let stage = Stage(grid(words), width: 40, height: 24)
        for step in 0..<150 {
            stage.act {
                for _ in 0...next(3) {
                    let word = words[next(12)]
                    if next(3) == 0 {
                        word.showsSpacer.toggle()
                    } else {
                        word.left = String(repeating: "w", count: next(9))
                    }
                }
            }
            let fresh = Stage(grid(words), width: 40, height: 24)
            #expect(stage.screen == fresh.screen, "step \(step)")
            #expect(frames(stage.loop.committedRoot) == frames(fresh.loop.committedRoot), "step \(step)")
        }
    }

    @Test func stacksAlignTheirViews() {
        func row(_ alignment: VerticalAlignment) -> String {
            screen(
                HStack(alignment: alignment, spacing: 0) {
                    Text("a\na\na"); Text("b")
                })
        }
        #expect(row(.top) == "ab\na\na")
        #expect(row(.center) == "a\nab\na")
        #expect(row(.bottom) == "a\na\nab")
        #expect(
            screen(
                VStack(alignment: .trailing, spacing: nil) {
                    Text("a"); Text("bbb")
                }) == "  a\nbbb")
        #expect(
            screen(
                ZStack(alignment: .topTrailing) {
                    Color.red.frame(width: 5, height: 1); Text("a")
                }) == "RRRRa")
    }

    @Test func paddingIsKeptAtTheGivenEdges() {
        #expect(screen(Text("a").padding(EdgeInsets(top: 1, leading: 2, bottom: 0, trailing: 0))) == "\n  a")
        let vertical = EdgeInsets(top: 1, leading: 0, bottom: 1, trailing: 0)
        #expect(screen(Text("a").padding(vertical).border(.red), width: 3) == "+\n|\n+")
    }

    @Test func lengthsBelowZeroOrWithoutANumberStopNothing() {
        #expect(screen(Text("a").frame(maxWidth: .nan, alignment: .leading)) == "a")
        #expect(screen(Text("a").frame(minWidth: -3, maxWidth: -1, alignment: .leading)) == "a")
    }
}
