// SPDX-License-Identifier: MIT
// Reports of recordings that have a part of what happened: no number has what is not in them.

import CShared
import RerenderModel
@testable import RerenderTrace
import Testing
@testable import TraceSupport

@Suite("Report of a part")
struct ReportPartTests {
    private static func view(_ script: EventScript) throws -> Stats {
        let views = try script.report().export.processes.flatMap(\.views)
        #expect(views.count == 1)
        let view = try #require(views.first)
        #expect(view.wasted.count <= view.count && view.wasted.nanoseconds <= view.body.totalNanoseconds)
        return view
    }

    @Test("a recording without the numbers of processes is known not to tell them apart", arguments: [0, 1] as [Int32])
    func withoutProcesses(pid: Int32) throws {
        let script = EventScript()
        script.end(script.begin("Row", pid: pid), "Row", pid: pid)
        let (report, page, _) = try script.page()
        #expect(report.mergesProcesses == (pid == 0))
        #expect(page.missing.contains { $0.contains("lttng add-context -u -t vpid") } == (pid == 0))
    }

    @Test("attached to a running app, the first commit tells what was before, and later ones what was wasted since")
    func attached() throws {
        let script = EventScript()
        for count in 9_991...10_000 as ClosedRange<UInt64> {
            script.evaluate("Row", count: count, waste: count.isMultiple(of: 2) ? .inferred : .none)
        }
        script.commit("Row", 7_001, wasted: 9_005)
        var view = try Self.view(script)
        #expect(view.count == 10 && view.commits == 1)
        #expect(view.wasted.count == 5 && view.wasted.nanoseconds == 500)
        // A commit finds one more, which had been thought to be needed, and an instance's end is no commit.
        script.evaluate("Row", count: 10_001)
        script.commit("Row", 7_002, wasted: 9_006)
        script.commit("Row", 7_002, wasted: 9_006, change: "ended")
        view = try Self.view(script)
        #expect(view.count == 11 && view.commits == 2)
        #expect(view.wasted.count == 6 && view.wasted.nanoseconds == 600 && view.wasted.measured == 1)
        // It takes one back.
        script.evaluate("Row", count: 10_002, waste: .inferred)
        script.commit("Row", 7_003, wasted: 9_006)
        #expect(try Self.view(script).wasted.count == 6)
    }

    @Test("attached before a commit, its sums are of what was before")
    func attachedBeforeCommit() throws {
        let script = EventScript()
        script.commit("Row", 7_000, wasted: 9_000)
        #expect(try Self.view(script).wasted.count == 0)
        script.evaluate("Row", count: 9_991, waste: .inferred)
        #expect(try Self.view(script).wasted.count == 1)
        script.commit("Row", 7_001, wasted: 9_001)
        let view = try Self.view(script)
        #expect(view.count == 1 && view.commits == 2 && view.wasted.count == 1)
    }

    @Test(
        "attached to a running app, a commit that names an evaluation decides about that one, and the rest is of what was before"
    )
    func attachedWithNames() throws {
        let script = EventScript()
        for count in 127...135 as ClosedRange<UInt64> {
            let id = script.begin("Row")
            script.end(id, "Row", count: count, own: 40)
            script.commit("Row", count, wasted: UInt32(count) - 1, of: id)
        }
        let view = try Self.view(script)
        #expect(view.count == 9 && view.wasted.count == 9 && view.wasted.measured == 9)
        #expect(view.wasted.kindNanoseconds == [.sameOutput: 360])
    }

    @Test("kinds have their times also where commits overruled what was inferred")
    func kindsAfterCommits() throws {
        let script = EventScript()
        for _ in 0..<3 { script.evaluate("Row", waste: .inferred, own: 10, kind: .parentOnly) }
        let id = script.begin("Row")
        script.end(id, "Row", waste: .inferred, own: 70, kind: .parentOnly)
        var change = ViewChanged()
        (change.name, change.message) = (script.texts.intern("Row"), script.texts.intern("committed"))
        (change.store, change.instance) = (script.texts.intern("main"), EvaluationEnded.noInstance)
        (change.measured, change.same_output, change.parent_only, change.wasted_ns) = (1, 1, 3, 100)
        (change.signpost_id, change.wasted, change.commits) = (id, TraceWaste.measured.rawValue, 1)
        script.add(.viewChanged(change))
        let wasted = try Self.view(script).wasted
        #expect(wasted.kinds == [.sameOutput: 1, .parentOnly: 3] && wasted.measured == 1 && wasted.inferred == 3)
        #expect(wasted.kindNanoseconds == [.sameOutput: 70, .parentOnly: 30] && wasted.nanoseconds == 100)
    }

