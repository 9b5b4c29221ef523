// SPDX-License-Identifier: MIT
// How far traces are looked for, and how much of one is kept while it is read.

import CShared
import Foundation
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite("Bounds of reading a trace")
struct ReadingBoundTests {
    @Test("a trace is found so deep", arguments: around(TraceLimits.depth))
    func depth(count: Int) throws {
        let directory = try TemporaryDirectory()
        let place = directory.path + String(repeating: "/d", count: count - 1)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try TestFile.write([], to: place + "/metadata")
        let found = try? TraceFinder.directories(below: directory.path)
        #expect(found == (count <= TraceLimits.depth ? [place] : nil))
    }

    @Test("events come in pieces of so many and a few more, and none is missing", arguments: around(TraceLimits.batch))
    func pieces(count: Int) throws {
        let directory = try TemporaryDirectory()
        let events = (0..<UInt64(count)).map { CraftedTrace.Event.turn(begins: $0 % 2 == 0, at: $0) }
        try CraftedTrace(events).write(to: directory.url)
        var pieces: [Int] = []
        try TraceReader(path: directory.path).read(into: { pieces.append($0.count) })
        #expect(pieces.reduce(0, +) == count && pieces.allSatisfy { $0 <= TraceLimits.batch + 64 })
        #expect(count < 2 * TraceLimits.batch || pieces.count > 1)
    }

    @Test(
        "so many evaluations in each other may end, and with a further one none before it",
        arguments: around(TraceLimits.nesting))
    func nesting(count: Int) {
        var open = OpenEvaluations()
        let thread = TraceThread(pid: 1, tid: 1)
        var began = EvaluationBegan()
        began.parent = TextID(index: 1)
        for id in 1...UInt64(count) {
            began.signpost_id = id
            let isKept = open.begin(began, on: thread, at: Int64(id))
            #expect(isKept)
        }
        #expect(open.unended == UInt64((count - 1) / TraceLimits.nesting * TraceLimits.nesting))
        var ended = EvaluationEnded()
        ended.signpost_id = 1
        let first = open.end(ended, on: thread).opened
        #expect((first != nil) == (count <= TraceLimits.nesting))
    }

    @Test("evaluations of so many threads are kept", arguments: around(TraceLimits.threads))
    func threads(count: Int) {
        var (open, kept) = (OpenEvaluations(), 0)
        for tid in 1...Int32(count) {
            let isKept = open.begin(EvaluationBegan(), on: TraceThread(pid: 1, tid: tid), at: 0)
            if isKept { kept += 1 }
        }
        #expect(kept == min(count, TraceLimits.threads))
    }

    @Test(
        "a commit decides of so many evaluations before it, and of none before those",
        arguments: around(2 * TraceLimits.decidedEvaluations))
    func decided(count: Int) {
        var decided = DecidedEvaluations()
        var ended = EvaluationEnded()
        for id in 1...UInt64(count) {
            ended.signpost_id = id
            decided.note(ended, pid: 1)
        }
        var change = ViewChanged()
        change.wasted = TraceWaste.measured.rawValue
        change.signpost_id = 1
        let first = decided.decide(change, pid: 1)
        change.signpost_id = UInt64(count)
        let last = decided.decide(change, pid: 1)
        #expect((first != nil) == (count <= 2 * TraceLimits.decidedEvaluations) && last != nil)
    }
}
