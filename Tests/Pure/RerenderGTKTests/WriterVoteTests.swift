// SPDX-License-Identifier: MIT
// Which function is named for what several do: that of half of all times or more.

import CRerenderGTK
import Testing

@Suite("The writer of most")
struct WriterVoteTests {
    /// The writer of so many times, each with its count; 0 stands for a writer that is not known.
    private func writer(_ found: (writer: UInt, count: Int)...) -> UInt {
        var vote = crerender_vote()
        for (writer, count) in found {
            for _ in 0..<count { crerender_vote_add(&vote, writer) }
        }
        return crerender_vote_writer(&vote)
    }

    @Test("is the one that is found half of the time")
    func half() {
        #expect(writer() == 0)
        #expect(writer((7, 1)) == 7)
        #expect(writer((7, 10), (0, 10)) == 7)
        #expect(writer((0, 10), (7, 10)) == 7)
        #expect(writer((7, 30), (0, 31), (7, 40)) == 7)
        #expect(writer((8, 10), (7, 90)) == 7)
    }

    @Test("is not known where none has half, however late one is found")
    func less() {
        #expect(writer((0, 60), (7, 1)) == 0)
        #expect(writer((7, 1), (0, 60)) == 0)
        #expect(writer((7, 10), (8, 10), (9, 10)) == 0)
    }
}
