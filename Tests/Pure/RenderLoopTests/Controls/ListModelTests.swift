// SPDX-License-Identifier: MIT
// Lazy lists against a plain model: after any script, what is seen is a run of whole rows, and no other rows are there.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct ListModelTests {
    private final class Living {
        private var counts: [Int: Int] = [:]
        func add(_ row: Int, _ difference: Int) { counts[row, default: 0] += difference }
        /// A row that is made anew appears before its old view disappears.
        var rows: Set<Int> { Set(counts.filter { $0.value == 1 }.keys) }
        var isExact: Bool { counts.values.allSatisfy { $0 == 0 || $0 == 1 } }
    }

    private struct Table: View {
        let heights: [Int]
        let living: Living
        @State private var count: Int
        @State private var height = 7

        init(heights: [Int], living: Living) {
            self.heights = heights
            self.living = living
            count = heights.count
        }

        var body: some View {
            VStack(alignment: .leading) {
                List(0..<count, id: \.self) { row in
                    Text(lines(of: row).joined(separator: "\n"))
                        .onAppear { living.add(row, 1) }
                        .onDisappear { living.add(row, -1) }
                }
                .inputName("list")
                .frame(height: height, alignment: .topLeading)
                Button("half") { count /= 2 }
                Button("all") { count = heights.count }
                Button("lower") { height = 3 }
                Button("higher") { height = 11 }
            }
        }

        private func lines(of row: Int) -> [String] { (0..<heights[row]).map { "\(row).\($0)" } }
    }

    @Test(arguments: 1...10)
    func whatIsSeenIsARunOfRowsAndNothingElseIsThere(seed: UInt64) {
        var random = Lehmer(seed: seed &* 7919)
        let heights = (0..<60).map { _ in 1 + random.next(seed % 2 == 0 ? 1 : 4) }
        let living = Living()
        let stage = Stage(Table(heights: heights, living: living), width: 10, height: 20)
        var (count, height) = (60, 7)
        for step in 0..<60 {
            switch random.next(10) {
            case 0: count /= 2; stage.tap("half")
            case 1, 2: count = 60; stage.tap("all")
            case 3: height = 3; stage.tap("lower")
            case 4: height = 11; stage.tap("higher")
            case 5: stage.send(.value(Double(random.next(101)) / 100), to: "list")
            default: stage.send(.scrolled(random.next(41) - 20), to: "list")
            }
            #expect(living.isExact)
            check(stage, heights: Array(heights.prefix(count)), height, living.rows, "seed \(seed), step \(step)")
        }
    }

    private func check(_ stage: Stage, heights: [Int], _ height: Int, _ living: Set<Int>, _ place: Comment) {
        let seen = stage.lines.prefix(height).filter { !$0.isEmpty }
        let first = living.min() ?? 0
        let expected = heights.indices.dropFirst(first)
            .flatMap { row in (0..<heights[row]).map { (row, "\(row).\($0)") } }.prefix(height)
        #expect(seen == expected.map(\.1), place)
        #expect(living == Set(expected.map(\.0)), place)
        // Space is left only where no row fits in whole before the first.
        let left = height - seen.count
        let highest = heights.indices.filter { living.contains($0) }.map { heights[$0] }.max() ?? 1
        #expect(first == 0 || left < max(highest, heights[first - 1]), place)
    }

    @Test func theEndCanAlwaysBeReached() {
        var random = Lehmer(seed: 3)
        for _ in 0..<10 {
            let heights = (0..<40).map { _ in 1 + random.next(4) }
            let stage = Stage(Table(heights: heights, living: Living()), width: 10, height: 20)
            stage.send(.value(1), to: "list")
            #expect(stage.lines.contains("39.\(heights[39] - 1)"), "\(heights)")
        }
    }
}
