// SPDX-License-Identifier: MIT
// Lazy lists: which rows are made, when, and what becomes of them.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct ListTests {
    /// Which rows' bodies ran, counted by the rows themselves.
    private final class Log {
        var bodies: [Int] = []
        var notes: [String] = []
        func take() -> [Int] {
            defer { bodies = [] }
            return bodies
        }
    }

    private struct Line: View {
        let number: Int
        let log: Log
        var height = 1
        @State private var taps = 0

        var body: some View {
            log.bodies.append(number)
            let text = "row \(number) \(taps)" + String(repeating: "\n.", count: height - 1)
            return Button {
                taps += 1
            } label: {
                Text(text)
            }
            .inputName("row \(number)")
            .onAppear { log.notes.append("+\(number)") }
            .onDisappear { log.notes.append("-\(number)") }
        }
    }

    private struct Numbers: View {
        let count: Int
        let log: Log
        var height: @MainActor (Int) -> Int = { _ in 1 }
        @State private var shift = 0
        @State private var shown: Int?

        var body: some View {
            VStack(alignment: .leading) {
                List(shift..<(shown ?? count), id: \.self) { Line(number: $0, log: log, height: height($0)) }
                    .inputName("list")
                    .frame(width: 20, height: 5, alignment: .topLeading)
                Text("end")
                Button("drop") { shift += 1 }
                Button("shrink") { shown = 3 }
            }
        }
    }

    @Test func onlyTheRowsThatFitAreEvaluated() {
        let log = Log()
        let stage = Stage(Numbers(count: 100_000, log: log))
        #expect(log.take() == [0, 1, 2, 3, 4])
        #expect(Array(stage.lines.prefix(6)) == ["row 0 0", "row 1 0", "row 2 0", "row 3 0", "row 4 0", "end"])
        #expect(stage.loop.turn == 1)
        #expect(stage.renderer.history.count == 1, "what is made to find the size is not seen")
        let rows = stage.takeEvents().compactMap {
            if case .evaluated(let node, _) = $0, node.name == "Line" { node.id } else { nil }
        }
        #expect(rows.count == 5)
    }

    @Test func scrollingMakesTheRowsThatComeIntoSight() {
        let log = Log()
        let stage = Stage(Numbers(count: 100_000, log: log))
        _ = log.take()
        log.notes = []
        stage.send(.scrolled(2), to: "list")
        #expect(log.take() == [5, 6])
        #expect(log.notes.sorted() == ["+5", "+6", "-0", "-1"])
        #expect(Array(stage.lines.prefix(6)) == ["row 2 0", "row 3 0", "row 4 0", "row 5 0", "row 6 0", "end"])
        stage.send(.scrolled(-1), to: "list")
        #expect(log.take() == [1])
        #expect(stage.lines[0] == "row 1 0")
        stage.send(.scrolled(-99), to: "list")
        #expect(log.take() == [0])
        stage.send(.scrolled(-1), to: "list")
        #expect(log.take() == [], "this is the start")
        stage.send(.scrolled(.min), .scrolled(.max), to: "list")
        #expect(stage.lines[0] == "row 0 0", "back and forth between two frames is less than a line")
    }

    @Test func aListScrollsToItsEndAndNoFurther() {
        let log = Log()
        let stage = Stage(Numbers(count: 100_000, log: log))
        _ = log.take()
        stage.send(.value(1), to: "list")
        #expect(log.take().sorted() == [99_995, 99_996, 99_997, 99_998, 99_999])
        #expect(stage.lines[0] == "row 99995 0")
        #expect(stage.lines[4] == "row 99999 0")
        stage.send(.scrolled(.max), to: "list")
        #expect(log.take() == [], "all that is in sight was there")
        #expect(stage.lines[0] == "row 99995 0")
        stage.send(.value(0.5), to: "list")
        #expect(stage.lines[0] == "row 50000 0")
    }

    @Test func scrollsBetweenTwoFramesAreOneEvent() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log))
        _ = log.take()
        _ = stage.takeEvents()
        stage.send(.scrolled(50), .scrolled(-48), to: "list")
        #expect(stage.lines[0] == "row 2 0")
        #expect(log.take() == [5, 6], "nothing on the way")
        let inputs = stage.takeEvents().compactMap {
            if case .input(let kind, _, let coalesced) = $0 { "\(kind) \(coalesced)" } else { nil }
        }
        #expect(inputs == ["scrolled(2) 2"])
    }

    @Test func whatRowsThatLeaveHeldIsGivenBack() {
        @MainActor final class Held {
            static var count = 0
            init() { Self.count += 1 }
            isolated deinit { Self.count -= 1 }
        }
        struct Holding: View {
            @State private var held = Held()
            var body: some View { TextField("t", text: .constant("\(ObjectIdentifier(held).hashValue)")) }
        }
        do {
            let stage = Stage(List(0..<1000, id: \.self) { _ in Holding() }.inputName("list").frame(height: 4))
            for _ in 0..<20 { stage.send(.scrolled(7), to: "list") }
            #expect(Held.count == 4)
        }
        #expect(Held.count == 0)
    }

    @Test func eachScrollIsToldWithItsOwnCause() {
        let stage = Stage(Numbers(count: 100, log: Log()))
        func causes() -> [String] {
            stage.takeEvents().compactMap {
                if case .invalidated(let node, let causes) = $0, node.name == "List" { "\(causes)" } else { nil }
            }
        }
        #expect(causes() == ["[graph rows]"])
        stage.send(.scrolled(1), to: "list")
        #expect(causes() == ["[graph scrolled]", "[graph rows]"])
        stage.send(.scrolled(-1), to: "list")
        #expect(causes() == ["[graph scrolled]"])
    }

    @Test func theStateOfRowsThatLeaveIsGone() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log))
        stage.tap("row 0")
        stage.tap("row 4")
        #expect(stage.lines[0] == "row 0 1")
        stage.send(.scrolled(1), to: "list")
        #expect(stage.lines[3] == "row 4 1", "it stayed in sight")
        stage.send(.scrolled(-1), to: "list")
        #expect(stage.lines[0] == "row 0 0", "it left, and is a new view")
    }

    @Test func rowsThatStayInSightKeepTheirIdentity() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log))
        stage.tap("row 3")
        _ = log.take()
        stage.tap("drop")
        #expect(Array(stage.lines.prefix(3)) == ["row 1 0", "row 2 0", "row 3 1"])
        #expect(log.take() == [5], "the others have the same inputs")
    }

    @Test func rowsOfSeveralLinesAreCountedByWhatTheyTakeUp() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log, height: { _ in 2 }))
        #expect(log.take() == [0, 1, 2])
        // The third row is seen in part.
        #expect(Array(stage.lines.prefix(6)) == ["row 0 0", ".", "row 1 0", ".", "row 2 0", "end"])
        stage.send(.value(1), to: "list")
        #expect(Array(stage.lines.prefix(6)) == ["row 98 0", ".", "row 99 0", ".", "", "end"])
    }

    @Test func aListScrollsToTheEndOfRowsOfDifferentHeights() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log, height: { $0 >= 98 ? 3 : 1 }))
        stage.send(.value(1), to: "list")
        #expect(Array(stage.lines.prefix(6)) == ["row 99 0", ".", ".", "", "", "end"])
        stage.send(.scrolled(-3), to: "list")
        #expect(Array(stage.lines.prefix(6)) == ["row 96 0", "row 97 0", "row 98 0", ".", ".", "end"])
        log.notes = []
        stage.send(.scrolled(50), to: "list")
        #expect(stage.lines[0] == "row 99 0")
        #expect(log.notes.sorted() == ["+99", "-96", "-97", "-98"])
    }

    @Test func rowsThatAreNeverOutOfSightOnTheWayToTheEndKeepTheirState() {
        let log = Log()
        let stage = Stage(Numbers(count: 8, log: log))
        stage.tap("row 4")
        stage.send(.scrolled(.max), to: "list")
        #expect(Array(stage.lines.prefix(6)) == ["row 3 0", "row 4 1", "row 5 0", "row 6 0", "row 7 0", "end"])
    }

    @Test func aRowThatIsHigherThanTheListIsCutOff() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log, height: { $0 == 1 ? 9 : 1 }))
        #expect(Array(stage.lines.prefix(6)) == ["row 0 0", "row 1 0", ".", ".", ".", "end"])
        stage.send(.scrolled(1), to: "list")
        #expect(Array(stage.lines.prefix(6)) == ["row 1 0", ".", ".", ".", ".", "end"])
        // What is cut off takes no taps either: beside the text is nothing.
        stage.send(.tap, at: 5, line: 5)
        #expect(stage.lines[0] == "row 1 0")
        stage.send(.tap, at: 0, line: 4)
        #expect(stage.lines[0] == "row 1 1")
    }

    @Test func aListThatBecomesShorterShowsWhatIsLeft() {
        let log = Log()
        let stage = Stage(Numbers(count: 100, log: log))
        stage.send(.scrolled(50), to: "list")
        stage.tap("shrink")
        #expect(Array(stage.lines.prefix(6)) == ["row 0 0", "row 1 0", "row 2 0", "", "", "end"])
    }

    private struct Mixed: View {
        let log: Log
        @State private var hasMore = false
        @State private var isFirst = true
        var body: some View {
            VStack(alignment: .leading) {
                List {
                    Text("head")
                    EmptyView()
                    if hasMore { Text("more") }
                    ForEach(0..<3) { Line(number: $0, log: log) }
                    if isFirst {
                        Text("first")
                    } else {
                        ForEach(10..<12) { Line(number: $0, log: log) }
                    }
                    Group {
                        Text("a")
                        Text("b")
                    }
                    ForEach(100..<1000) { Line(number: $0, log: log) }
                }
                .inputName("list")
                Button("more") { hasMore.toggle() }
                Button("branch") { isFirst.toggle() }
            }
        }
    }

    @Test func anyViewsAreRowsAndAForEachAmongThemIsAsManyAsItsElements() {
        let log = Log()
        let stage = Stage(Mixed(log: log))
        #expect(
            Array(stage.lines.prefix(11)) == [
                "head", "row 0 0", "row 1 0", "row 2 0", "first", "a", "b", "row 100 0", "row 101 0", "row 102 0",
                "more",
            ], "as high as a list is where nobody says how high")
        stage.tap("row 1")
        stage.tap("row 100")
        _ = log.take()
        stage.tap("branch")
        #expect(
            Array(stage.lines.prefix(10)) == [
                "head", "row 0 0", "row 1 1", "row 2 0", "row 10 0", "row 11 0", "a", "b", "row 100 1", "row 101 0",
            ])
        stage.tap("more")
        #expect(Array(stage.lines.prefix(4)) == ["head", "more", "row 0 0", "row 1 1"])
    }

    @Test func elementsWithOneIdAreRowsOfTheirOwn() {
        let stage = Stage(List(["a", "b", "a", "a"], id: \.self) { Text($0) }.frame(height: 3))
        #expect(stage.screen == "a\nb\na")
    }

    @Test func anEmptyListShowsNothingAndRowsThatComeAreMade() {
        struct Growing: View {
            @State private var rows: [Int] = []
            var body: some View {
                VStack(alignment: .leading) {
                    List(rows, id: \.self) { Text("row \($0)") }.frame(height: 3, alignment: .topLeading)
                    Button("add") { rows += [rows.count, rows.count + 1] }
                }
            }
        }
        let stage = Stage(Growing())
        #expect(stage.screen == "\n\n\nadd")
        stage.tap("add")
        #expect(stage.screen == "row 0\nrow 1\n\nadd")
        stage.tap("add")
        #expect(stage.screen == "row 0\nrow 1\nrow 2\nadd")
    }

    /// A collection that can become shorter behind the list's back.
    private final class Shelf {
        var items = [1, 2, 3]
        init() {}
    }

    private struct ShelfItems: RandomAccessCollection {
        let shelf: Shelf
        var startIndex: Int { 0 }
        var endIndex: Int { shelf.items.count }
        subscript(index: Int) -> Int { shelf.items[index] }
    }

    @Test func elementsThatAreGoneBeforeAnybodyTellsAreEmptyRows() {
        let shelf = Shelf()
        let stage = Stage(
            List(ShelfItems(shelf: shelf), id: \.self) { Text("\($0)").frame(height: 4) }.frame(height: 5)
                .inputName("list"))
        shelf.items = [1]
        stage.loop.send(InputEvent(.scrolled(2), target: "list"))
        stage.clock.nextFrame()
        #expect(!stage.screen.contains("2") && !stage.screen.contains("3"), "the rows that were to be there are not")
    }
}
