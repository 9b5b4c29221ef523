// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

private let cart = FlightView.watched(1, "Cart")
private let row = FlightView.watched(2, "Row")
private let click = FlightView(
    storeID: 0, index: 3, epoch: 0, phase: .handler, key: "Toolbar\u{1F}click on Save")

@Suite("Blame for a hang")
struct TurnAttributionTests {
    var app = WatchdogScript()

    private mutating func closed(_ change: (inout LongTurn) -> Void) throws -> SeenHang {
        app.begin(turn: 1, at: 0)
        app.end(at: 400, change: change)
        return try #require(app.observe(at: 410).closed.first)
    }

    @Test(
        "goes to the view with most of the hang, whoever ran when the threshold was crossed; who did is told beside it")
    mutating func largest() throws {
        // The view with most, what it has, the one at the threshold, what that has, and the time in others.
        let cases: [(FlightView, UInt64, FlightView?, UInt64, UInt64)] = [
            (row, 380, cart, 15, 0), (row, 200, cart, 199, 0), (cart, 120, nil, 0, 10), (cart, 81, row, 80, 200),
        ]
        for (most, time, crossing, least, others) in cases {
            app = WatchdogScript()
            let report = try closed {
                $0.inBody = crossing
                $0.shares = [.of(most, time)] + (crossing.map { [.of($0, least)] } ?? [])
                $0.otherNanoseconds = WatchdogScript.span(others)
                $0.last = cart
            }
            #expect(report.blamed == most && report.hang.attribution == .share && report.views.inBody == crossing)
            #expect(report.views.last == cart && report.addsUp && !report.hang.guess)
        }
    }

    @Test("is 'in body' where the view with most also ran when the threshold was crossed")
    mutating func inBody() throws {
        let report = try closed {
            $0.inBody = cart
            $0.shares = [.of(cart, 200), .of(row, 150)]
        }
        #expect(report.blamed == cart && report.hang.attribution == .inBody && report.views.inBody == cart)
        #expect(report.hang.unattributedNanoseconds == WatchdogScript.span(50) && report.addsUp)
    }

    @Test("is 'in handler' where an event handler has most, whether it ran when the threshold was crossed or not")
    mutating func inHandler() throws {
        for crossing in [click, row, nil] {
            app = WatchdogScript()
            let report = try closed {
                ($0.inBody, $0.last) = (crossing, row)
                $0.shares = [.of(click, 200), .of(row, 150)]
            }
            #expect(report.blamed == click && report.hang.attribution == .inHandler)
            #expect(report.views.last == row && report.addsUp)
        }
        app = WatchdogScript()
        let report = try closed {
            $0.inBody = click
            $0.shares = [.of(row, 200), .of(click, 150)]
        }
        #expect(report.blamed == row && report.hang.attribution == .share, "most of it was the body's")
    }

