// SPDX-License-Identifier: MIT
// Numbers of turns and nodes do not end while a program runs.

import RenderLoop
import Testing

@Suite struct NodeMarkTests {
    @Test func aTurnBeyondFourBillionIsAnotherThanThatBeforeAndThanNone() {
        let last = UInt64(UInt32.max)
        let turns: [UInt64] = [0, 1, last - 2, last - 1, last, last + 1, 5 * last, .max - 1]
        for turn in turns {
            #expect(NodeMark(turn) != NodeMark(turn + 1))
            #expect(NodeMark(turn) == NodeMark(turn))
            #expect(NodeMark(turn) != .none)
        }
    }
}
