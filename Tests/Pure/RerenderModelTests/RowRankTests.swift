// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@Suite("The order of rows") struct RowRankTests {
    @Test("the class comes before every cost, and the cost before every number of evaluations")
    func classes() {
        let plain = RowRank(.plain, selfNanoseconds: .max, own: .max, of: .max)
        let busy = RowRank(.busy, selfNanoseconds: 0, own: 0, of: 0)
        let fault = RowRank(.fault, selfNanoseconds: 0, own: 0, of: 0)
        #expect(plain < busy && busy < fault)
        #expect([plain, busy, fault].map(\.mark) == [.plain, .busy, .fault])
        let cheap = RowRank(.plain, selfNanoseconds: 1, own: .max, of: .max)
        let dear = RowRank(.plain, selfNanoseconds: 2, own: 1, of: 1)
        #expect(cheap < dear)
        #expect(RowRank(.plain, selfNanoseconds: 0, own: 1, of: 1) > RowRank(.plain, selfNanoseconds: 0, own: 0, of: 9))
        #expect(RowRank(.plain, selfNanoseconds: 0, own: 0, of: 9) > RowRank(.plain, selfNanoseconds: 0, own: 0, of: 8))
    }

    @Test("the cost is the share of evaluations with a cause of their own, or the time in hangs")
    func cost() {
        #expect(RowRank(.plain, selfNanoseconds: 900, own: 3, of: 9).nanoseconds == 300)
        #expect(RowRank(.plain, selfNanoseconds: 900, own: 9, of: 9).nanoseconds == 900)
        #expect(RowRank(.plain, selfNanoseconds: 900, own: 0, of: 9).nanoseconds == 0)
        #expect(RowRank(.fault, selfNanoseconds: 900, own: 9, of: 9, hangs: 5_000).nanoseconds == 5_000)
        // More than fits is the largest number that does.
        let most = RowRank(.busy, selfNanoseconds: .max, own: 1, of: 1)
        #expect(most.mark == .busy && most.nanoseconds == UInt64.max >> 2)
    }

    @Test("what only passes on has a reason of a child or of a parent")
    func passedOn() {
        #expect(Reason.passedOn("child GtkStack#icon")?.view == "GtkStack#icon")
        #expect(Reason.passedOn("child GtkStack#icon")?.isChild == true)
        #expect(Reason.passedOn("child GtkStack#icon and others")?.view == "GtkStack#icon", "the first of several")
        #expect(Reason.passedOn("parent: bread and others")?.view == "bread and others")
        #expect(Reason.passedOn("parent: List")?.view == "List" && Reason.passedOn("parent: List")?.isChild == false)
        for other in ["initial", "childish", "child", "parent:", "parents", "property label", ""] {
            #expect(!Reason.isPassedOn(other) && Reason.passedOn(other) == nil, "\(other)")
        }
    }

    @Test("a view is a fault by its own numbers, by a cycle, or where a finding of its store names it")
    func marks() {
        let start = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)
        var store = ProcessStats(pid: 7, name: "shop", store: "main", storeNumber: 1, startedAt: start)
        store.lastRenderedAt = Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 + 10_000_000_000)
        store.cycles = [
            Cycle(
                steps: [.init(name: "Ring", writer: nil)], rounds: 20, latestRounds: 20,
                latestNanoseconds: 1_000_000_000, latestAt: start)
        ]
        func finding(_ kind: Verdict.Kind, _ view: ViewKey, store number: UInt32? = 1) -> Verdict.Finding {
            var finding = Verdict.Finding(kind)
            (finding.pid, finding.storeNumber, finding.view) = (7, number, view)
            return finding
        }
        let verdict = Verdict(findings: [
            finding(.hiddenWidget, "Spin"), finding(.busy, "Film", store: nil), finding(.waste, "Other", store: 2),
            finding(.notJudged, "Canvas"),
        ])
        let marks = RowMarks(store, running: 1, verdict)
        func mark(_ view: Stats) -> RowRank.Mark { marks.rank(of: view).mark }
        #expect(mark(Stats(key: "Spin")) == .fault && mark(Stats(key: "Film")) == .busy)
        #expect(mark(Stats(key: "Ring")) == .fault)
        #expect(mark(Stats(key: "Other")) == .plain && mark(Stats(key: "Canvas")) == .plain)
        var wasteful = Stats(key: "Row")
        wasteful.wasted.nanoseconds = 99_000_000
        #expect(mark(wasteful) == .plain)
        wasteful.wasted.nanoseconds = 100_000_000
        #expect(mark(wasteful) == .fault, "1% of a core")
        var hung = Stats(key: "Hung")
        hung.hangs.add(nanoseconds: 300_000_000)
        #expect(mark(hung) == .fault && marks.rank(of: hung).nanoseconds == 300_000_000)
    }
}
