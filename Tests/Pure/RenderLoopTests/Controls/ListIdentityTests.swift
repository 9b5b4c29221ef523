// SPDX-License-Identifier: MIT
// Rows that are in sight before and after a change of the elements: they are the same views.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct ListIdentityTests {
    @MainActor
    @Observable
    fileprivate final class Shelf {
        var items: [Int]
        var space = 5
        @ObservationIgnored var heights: [Int: Int] = [:]
        @ObservationIgnored var notes: [String] = []
        init(_ items: some Sequence<Int>) { self.items = Array(items) }

        func takeNotes() -> [String] {
            defer { notes = [] }
            return notes
        }
    }

    private struct Line: View {
        let number: Int
        let shelf: Shelf
        @State private var taps = 0

        var body: some View {
            Button("\(number):\(taps)" + String(repeating: "\n.", count: shelf.heights[number, default: 1] - 1)) {
                taps += 1
            }
            .inputName("\(number)")
            .onAppear { shelf.notes.append("+\(number)") }
            .onDisappear { shelf.notes.append("-\(number)") }
        }
    }

    private struct Table: View {
        let shelf: Shelf
        var body: some View {
            List(shelf.items, id: \.self) { Line(number: $0, shelf: shelf) }
                .inputName("list").frame(height: shelf.space, alignment: .topLeading)
        }
    }

    /// Has each row in sight count one tap.
    private func tapAll(_ stage: Stage, _ rows: some Sequence<Int>, of shelf: Shelf) {
        for row in rows { stage.tap("\(row)") }
        _ = shelf.takeNotes()
    }

    @Test(arguments: [(20, 3), (20, 1), (20, 15), (1000, 990), (1000, 995)])
    func rowsAtTheEndStayWhereOthersGoBeforeThem(count: Int, removed: Int) {
        let shelf = Shelf(0..<count)
        let stage = Stage(Table(shelf: shelf))
        stage.send(.value(1), to: "list")
        let shown = count - 5..<count
        tapAll(stage, shown, of: shelf)
        stage.act { shelf.items.removeFirst(removed) }
        #expect(stage.screen == shown.map { "\($0):1" }.joined(separator: "\n"))
        #expect(shelf.takeNotes() == [])
    }

    @Test func rowsAtTheEndStayWhereOthersInSightGoToo() {
        let shelf = Shelf(0..<20)
        let stage = Stage(Table(shelf: shelf))
        stage.send(.value(1), to: "list")
        tapAll(stage, 15..<20, of: shelf)
        stage.act { shelf.items.removeAll { $0 < 4 || $0 == 16 || $0 == 18 } }
        #expect(stage.screen == "13:0\n14:0\n15:1\n17:1\n19:1")
        #expect(shelf.takeNotes().sorted() == ["+13", "+14", "-16", "-18"])
        stage.act { shelf.items.removeLast(2) }
        #expect(stage.screen == "11:0\n12:0\n13:0\n14:0\n15:1")
        #expect(shelf.takeNotes().sorted() == ["+11", "+12", "-17", "-19"])
    }

    @Test func rowsOfSeveralLinesAtTheEndStay() {
        let shelf = Shelf(0..<20)
        for row in 0..<20 { shelf.heights[row] = 1 + row % 3 }
        let stage = Stage(Table(shelf: shelf))
        stage.send(.value(1), to: "list")
        #expect(stage.screen == "18:0\n19:0\n.")
        tapAll(stage, 18..<20, of: shelf)
        stage.act { shelf.items.removeFirst(3) }
        #expect(stage.screen == "18:1\n19:1\n.")
        // The row before them is made to find that it does not fit.
        #expect(Set(shelf.takeNotes()).isDisjoint(with: ["+18", "-18", "+19", "-19"]))
    }

    @Test func rowsStayWhereAHigherOneBetweenThemGoes() {
        let shelf = Shelf(0..<20)
        shelf.heights[17] = 3
        let stage = Stage(Table(shelf: shelf))
        stage.send(.scrolled(15), to: "list")
        #expect(stage.screen == "15:0\n16:0\n17:0\n.\n.")
        tapAll(stage, 15...17, of: shelf)
        stage.act { shelf.items.removeAll { $0 < 2 || $0 == 17 } }
        #expect(stage.screen == "14:0\n15:1\n16:1\n18:0\n19:0")
        #expect(shelf.takeNotes().sorted() == ["+14", "+18", "+19", "-17"])
    }

    @Test func aRowThatMovesBehindRowsThatWereOutOfSightStays() {
        let shelf = Shelf(0..<9)
        shelf.heights[0] = 5
        let stage = Stage(Table(shelf: shelf))
        tapAll(stage, [0], of: shelf)
        stage.act { shelf.items.swapAt(0, 2) }
        #expect(stage.screen == "2:0\n1:0\n0:1\n.\n.")
        #expect(shelf.takeNotes().sorted() == ["+1", "+2"])
    }

    @Test(arguments: 1...20)
    func whatIsInSightBeforeAndAfterAnyChangeIsNeverMadeAnew(seed: UInt64) {
        var random = Lehmer(seed: seed &* 7919)
        let shelf = Shelf(0..<30)
        for row in 0..<200 { shelf.heights[row] = 1 + random.next(seed % 3 == 0 ? 1 : 4) }
        let stage = Stage(Table(shelf: shelf))
        var next = 30
        for step in 0..<60 {
            if random.next(3) == 0 { stage.send(.value(1), to: "list") }
            if random.next(3) == 0 { stage.send(.scrolled(random.next(9) - 6), to: "list") }
            let before = rows(in: stage)
            _ = shelf.takeNotes()
            stage.act {
                for _ in 0...random.next(3) { self.change(&shelf.items, &next, &random) }
            }
            let stayed = before.intersection(rows(in: stage))
            let remade = shelf.takeNotes().filter { note in stayed.contains { note.dropFirst() == "\($0)" } }
            #expect(remade == [], "seed \(seed), step \(step)")
        }
    }

    private func change(_ items: inout [Int], _ next: inout Int, _ random: inout Lehmer) {
        switch random.next(items.count > 10 ? 4 : 1) {
        case 0:
            items.insert(next, at: random.next(items.count + 1))
            next += 1
        case 1: items.removeFirst(1 + random.next(3))
        case 2: items.remove(at: random.next(items.count))
        default: items.swapAt(random.next(items.count), items.count - 1 - random.next(4))
        }
    }

    private func rows(in stage: Stage) -> Set<Int> {
        Set(stage.lines.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } })
    }
}
