// SPDX-License-Identifier: MIT
import FoundationEssentials
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import RerenderModel
@testable import DaemonSupport

@Suite("The list of hangs as a stream")
struct HangsStreamTests {
    private func hangs(_ count: UInt64) -> [Hang] {
        (0..<count).map { id in
            var hang = Hang(
                id: id, pid: 7, process: "a \"b\"/é", startedAt: Timestamp(nanosecondsSince1970: Int64(id) * 1_000_000),
                turn: id)
            guard id % 2 == 1 else { return hang }
            (hang.view, hang.lastRendered, hang.trace, hang.waitingOn) = ("Row", "Cart", "/t", "futex")
            (hang.open, hang.ended, hang.openedAfterNanoseconds, hang.watchdogLatenessNanoseconds) = (
                false, .killed, 1, 2
            )
            (hang.viewAtThreshold, hang.starvedNanoseconds, hang.guess) = ("Header", 4, true)
            hang.shares = [.init(view: "Row", nanoseconds: 5)]
            hang.stacks = [.init(atNanoseconds: 3, frames: Array(repeating: "frame", count: 64))]
            return hang
        }
    }

    @Test(
        "is the document that an encoder makes, in pieces of about the size that is asked for", arguments: [0, 1, 40])
    func pieces(count: UInt64) throws {
        let list = HangList(generatedAt: Timestamp(nanosecondsSince1970: 0), hangs: hangs(count))
        let empty = HangList(generatedAt: list.generatedAt, hangs: [])
        let answer = AnswerText(empty, list: "hangs", count: list.hangs.count, list.hangs)
        var pieces: [[UInt8]] = []
        while !answer.isDone { pieces.append(try answer.piece(size: 2_000)) }
        let expected = Array(try StatsExport.encoder().encode(list)) + [UInt8(ascii: "\n")]
        #expect(Array(pieces.joined()) == expected)
        #expect(pieces.allSatisfy { $0.count < 6_000 } && (count < 40 || pieces.count > 10))
    }
}
