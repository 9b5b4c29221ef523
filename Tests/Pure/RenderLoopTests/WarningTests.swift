// SPDX-License-Identifier: MIT
// Warnings where nobody but the terminal takes them.

import Testing

@testable import RenderLoop

@MainActor
@Suite struct WarningTests {
    /// Never done, and the same in each turn.
    private struct Remade: View {
        @State private var number = 0
        var body: some View { Text("id \(number)").onAppear { number += 1 }.id(number) }
    }

    @Test func aWarningOfEachTurnIsPrintedOnceAndHandedOverEachTime() {
        let clock = VirtualClock()
        let loop = RenderLoop(Remade(), driver: clock)
        var lines: [String] = []
        var warnings: [LoopWarning] = []
        let printer = WarningPrinter { lines.append($0) }
        loop.onWarning = {
            warnings.append($0)
            printer.print($0)
        }
        for _ in 0..<50 { clock.turn() }
        #expect(warnings.count == 50)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("RenderLoop: onAppear of Remade#") == true)
    }

    @Test func differentWarningsArePrintedUpToALimit() {
        var lines: [String] = []
        let printer = WarningPrinter { lines.append($0) }
        for round in 0..<2 {
            for number in 0..<10_000 { printer.print(.tooManyOverlays(number)) }
            #expect(lines.count == WarningPrinter.limit + 1, "round \(round)")
        }
        #expect(Set(lines).count == lines.count)
        #expect(lines.last == "RenderLoop: further warnings are not printed; onWarning has them")
    }
}