    @Test("of an open hang goes to the handler that runs, which is not what was rendered last")
    mutating func openHandler() throws {
        app.begin(turn: 1, at: 0)
        app.reading.last = row
        app.reading.running = click
        app.reading.runningSince = app.reading.turnStartedAt
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.blamed == click && report.hang.attribution == .inHandler)
        #expect(report.hang.guess && report.views.last == row)
    }

    @Test("goes to nobody where the largest share is less than a fifth, though it ran at the threshold")
    mutating func bystander() throws {
        let (few, enough) = (WatchdogScript.span(400) / 5 - 1, WatchdogScript.span(400) / 5)
        var report = try closed {
            $0.shares = [FlightShare(view: cart, nanoseconds: few)]
            ($0.inBody, $0.last) = (cart, cart)
        }
        #expect(report.blamed == nil && report.hang.attribution == .none)
        #expect(report.hang.counts && report.views.last == cart)
        #expect(report.views.inBody == cart && report.views.shares.map(\.nanoseconds) == [few] && report.addsUp)
        app = WatchdogScript()
        report = try closed { $0.shares = [FlightShare(view: cart, nanoseconds: enough)] }
        #expect(report.blamed == cart && report.hang.attribution == .share && report.views.inBody == nil)
    }

    @Test("goes to nobody where many small shares make up the hang: no single view is the cause")
    mutating func crowd() throws {
        let report = try closed {
            $0.shares = (0..<8).map { .of(.watched($0), 20) }
            $0.otherNanoseconds = WatchdogScript.span(240)
        }
        #expect(report.blamed == nil && report.hang.attribution == .none)
        #expect(report.hang.unattributedNanoseconds == 0 && report.addsUp)
    }

    @Test("goes to nobody where no body ran at all, whoever was evaluated last")
    mutating func lastRendered() throws {
        let report = try closed { $0.last = cart }
        #expect(report.blamed == nil && report.hang.attribution == .none && report.views.last == cart)
        #expect(report.hang.unattributedNanoseconds == report.hang.durationNanoseconds && report.views.shares.isEmpty)
    }

    @Test("is that of the one at the threshold where two have equally much")
    mutating func equal() throws {
        for crossing in [cart, row] {
            app = WatchdogScript()
            let report = try closed {
                $0.shares = [.of(row, 180), .of(cart, 180)]
                $0.inBody = crossing
            }
            #expect(report.blamed == crossing && report.hang.attribution == .inBody)
        }
    }

    @Test("has what one source took, as the share of a hang that no view is blamed for")
    mutating func source() throws {
        let report = try closed { $0.inSource = WatchdogScript.span(197) }
        #expect(report.blamed == nil && report.hang.share == WatchdogScript.span(197))
        app = WatchdogScript()
        let unknown = try closed { $0.inSource = 0 }
        #expect(unknown.hang.share == nil)
    }

    @Test("goes to no handler where a source took more than half, and twice as much; a view with a fifth has it")
    mutating func sourceBeforeHandler() throws {
        let cases: [(UInt64, FlightView, UInt64, Bool)] = [
            (201, click, 90, false), (200, click, 90, true), (220, click, 110, true), (300, cart, 90, true),
        ]
        for (inSource, view, own, isBlamed) in cases {
            app = WatchdogScript()
            let report = try closed { ($0.inSource, $0.shares) = (WatchdogScript.span(inSource), [.of(view, own)]) }
            #expect((report.blamed == view) == isBlamed && report.addsUp)
        }
    }

    @Test("knows nothing of a turn whose record has bodies that ran after it")
    mutating func mixed() throws {
        let report = try closed {
            $0.isMixed = true
            $0.shares = [.of(row, 380)]
            ($0.inBody, $0.last) = (row, row)
        }
        #expect(report.hang.guess && report.blamed == nil && report.views.shares.isEmpty && report.views.inBody == nil)
        #expect(report.milliseconds == 400 && report.hang.counts && report.addsUp)
    }

    @Test("is a guess until the hang ends, and then what the app recorded")
    mutating func replaced() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 0)
        let opened = try #require(app.observe(at: 260).opened.first)
        #expect(opened.hang.guess && opened.blamed?.index == 1 && opened.hang.attribution == .inBody)
        app.run(.watched(2), since: 260)
        let updated = try #require(app.observe(from: 270, to: 990).updated.last)
        #expect(updated.hang.guess && updated.blamed?.index == 2 && updated.hang.attribution == .share)
        #expect(updated.views.inBody?.index == 1)
        app.end(at: 1_000) {
            $0.shares = [.of(row, 740), .of(cart, 260)]
            $0.inBody = cart
        }
        let closed = try #require(app.observe(at: 1_010).closed.first)
        #expect(!closed.hang.guess && closed.blamed == row)
        #expect(closed.hang.attribution == .share && closed.views.inBody == cart)
    }

    @Test("is for a phase: a view's layout and its snapshot have a share each, and the one with most is blamed")
    mutating func phases() throws {
        var (layout, snapshot) = (row, row)
        (layout.phase, snapshot.phase) = (.layout, .snapshot)
        for (crossing, attribution) in [(layout, HangAttribution.inPhase), (snapshot, .share), (row, .share)] {
            app = WatchdogScript()
            let report = try closed {
                $0.inBody = crossing
                $0.shares = [.of(layout, 200), .of(snapshot, 150)]
            }
            #expect(report.blamed == layout && report.hang.attribution == attribution && report.addsUp)
            #expect(report.views.shares.map(\.view.phase) == [.layout, .snapshot])
        }
    }

    @Test("stays a guess where the app's record is lost")
    mutating func lost() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 0)
        _ = app.observe(from: 10, to: 300)
        app.reading.turn = 40
        app.reading.turnStartedAt = 0
        app.reading.longTurns = 30
        let closed = try #require(app.observe(from: 310, to: 400).closed.first)
        #expect(closed.hang.guess && closed.hang.ended == .normally)
    }

    @Test("counts time in bodies that no view had room for as that of other views")
    mutating func unlisted() throws {
        let unlisted = FlightView(storeID: .max, index: .max - 1, epoch: 0, key: "")
        #expect(unlisted.isUnlisted && !cart.isUnlisted)
        app.begin(turn: 1, at: 0)
        app.run(unlisted, since: 60)
        app.shares = TurnShares()
        app.shares?.views = [.of(row, 60)]
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.blamed?.index == row.index && report.views.otherNanoseconds == WatchdogScript.span(200))
        #expect(report.addsUp)
    }

    @Test("goes to nobody where there is no view")
    mutating func nobody() throws {
        let report = try closed { _ in }
        #expect(report.blamed == nil && report.hang.attribution == .none && report.views.last == nil && report.addsUp)
    }

    @Test("while the hang lasts goes to the body that ran before the crossing, with its time so far")
    mutating func open() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 100)
        app.shares = TurnShares()
        app.shares?.views = [.of(row, 60)]
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.blamed?.index == 1 && report.hang.attribution == .inBody)
        #expect(report.views.shares.map(\.nanoseconds) == [WatchdogScript.span(160), WatchdogScript.span(60)])
        #expect(report.addsUp)
    }

    @Test("does not go as 'in body' to one that began after the crossing")
    mutating func bodyAfterwards() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 255)
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.hang.attribution == .none, "and its share is next to nothing")
        app = WatchdogScript()
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 255)
        let later = try #require(app.observe(at: 350).opened.first)
        #expect(later.hang.attribution == .share && later.views.inBody == nil)
    }

    @Test("stays with what was seen at the crossing where the app left no record")
    mutating func killed() throws {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 10)
        _ = app.observe(from: 10, to: 300)
        app.shares = TurnShares()
        app.shares?.views = [.of(.watched(1), 295)]
        app.run(nil, since: 0)
        _ = app.observe(from: 310, to: 400)
        let report = try #require(app.detector.end(exited: false).closed.first)
        #expect(report.blamed?.index == 1 && report.hang.attribution == .inBody && report.addsUp && !report.hang.guess)
    }

    @Test("has at most eight shares, the rest in one of other views")
    mutating func many() throws {
        let views = (0..<12 as Range<UInt32>).map { FlightShare(view: .watched($0), nanoseconds: 10_000_000) }
        app.begin(turn: 1, at: 0)
        app.shares = TurnShares()
        app.shares?.views = views
        let report = try #require(app.observe(at: 260).opened.first)
        #expect(report.views.shares.count == 7 && report.views.otherNanoseconds == WatchdogScript.span(50))
        #expect(report.addsUp)
    }

    @Test("never claims more than there was")
    mutating func tooMuch() throws {
        let report = try closed { $0.shares = [.of(cart, 4_000), .of(row, .max / 2_000_000)] }
        #expect(report.addsUp && report.views.shares.map(\.view) == [cart])
    }
}
