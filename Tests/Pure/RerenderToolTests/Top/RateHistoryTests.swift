// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Testing
@testable import ToolSupport

@Suite("Rates of top")
struct RateHistoryTests {
    private func row(_ key: ViewKey, _ count: UInt64, store: ProcessStats = Sample.store()) -> RankedView {
        RankedView(store: store, view: Sample.view(key, count: count))
    }

    @Test("are the difference of two counts over the time between, and unknown before the second")
    func rates() {
        var book = RateHistory<TopRowID>()
        let first = row("A", 100)
        book.note([first], at: TopSamples.time(0))
        #expect(book.paces(of: TopRowID(first)).isEmpty)
        book.note([row("A", 160)], at: TopSamples.time(1))
        book.note([row("A", 160)], at: TopSamples.time(3))
        #expect(book.paces(of: TopRowID(first)) == [Pace(all: 60), Pace(all: 0)])
    }

    @Test("a load is the time of the bodies over the time between, and the wasted part of it")
    func loads() {
        func row(_ count: UInt64, body: UInt64, wasted: UInt64) -> RankedView {
            var view = Sample.view("A", count: count)
            view.body.totalNanoseconds = body
            view.wasted.nanoseconds = wasted
            return RankedView(store: Sample.store(), view: view)
        }
        var book = RateHistory<TopRowID>()
        let id = TopRowID(row(0, body: 0, wasted: 0))
        book.note([row(100, body: 5_000_000, wasted: 1_000_000)], at: TopSamples.time(0))
        #expect(book.load(of: id) == nil)
        book.note([row(160, body: 25_000_000, wasted: 16_000_000)], at: TopSamples.time(2))
        #expect(book.load(of: id) == ViewLoad(rate: 30, percent: 1, wastedPercent: 0.75))
        #expect(book.load(of: id)?.sentence(StoreWords(.views)) == "30/s take 1.0% of a core, 0.8% wasted")
        // A commit took back what was inferred to be waste.
        book.note([row(160, body: 25_000_000, wasted: 0)], at: TopSamples.time(3))
        #expect(book.load(of: id)?.sentence(StoreWords(.views)) == "No evaluation ended just now")
        #expect(book.load(of: id)?.sentence(StoreWords(.widgets)) == "No drawing ended just now")
        book.note([row(1, body: 1_000, wasted: 0)], at: TopSamples.time(4))
        #expect(book.load(of: id) == nil, "after a reset what was before says nothing")
    }

    @Test("a row that was away has the average of that time; samples close to each other are one")
    func gaps() {
        var book = RateHistory<TopRowID>()
        let id = TopRowID(row("A", 0))
        book.note([row("A", 0)], at: TopSamples.time(0))
        book.note([row("B", 0)], at: TopSamples.time(1))
        book.note([row("A", 100)], at: TopSamples.time(10))
        #expect(book.paces(of: id).map(\.all) == [10])
        book.note([row("A", 101)], at: TopSamples.time(10.1))
        #expect(book.paces(of: id).map(\.all) == [10])
        book.note([row("A", 120)], at: TopSamples.time(11))
        #expect(book.paces(of: id).map(\.all) == [10, 20])
    }

    @Test("begin anew after a reset, and where the clock was set back")
    func resets() {
        var book = RateHistory<TopRowID>()
        let id = TopRowID(row("A", 0))
        book.note([row("A", 100)], at: TopSamples.time(0))
        book.note([row("A", 200)], at: TopSamples.time(1))
        book.note([row("A", 5)], at: TopSamples.time(2))
        #expect(book.paces(of: id).isEmpty)
        book.note([row("A", 6)], at: TopSamples.time(3))
        #expect(book.paces(of: id).map(\.all) == [1])
        book.note([row("A", 9)], at: TopSamples.time(1))
        #expect(book.paces(of: id).isEmpty)
    }

    @Test("the same key in another process, or in a process that began anew, is another row")
    func identity() {
        var book = RateHistory<TopRowID>()
        var again = Sample.store()
        again.startedAt = TopSamples.time(5)
        let rows = [row("A", 1), row("A", 2, store: Sample.store(pid: 12)), row("A", 3, store: again)]
        book.note(rows, at: TopSamples.time(0))
        #expect(book.rows == 3 && Set(rows.map(TopRowID.init)).count == 3)
    }

    @Test("are kept of so many rows and samples and no more; those seen last stay")
    func bounds() {
        var book = RateHistory<TopRowID>()
        for second in 0..<100 { book.note([row("A", UInt64(second))], at: TopSamples.time(Double(second))) }
        #expect(book.paces(of: TopRowID(row("A", 0))).count == RateLimits.kept)
        for block in 0..<10 {
            let rows = (0..<500).map { row(ViewKey(rawValue: "\(block)/\($0)"), 1) }
            book.note(rows, at: TopSamples.time(Double(100 + block)))
            #expect(book.rows <= RateLimits.rows)
        }
        book.note([row("9/7", 11)], at: TopSamples.time(119))
        #expect(book.paces(of: TopRowID(row("9/7", 0))).map(\.all) == [1])
    }