    @Test("what one view has as others is one reason, however sure the reasons without room were")
    func others() throws {
        let script = EventScript()
        for number in 0..<32 { script.evaluate("Row", reason: "reason \(number)") }
        for attribution in [1, 2, 3, 0, 1] as [UInt8] {
            script.evaluate("Row", reason: "other", attribution: attribution)
        }
        let reasons = try Self.view(script).reasons
        #expect(reasons.count == 33 && reasons[0].reason == "other" && reasons[0].count == 5)
        #expect(reasons[0].attribution == nil)
        // A caller may call a reason so.
        let few = EventScript()
        few.evaluate("Row", reason: "other")
        #expect(try Self.view(few).reasons.map(\.attribution) == [.exact])
    }

    @Test("writes are added up by writer, however many lists of them there are", arguments: [31, 32, 33, 64, 100])
    func writers(count: Int) throws {
        let script = EventScript()
        for number in 1...count {
            script.evaluate("Row", writers: number == 1 ? "advance() A.swift:4" : "advance() A.swift:4 ×\(number)")
        }
        let report = try script.report()
        let writes = UInt64(count * (count + 1) / 2)
        let expected = [WriterCount(writer: "advance() A.swift:4", count: writes)]
        #expect(report.export.processes[0].views[0].reasons.map(\.writers) == [expected])
        #expect(report.causes.first?.causes.first?.writers == expected)
    }

    @Test("the first three writers are named, and the writes of all others counted")
    func otherWriters() throws {
        let script = EventScript()
        for number in 0..<70 { script.evaluate("Row", writers: "w\(number % 7)() ×2; other ×3") }
        let writers = try Self.view(script).reasons.flatMap(\.writers)
        #expect(writers.map(\.writer) == ["w0()", "w1()", "w2()", "other"])
        #expect(writers.map { Int($0.count) } == [20, 20, 20, 290])
    }

    @Test("where evaluations were lost, what commits tell of them is in no number, lost before their commit or after")
    func lost() throws {
        let script = EventScript()
        for count in 1...100 as ClosedRange<UInt64> {
            // Every evaluation is wasted, as its commit tells; of every tenth only the commit is in the trace.
            if !count.isMultiple(of: 10) { script.evaluate("Row", count: count) }
            script.commit("Row", count, wasted: UInt32(count))
        }
        let view = try Self.view(script)
        #expect(view.count == 90 && view.wasted.count <= 90 && view.wasted.count >= 70)
    }

    @Test("a last evaluation that was lost does not make more wasted than there were")
    func lostAtTheEnd() throws {
        let script = EventScript()
        script.evaluate("Row", count: 1)
        script.commit("Row", 1, wasted: 1)
        script.commit("Row", 2, wasted: 2)
        #expect(try Self.view(script).wasted.count <= 1)
    }

    @Test("of a whole trace a commit's sums are the view's, in whatever order threads record")
    func whole() throws {
        let script = EventScript()
        for count in [1, 2, 4] as [UInt64] { script.evaluate("Row", count: count) }
        script.commit("Row", 1, wasted: 3)
        for count in [6, 3, 5] as [UInt64] { script.evaluate("Row", count: count) }
        #expect(try Self.view(script).wasted.count == 3)
        script.commit("Row", 2, wasted: 4)
        let view = try Self.view(script)
        #expect(view.count == 6 && view.commits == 2 && view.wasted.count == 4 && view.wasted.nanoseconds == 400)
        #expect(view.wasted.measured == 4 && view.wasted.kinds == [.sameOutput: 4])
    }

    @Test("a program that replaces itself, or that gets the number of one that ended, is told apart from it")
    func replaced() throws {
        for epoch in [0, 1] as [UInt32] {
            let script = EventScript()
            for count in 1...3 as ClosedRange<UInt64> {
                script.evaluate("Row", turn: 9, epoch: epoch, count: count, waste: .inferred)
            }
            script.commit("Row", 3, wasted: 3, epoch: epoch)
            for count in 1...2 as ClosedRange<UInt64> {
                script.evaluate("Row", turn: 1, instance: 5, count: count)
                script.commit("Row", count, wasted: 0)
            }
            let report = try script.report()
            #expect(report.beforeReset == 0 && report.missing.isEmpty)
            let stores = report.export.processes
            #expect(stores.map(\.pid) == [1, 1] && stores.map(\.store) == ["main", "main"])
            #expect(stores.map(\.views[0].count) == [3, 2] && stores.map(\.evaluations) == [3, 2])
            #expect(stores.map(\.views[0].wasted.count) == [3, 0] && stores.map(\.views[0].commits) == [3, 2])
            #expect(report.worstDoubleTurns.map(\.turn).sorted() == [1, 9], "one of the new program's first turn")
        }
    }

