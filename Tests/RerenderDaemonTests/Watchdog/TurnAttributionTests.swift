// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon

private let cart = FlightView.watched(1, "Cart")
private let row = FlightView.watched(2, "Row")

@Suite("Blame for a hang")
struct TurnAttributionTests {
    var app = WatchdogScript()

    private mutating func closed(_ change: (inout LongTurn) -> Void) throws -> HangReport {
        app.begin(turn: 1, at: 0)
        app.end(at: 400, change: change)
        return try #require(app.observe(at: 410).closed.first)
    }

    @Test("goes to the view whose body ran when the threshold was crossed, even if another ran for longer")
    mutating func inBody() throws {
        let report = try closed {
            $0.inBody = cart
            $0.shares = [.of(row, 200), .of(cart, 150)]
            $0.last = row
        }
        #expect(report.view == cart && report.attribution == .inBody && report.last == row)
        #expect(report.unattributed == WatchdogScript.span(50) && report.addsUp)
    }

    @Test("goes to the largest share where no body ran then")
    mutating func largest() throws {
        let report = try closed {
            $0.shares = [.of(row, 120), .of(cart, 30)]
            $0.otherNanoseconds = WatchdogScript.span(10)
            $0.last = cart
        }
        #expect(report.view == row && report.attribution == .share && report.last == cart && report.addsUp)
    }

    @Test("goes to nobody where the largest share is less than a twentieth: who ran for a moment only is cleared by it")
    mutating func bystander() throws {
        let (few, enough) = (WatchdogScript.span(400) / 20 - 1, WatchdogScript.span(400) / 20)
        var report = try closed {
            $0.shares = [FlightShare(view: cart, nanoseconds: few)]
            $0.last = cart
        }
        #expect(report.view == nil && report.attribution == .none && report.counts && report.last == cart)
        #expect(report.shares.map(\.nanoseconds) == [few] && report.addsUp)
        app = WatchdogScript()
        report = try closed { $0.shares = [FlightShare(view: cart, nanoseconds: enough)] }
        #expect(report.view == cart && report.attribution == .share)
    }

    @Test("goes to the largest of many small shares where they make up half of the hang: what hung was bodies")
    mutating func crowd() throws {
        let half = WatchdogScript.span(400) / 2
        for (others, view) in [(half - 2, nil), (half - 1, row)] {
            app = WatchdogScript()
            let report = try closed {
                $0.shares = [FlightShare(view: row, nanoseconds: 1)]
                $0.otherNanoseconds = others
            }
            #expect(report.view == view && report.attribution == (view == nil ? .none : .share) && report.addsUp)
        }
    }

    @Test("goes to the view evaluated last where no body ran at all")
    mutating func lastRendered() throws {
        let report = try closed { $0.last = cart }
        #expect(report.view == cart && report.attribution == .lastRendered)
        #expect(report.unattributed == report.duration && report.shares.isEmpty)
    }

    @Test("goes to nobody where there is no view")
    mutating func nobody() throws {
        let report = try closed { _ in }
        #expect(report.view == nil && report.attribution == .none && report.last == nil && report.addsUp)
    }

    @Test("while the hang lasts goes to the body that ran before the crossing, with its time so far")
    mutating func open() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 100)
        app.shares = TurnShares()
        app.shares?.views = [.of(row, 60)]
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.view?.index == 1 && report.attribution == .inBody)
        #expect(report.shares.map(\.nanoseconds) == [WatchdogScript.span(160), WatchdogScript.span(60)])
        #expect(report.addsUp)
    }

    @Test("does not go as 'in body' to one that began after the crossing")
    mutating func bodyAfterwards() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 255)
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.attribution == .none, "and its share is next to nothing")
        app = WatchdogScript()
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 255)
        #expect(try #require(app.observe(at: 290).opened.first).attribution == .share)
    }

    @Test("stays with what was seen at the crossing where the app left no record")
    mutating func killed() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 10)
        _ = app.observe(from: 10, to: 300)
        app.run(nil, since: 0)
        _ = app.observe(from: 310, to: 400)
        let report = try #require(app.detector.end(exited: false).closed.first)
        #expect(report.view?.index == 1 && report.attribution == .inBody && report.addsUp)
    }

    @Test("has at most eight shares, the rest in one of other views")
    mutating func many() throws {
        let views = (0..<12 as Range<UInt32>).map { FlightShare(view: .watched($0), nanoseconds: 10_000_000) }
        app.begin(turn: 1, at: 0)
        app.shares = TurnShares()
        app.shares?.views = views
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.shares.count == 7 && report.otherNanoseconds == WatchdogScript.span(50) && report.addsUp)
    }

    @Test("never claims more than there was")
    mutating func tooMuch() throws {
        let report = try closed { $0.shares = [.of(cart, 4_000), .of(row, .max / 2_000_000)] }
        #expect(report.addsUp && report.shares.map(\.view) == [cart])
    }
}
