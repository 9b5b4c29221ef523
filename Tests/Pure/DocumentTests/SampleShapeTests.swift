// SPDX-License-Identifier: MIT
import Testing
@testable import DocumentSupport

@Suite("The shape of a sample")
struct SampleShapeTests {
    private let run = SampleShape(
        """
        KEY     COUNT  WASTED  AVG
        ItemRow    37       -  1.31µs
        What helps
          37 evaluations gave the same
            output as before.
        """)

    @Test(
        "is another one with another word", arguments: ["KEY COUNT WASTE AVG", "Item 37 - 1.31µs", "What would help"])
    func other(line: String) {
        #expect(run.missing(from: [line]) == [line])
    }

    @Test("is the same where the module of a file has no room, and another one with another file")
    func modules() {
        let narrow = SampleShape("Screen 100 - 113.7µs shop.seconds 99% ← Shop.tick() main.swift:10")
        let wide = "Screen 100 1 - 13.7µs shop.seconds 99% ← Shop.tick() shop/main.swift:10"
        #expect(narrow.missing(from: [wide]) == [])
        let other = wide.replacing("main.swift", with: "tick.swift")
        #expect(narrow.missing(from: [other]) == [other])
    }
}
