// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A hang")
struct HangDetectorTests {
    var app = WatchdogScript()

    @Test("is opened when its turn crosses the threshold, updated while it lasts, and closed with the app's stamps")
    mutating func life() throws {
        app.begin(turn: 1, at: 0)
        #expect(app.observe(from: 10, to: 240).isEmpty)
        let opened = app.observe(at: 250)
        #expect(opened.opened.map(\.milliseconds) == [250])
        #expect(opened.opened[0].hang.ended == nil && opened.opened[0].hang.id == 1)
        let going = app.observe(from: 260, to: 460)
        #expect(going.updated.map(\.milliseconds) == [350, 450], "not at every look")
        app.end(at: 463)
        let closed = try #require(app.observe(at: 470).closed.first)
        #expect(closed.milliseconds == 463 && closed.hang.ended == .normally && closed.hang.id == 1 && closed.addsUp)
        #expect(closed.hang.startedAt.nanosecondsSince1970 == Int64(WatchdogScript.at(0)))
        #expect(app.observe(from: 480, to: 600).isEmpty)
    }

    @Test(
        "is opened while it lasts if it is one at its end, whatever runs in it and in the next turn",
        arguments: HangPhase.allCases)
    func openedInTime(phase: HangPhase) {
        let view = FlightView(storeID: 0, index: 3, epoch: 0, phase: phase, key: "View")
        let next = FlightView(storeID: 0, index: 4, epoch: 0, phase: phase == .handler ? .body : .handler, key: "Next")
        for milliseconds: UInt64 in stride(from: 50, through: 400, by: 50) {
            var app = WatchdogScript()
            app.begin(turn: 1, at: 0)
            app.run(view, since: 1)
            let opened = app.observe(from: 10, to: milliseconds).opened.count
            app.end(at: milliseconds + 5) { $0.shares = [.of(view, milliseconds)] }
            app.begin(turn: 2, at: milliseconds + 6)
            app.run(next, since: milliseconds + 7)
            let events = app.observe(at: milliseconds + 10)
            #expect(events.closed.count == opened && events.dropped.isEmpty, "\(milliseconds) ms")
            for seen in events.closed + events.microHangs {
                let isHang = HangThresholds().length(of: seen.hang) == .hang
                #expect(isHang == (seen.hang.id != 0), "\(milliseconds) ms")
            }
        }
    }

    @Test("has the app's duration however late anyone looked")
    mutating func late() throws {
        app.begin(turn: 1, at: 0)
        _ = app.observe(at: 10)
        #expect(app.observe(at: 900, late: true).opened.map(\.milliseconds) == [900])
        app.end(at: 901)
        #expect(app.observe(at: 2_000, late: true).closed.map(\.milliseconds) == [901])
    }

    @Test(
        "of a loop whose writer was paused between a turn's end and its record loses neither the record nor the next hang"
    )
    mutating func pausedWriter() throws {
        app.begin(turn: 1, at: 0)
        #expect(app.observe(from: 10, to: 300).opened.map(\.hang.turn) == [1])
        // Stopped after the slot says that the turn is over, before the ring has it; nobody can say how it ended.
        app.reading.turnStartedAt = 0
        let paused = app.observe(from: 310, to: 400)
        #expect(paused.closed.map(\.hang.turn) == [1] && paused.closed[0].milliseconds == 300)
        // Resumed: the record comes late, and a second, real hang follows.
        app.record(turn: 1, from: WatchdogScript.at(0), to: WatchdogScript.at(305))
        app.begin(turn: 2, at: 410)
        let second = app.observe(from: 420, to: 700)
        #expect(second.opened.map(\.hang.turn) == [2] && second.closed.isEmpty)
        app.end(at: 705)
        #expect(app.observe(from: 710, to: 740).closed.map(\.milliseconds) == [295])
        #expect(app.detector.missedLongTurns == 0 && app.detector.ignoredReadings == 0)
    }