    @Test("stores of an older version's trace, which says no names, are one store as before")
    func olderVersion() throws {
        let script = EventScript()
        script.store = (0, "")
        for count in [1, 1, 2, 2] as [UInt64] { script.evaluate("Row", count: count) }
        #expect(try script.report().export.processes.map(\.views[0].count) == [4])
    }

    @Test("hangs of a process that replaced itself count once")
    func replacedWithHangs() throws {
        let script = EventScript()
        for _ in 0..<2 {
            script.turn(1, length: 300_000_000) { script.evaluate("Row", body: 90_000_000, turn: 1, count: 1) }
        }
        let stores = try script.report().export.processes
        #expect(stores.map(\.views[0].hangs.count) == [1, 1] && stores.reduce(0) { $0 + $1.hangs.count } == 2)
    }

    @Test("evaluations that could not be judged are as many as in the app, without those that a commit judged since")
    func unjudged() throws {
        let script = EventScript()
        for isUnjudged in [true, false, true, true] { script.evaluate("Row", isUnjudged: isUnjudged) }
        var view = try Self.view(script)
        #expect(view.wasted.unjudged == 3 && view.wasted.count == 0)
        // A commit finds one of them wasted, and another one needed.
        script.commit("Row", 1, wasted: 1, unjudged: 1)
        view = try Self.view(script)
        #expect(view.wasted.unjudged == 1 && view.wasted.measured == 1 && view.wasted.nanoseconds == 100)
        script.evaluate("Row", isUnjudged: true)
        #expect(try Self.view(script).wasted.unjudged == 2)
        script.evaluate("Row", epoch: 1, count: 1, isUnjudged: false)
        #expect(try Self.view(script).wasted.unjudged == 0, "after a reset")
        // What the app finds wasted is judged, whatever a trace says besides.
        script.evaluate("Row", epoch: 1, count: 2, waste: .inferred, isUnjudged: true)
        #expect(try Self.view(script).wasted.unjudged == 0)
    }

    @Test("of a part, those that could not be judged are of the evaluations in it, and never more than these")
    func unjudgedInPart() throws {
        let script = EventScript()
        script.evaluate("Row", count: 9_991, isUnjudged: true)
        script.commit("Row", 7_000, wasted: 0, unjudged: 5_000)
        #expect(try Self.view(script).wasted.unjudged == 1)
        script.evaluate("Row", count: 9_992, isUnjudged: true)
        script.commit("Row", 7_001, wasted: 0, unjudged: 5_000)
        #expect(try Self.view(script).wasted.unjudged == 1, "the second was judged")
        // The last evaluation is lost, and its commit is not.
        let lost = EventScript()
        lost.evaluate("Row", count: 1, isUnjudged: true)
        lost.commit("Row", 1, wasted: 0, unjudged: 1)
        lost.commit("Row", 2, wasted: 0, unjudged: 2)
        #expect(try Self.view(lost).wasted.unjudged == 1)
        let hostile = EventScript()
        hostile.evaluate("Row", isUnjudged: false)
        hostile.commit("Row", 1, wasted: 0, unjudged: UInt64.max - 1)
        #expect(try Self.view(hostile).wasted.unjudged ?? 0 <= 1)
    }

    @Test("an older version's trace, which does not say what could be judged, has no number of it")
    func unjudgedOfOlderVersion() throws {
        let script = EventScript()
        script.evaluate("Row")
        #expect(try Self.view(script).wasted.unjudged == nil)
        let commits = EventScript()
        commits.evaluate("Row", isUnjudged: true)
        commits.commit("Row", 1, wasted: 0)
        #expect(try Self.view(commits).wasted.unjudged == nil)
    }

    @Test("after a reset the sums are of the new epoch alone")
    func reset() throws {
        let script = EventScript()
        script.evaluate("Row", count: 500)
        script.commit("Row", 400, wasted: 300)
        script.evaluate("Row", epoch: 1, count: 1)
        script.commit("Row", 1, wasted: 1, epoch: 1)
        let view = try Self.view(script)
        #expect(view.count == 1 && view.commits == 1 && view.wasted.count == 1)
    }
}
