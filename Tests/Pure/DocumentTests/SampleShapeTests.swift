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
}