    @Test(
        "as text have at most six columns",
        arguments: [
            (nil, "-"), (0, "0"), (0.04, "<0.1/s"), (0.5, "0.5/s"), (9.94, "9.9/s"), (9.96, "10/s"), (60, "60/s"),
            (999.4, "999/s"), (1_234, "1.2k/s"), (9_960, "10k/s"), (999_400, "999k/s"), (2_500_000, "2.5M/s"),
            (3e12, ">1G/s"),
        ] as [(Double?, String)])
    func text(rate: Double?, text: String) {
        #expect(RateText.cell(rate) == text)
        #expect(text.count <= 6)
    }

    @Test("every rate fits its column", arguments: 0..<200)
    func widths(step: Int) {
        var rate = 0.001
        for _ in 0..<step { rate *= 1.17 }
        #expect(RateText.cell(rate).count <= 6, "\(rate)")
    }

    @Test("the tool's own cost is that of a second or so, and no moment's after a key")
    func ownCost() {
        var meter = CostMeter()
        let start = ContinuousClock.now
        #expect(meter.read(used: .zero, now: start) == nil)
        #expect(meter.read(used: .milliseconds(20), now: start + .milliseconds(30)) == nil)
        #expect(meter.read(used: .milliseconds(20), now: start + .seconds(1)) == 2)
        #expect(meter.read(used: .milliseconds(40), now: start + .milliseconds(1_040)) == 2)
        #expect(meter.read(used: .milliseconds(50), now: start + .seconds(2)) == 3)
    }

    @Test("rank the views with most evaluations: those first that were evaluated most between two answers")
    func ranks() {
        func stores(_ counts: [UInt64]) -> [ProcessStats] {
            [Sample.store(views: zip(["A", "B", "C"] as [ViewKey], counts).map { Sample.view($0, count: $1) })]
        }
        func keys(_ model: TopModel) -> [ViewKey?] { (0..<3).map { model.sample?.row(at: $0)?.view.key } }
        var model = TopSamples.model(stores([100, 50, 20]), order: .rate)
        #expect(keys(model) == ["A", "B", "C"], "no rate is known yet")
        TopSamples.answer(&model, model.ask(), stores([101, 60, 90]), at: TopSamples.time(1))
        #expect(keys(model) == ["C", "B", "A"])
        TopSamples.answer(&model, model.take(.key(.character("s"))), stores([101, 60, 90]), at: TopSamples.time(1.1))
        #expect(model.isReversed && keys(model) == ["A", "B", "C"])
        let many = [TopSamples.large(1_000)]
        model = TopSamples.model(many, order: .rate)
        _ = TopSamples.press(&model, many, .end)
        #expect(model.sample?.total == 1_000 && model.total == TopQuery.mostViews && model.selectedRow != nil)
        #expect(model.query.stats == StatsQuery(.count, limit: TopQuery.mostViews))
    }

    @Test("as a sparkline are as wide as asked, on the scale that is given, nothing a dot, the unknown blank")
    func sparkline() {
        func text(_ rates: [Double], _ width: Int, _ scale: Double = 100) -> String {
            Sparkline.pieces(rates.map { Pace(all: $0) }, width: width, scale: scale).map(\.text).joined()
        }
        #expect(text([], 4) == "    ")
        #expect(text([0, 1, 50, 100], 6) == "  ·▁▅█")
        #expect(text([0, 1, 50, 100], 4, 1_000) == "·▁▁▂", "another row is ten times as fast")
        #expect(text([500], 1) == "█", "also where it is more than full")
        #expect(text([0, 0], 2, 0) == "··")
        #expect(text([7], 0).isEmpty)
    }

    @Test("bars are marked where at least half of the evaluations were wasted")
    func wastedPart() {
        var book = RateHistory<TopRowID>()
        var view = Sample.view("A", count: 100)
        let id = TopRowID(RankedView(store: Sample.store(), view: view))
        for (second, wasted) in [0, 10, 60, 160].enumerated() {
            (view.count, view.wasted.count) = (100 + UInt64(second) * 100, UInt64(wasted))
            book.note([RankedView(store: Sample.store(), view: view)], at: TopSamples.time(Double(second)))
        }
        #expect(
            book.paces(of: id) == [Pace(all: 100, wasted: 10), Pace(all: 100, wasted: 50), Pace(all: 100, wasted: 100)])
        let pieces = Sparkline.pieces(book.paces(of: id), width: 4, scale: 100)
        #expect(pieces == [TopSpan(text: " █", style: .dim), TopSpan(text: "██", style: .notice)])
    }
}