    @Test("of which the count was raised before a pause and the record after it is taken in when it comes")
    mutating func pausedRecord() throws {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 300)
        // The count says that there is a record, and it is not whole yet: for longer than is waited for it.
        app.reading.turnStartedAt = 0
        app.reading.longTurns = 1
        let paused = app.observe(from: 310, to: 400)
        #expect(paused.closed.count == 1)
        app.reading.longTurns = 0
        app.record(turn: 1, from: WatchdogScript.at(0), to: WatchdogScript.at(305))
        app.begin(turn: 2, at: 410)
        let second = app.observe(from: 420, to: 700)
        #expect(second.opened.map(\.hang.turn) == [2] && second.closed.isEmpty)
        app.end(at: 705)
        #expect(app.observe(from: 710, to: 740).closed.map(\.milliseconds) == [295])
    }

    @Test("in the turn of a process that was stopped for long and went on in it is opened and closed once")
    mutating func stoppedAndResumed() throws {
        app.thread(.runnable, ran: 0)
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 100) { $0.thread(.runnable, ran: $1) }
        let stopped = app.observe(from: 110, to: 600) { script, _ in script.thread(.stopped, ran: 100) }
        #expect(stopped.opened.count == 1 && stopped.closed.isEmpty)
        let after = app.observe(from: 610, to: 1_000) { $0.thread(.runnable, ran: $1 - 500) }
        app.end(at: 1_005)
        let closed = app.observe(from: 1_010, to: 1_030).closed
        #expect(after.closed.isEmpty && closed.count == 1 && closed[0].hang.counts, "half a second of it was its own")
    }

    @Test("is found again by another detector with all of its length, and what was taken in is not taken in again")
    mutating func resumed() throws {
        app.detector = HangDetector(origin: 9)
        _ = app.observe(at: 0)
        app.record(turn: 1, from: WatchdogScript.at(10), to: WatchdogScript.at(410))
        let first = app.observe(at: 420)
        #expect(first.closed.map(\.hang.turn) == [1] && first.progress == [app.detector.mark])
        app.begin(turn: 2, at: 500)
        #expect(app.observe(at: 800).opened.map(\.hang.id) == [2])
        let mark = app.detector.mark
        #expect(mark.fits(app.reading, origin: 9) && !mark.fits(app.reading, origin: 8))
        app.detector = HangDetector(resuming: mark)
        let again = app.observe(at: 910).opened
        #expect(again.map(\.hang.id) == [3] && again.map(\.milliseconds) == [410])
        app.end(at: 950)
        app.record(turn: 3, from: WatchdogScript.at(1_000), to: WatchdogScript.at(1_300))
        let events = app.observe(at: 2_000)
        #expect(events.closed.map(\.milliseconds) == [450, 300] && events.closed.map(\.hang.id) == [3, 4])
        var emptied = app.reading
        emptied.longTurns = 0
        #expect(!mark.fits(emptied, origin: 9), "a page that has gone back is another one's")
    }

    @Test("that began and ended unseen is listed, its verdict unknown")
    mutating func unseen() throws {
        _ = app.observe(at: 0)
        app.record(turn: 3, from: WatchdogScript.at(10), to: WatchdogScript.at(410))
        let events = app.observe(at: 1_000)
        #expect(events.opened.count == 1 && events.closed.map(\.milliseconds) == [400])
        #expect(events.closed[0].hang.verdict == .unknown && events.closed[0].hang.counts)
        #expect(events.stacks == 1, "the app may know which source took most of it")
        app.record(turn: 4, from: WatchdogScript.at(1_010), to: WatchdogScript.at(1_300))
        let late = app.observe(at: 2_400)
        #expect(late.closed.count == 1 && late.stacks == 0, "not after so long")
    }

    @Test("among more than the ring holds is listed as far as it is there, and the others are counted")
    mutating func overrun() throws {
        _ = app.observe(at: 0)
        for turn in 1...20 as ClosedRange<UInt64> {
            app.record(turn: turn, from: WatchdogScript.at(turn * 300), to: WatchdogScript.at(turn * 300 + 260))
        }
        let events = app.observe(at: 10_000)
        #expect(events.closed.map(\.hang.turn) == Array(5...20))
        #expect(app.detector.missedLongTurns == 4)
        #expect(Set(events.closed.map(\.hang.id)).count == 16)
    }

    @Test("that ended before anyone watched is not counted as missed")
    mutating func before() {
        for turn in 1...20 as ClosedRange<UInt64> {
            app.record(turn: turn, from: WatchdogScript.at(turn * 300), to: WatchdogScript.at(turn * 300 + 260))
        }
        #expect(app.observe(at: 10_000).closed.count == 16)
        #expect(app.detector.missedLongTurns == 0)
    }

    @Test("that the app itself could not see is counted as missed, once, and only while it is watched")
    mutating func unseenByApp() {
        app.reading.unseen = 7
        #expect(app.observe(at: 10).isEmpty && app.detector.missedLongTurns == 0)
        app.reading.unseen = 9
        _ = app.observe(from: 20, to: 100)
        #expect(app.detector.missedLongTurns == 2)
        app.reading.unseen = 3
        #expect(app.observe(at: 110).isEmpty && app.detector.missedLongTurns == 2)
        #expect(!app.detector.needs(for: app.reading, now: WatchdogScript.at(120)).count)
    }

    @Test("that is shorter than the threshold is a micro-hang, which is counted and not listed")
    mutating func micro() throws {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 200)
        app.end(at: 205)
        let events = app.observe(at: 210)
        #expect(events.microHangs.map(\.milliseconds) == [205] && events.microHangs[0].hang.id == 0)
        #expect(events.opened.isEmpty && events.closed.isEmpty)
        #expect(app.observe(from: 220, to: 300).isEmpty)
    }

    @Test("is none at all below the micro-hang threshold")
    mutating func short() {
        for turn in 1...20 as ClosedRange<UInt64> {
            app.begin(turn: turn, at: turn * 20)
            #expect(app.observe(at: turn * 20 + 15).isEmpty)
        }
        app.reading.turnStartedAt = 0
        #expect(app.observe(from: 500, to: 2_000).isEmpty)
    }

    @Test("is never seen in a loop that waits")
    mutating func idle() {
        app.reading.turn = 7
        #expect(app.observe(from: 0, to: 5_000).isEmpty && !app.detector.isBusy)
    }

    @Test("is never made of times in the future, and these are counted")
    mutating func future() {
        app.begin(turn: 1, at: 5_000)
        #expect(app.observe(from: 0, to: 400).isEmpty)
        #expect(app.detector.ignoredReadings == 41)
        var other = WatchdogScript()
        other.begin(turn: 1, at: 0)
        other.run(.watched(1), since: 900)
        #expect(other.observe(at: 400).isEmpty && other.detector.ignoredReadings == 1)
    }

    @Test("is never made of turns or records that go backwards, and these are counted")
    mutating func backwards() {
        app.begin(turn: 9, at: 0)
        _ = app.observe(at: 10)
        app.begin(turn: 8, at: 0)
        #expect(app.observe(at: 400).isEmpty && app.detector.ignoredReadings == 1)
        var records = WatchdogScript()
        _ = records.observe(at: 0)
        records.record(turn: 1, from: WatchdogScript.at(400), to: WatchdogScript.at(100))
        records.record(turn: 2, from: WatchdogScript.at(0), to: WatchdogScript.at(9_000))
        records.record(turn: 3, from: 0, to: WatchdogScript.at(400))
        #expect(records.observe(at: 500).isEmpty && records.detector.ignoredReadings == 3)
    }

    @Test("ends where the loop was left, whatever the app records when it comes back")
    mutating func left() throws {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 300)
        app.reading.leftTurn = 1
        app.reading.leftAt = WatchdogScript.at(280)
        #expect(app.observe(at: 310).closed.map(\.milliseconds) == [280])
        #expect(app.observe(from: 320, to: 900).isEmpty)
        app.end(at: 950)
        #expect(app.observe(at: 960).isEmpty)
        app.begin(turn: 2, at: 970)
        #expect(app.observe(at: 1_300).opened.map(\.hang.turn) == [2])
    }

    @Test("is another daemon's to tell if the loop was left before this one began")
    mutating func leftBefore() {
        app.detector = HangDetector(since: WatchdogScript.at(1_000))
        app.begin(turn: 1, at: 0)
        app.reading.leftTurn = 1
        app.reading.leftAt = WatchdogScript.at(280)
        #expect(app.observe(from: 1_010, to: 1_100).isEmpty)
    }

    @Test("never was one if the loop was left before the threshold")
    mutating func leftEarly() throws {
        app.begin(turn: 1, at: 0)
        let id = try #require(app.observe(from: 10, to: 300).opened.first?.hang.id)
        app.reading.leftTurn = 1
        app.reading.leftAt = WatchdogScript.at(40)
        let events = app.observe(at: 310)
        #expect(events.dropped == [id] && events.closed.isEmpty && events.microHangs.isEmpty)
    }

    @Test("in a loop that is left at the end of a body is that view's, and no guess")
    mutating func leftAfterBody() throws {
        app.begin(turn: 1, at: 0)
        let view = FlightView.watched(1, "Slow")
        app.run(view, since: 5)
        let id = try #require(app.observe(from: 10, to: 390).opened.first?.hang.id)
        app.run(nil, since: 400)
        app.shares = TurnShares()
        app.shares?.views = [.of(view, 395)]
        app.shares?.until = WatchdogScript.at(400)
        (app.reading.leftTurn, app.reading.leftAt) = (1, WatchdogScript.at(400))
        let report = try #require(app.observe(at: 430).closed.first)
        #expect(report.hang.id == id && report.milliseconds == 400 && !report.hang.guess && report.hang.counts)
        #expect(report.blamed == view && report.hang.unattributedNanoseconds == WatchdogScript.span(5))
        #expect(report.hang.mayHaveEndedLaterNanoseconds == WatchdogScript.span(30), "until it was seen to be left")
    }

    @Test("may have ended later where its record says so, and never after it was seen")
    mutating func recordedEnd() throws {
        app.begin(turn: 1, at: 0)
        app.end(at: 400) { $0.endSlack = WatchdogScript.span(20) }
        let seen = try #require(app.observe(at: 430).closed.first)
        #expect(seen.hang.mayHaveEndedLaterNanoseconds == WatchdogScript.span(20))
        app.begin(turn: 2, at: 500)
        app.end(at: 900) { $0.endSlack = .max }
        let report = try #require(app.observe(at: 910).closed.first)
        #expect(report.hang.mayHaveEndedLaterNanoseconds == WatchdogScript.span(10) && report.milliseconds == 400)
    }

    @Test("never was one if the turn's thread found that the loop had been left early, and no record comes")
    mutating func leftEarlyAndOver() throws {
        app.begin(turn: 1, at: 0)
        let id = try #require(app.observe(from: 10, to: 300).opened.first?.hang.id)
        (app.reading.leftTurn, app.reading.leftAt) = (1, WatchdogScript.at(40))
        app.reading.turnStartedAt = 0
        let events = app.observe(from: 310, to: 400)
        #expect(events.dropped == [id] && events.closed.isEmpty && !app.detector.isBusy)
    }

    @Test("of a GLib loop is asked once whether the loop was left; others need not be asked")
    func watchTurn() {
        var glib = WatchdogScript(monitor: .glib)
        glib.begin(turn: 4, at: 0)
        #expect(glib.observe(from: 10, to: 1_000).watchedTurns == [4])
        var other = WatchdogScript()
        other.begin(turn: 4, at: 0)
        #expect(other.observe(from: 10, to: 1_000).watchedTurns.isEmpty)
    }

    @Test("asks for stacks at the threshold and at growing intervals, eight at most")
    mutating func stacks() {
        app.begin(turn: 1, at: 0)
        #expect(app.observe(from: 10, to: 240).stacks == 0)
        #expect(app.observe(at: 250).stacks == 1)
        #expect(app.observe(from: 260, to: 370).stacks == 0)
        #expect(app.observe(at: 380).stacks == 1, "one and a half thresholds")
        #expect(app.observe(from: 390, to: 20_000).stacks == 6)
    }

    @Test("that was seen late asks for one stack and not for those that were missed")
    mutating func lateStacks() {
        app.begin(turn: 1, at: 0)
        #expect(app.observe(at: 800).stacks == 1)
        #expect(app.observe(at: 810).stacks == 0)
    }

    @Test("whose record is not in the ring is closed with what was last seen of it")
    mutating func noRecord() {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 400)
        app.reading.turnStartedAt = 0
        let events = app.observe(from: 410, to: 500)
        #expect(events.closed.map(\.milliseconds) == [400] && events.closed[0].hang.ended == .normally)
    }

    @Test("whose record comes a moment later is closed with it")
    mutating func lateRecord() {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 400)
        app.reading.turnStartedAt = 0
        #expect(app.observe(at: 410).isEmpty)
        app.record(turn: 1, from: WatchdogScript.at(0), to: WatchdogScript.at(404))
        #expect(app.observe(at: 420).closed.map(\.milliseconds) == [404])
        #expect(app.observe(from: 430, to: 600).isEmpty)
    }

    @Test("is followed by the next one at once")
    mutating func next() {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 300)
        app.end(at: 305)
        app.begin(turn: 2, at: 306)
        #expect(app.observe(at: 310).closed.map(\.milliseconds) == [305])
        #expect(app.observe(from: 320, to: 560).opened.map(\.hang.turn) == [2])
    }

    @Test("of a process that died is closed with that fact, and lasted no longer than it was seen to live")
    mutating func killed() throws {
        app.begin(turn: 1, at: 0)
        app.thread(.runnable, ran: 0)
        _ = app.observe(from: 10, to: 400)
        app.thread = .gone
        #expect(app.observe(from: 410, to: 900).updated.isEmpty)
        let closed = try #require(app.detector.end(exited: false).closed.first)
        #expect(closed.hang.ended == .killed && closed.milliseconds == 400 && closed.addsUp)
    }

    @Test("of a process that said goodbye is closed as exited")
    mutating func exited() {
        app.begin(turn: 1, at: 0)
        _ = app.observe(from: 10, to: 400)
        #expect(app.detector.end(exited: true).closed.map(\.hang.ended) == [.exited])
        #expect(app.detector.end(exited: true).isEmpty)
    }

    @Test("is not made of the death of a process in a short turn")
    mutating func killedEarly() {
        app.begin(turn: 1, at: 0)
        _ = app.observe(at: 100)
        #expect(app.detector.end(exited: false).isEmpty)
    }

    @Test("follows thresholds that change")
    mutating func thresholds() {
        app.reading.hangThresholdMilliseconds = 90
        app.reading.microHangThresholdMilliseconds = 50
        app.begin(turn: 1, at: 0)
        #expect(app.observe(from: 10, to: 90).opened.map(\.milliseconds) == [90])
        app.end(at: 95)
        #expect(app.observe(at: 100).closed.count == 1)
        app.reading.hangThresholdMilliseconds = 1_000
        app.begin(turn: 2, at: 200)
        #expect(app.observe(from: 210, to: 1_100).isEmpty)
    }

    @Test("is due exactly at its threshold and at its stacks' times")
    mutating func due() {
        app.begin(turn: 1, at: 0)
        _ = app.observe(at: 40)
        #expect(app.detector.nextDue == WatchdogScript.at(250))
        _ = app.observe(at: 250)
        #expect(app.detector.nextDue == WatchdogScript.at(375))
    }

    @Test("do not overlap by the real-time clock, however the two clocks drift apart, watched or not")
    mutating func drift() throws {
        var ends: Int64 = .min
        for turn in UInt64(1)...40 {
            let start = turn * 300
            // Every other one is not seen before it is over.
            if turn % 2 == 0 {
                app.begin(turn: turn, at: start)
                _ = app.observe(from: start + 10, to: start + 290)
                app.end(at: start + 300)
            } else {
                app.record(turn: turn, from: WatchdogScript.at(start), to: WatchdogScript.at(start + 300))
            }
            app.realTimeAhead -= Int64.random(in: 0...200_000)
            let hang = try #require(app.observe(at: start + 300).closed.first).hang
            #expect(hang.startedAt.nanosecondsSince1970 >= ends, "turn \(turn)")
            ends = hang.startedAt.nanosecondsSince1970 + Int64(hang.durationNanoseconds)
        }
        // A clock that was set back is believed.
        app.realTimeAhead -= 3_600_000_000_000
        app.record(turn: 41, from: WatchdogScript.at(41 * 300), to: WatchdogScript.at(42 * 300))
        let hang = try #require(app.observe(at: 42 * 300).closed.first).hang
        #expect(hang.startedAt.nanosecondsSince1970 < ends - 3_599_000_000_000)
    }
}
