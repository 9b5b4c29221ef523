// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

private let cart = FlightView.watched(1, "Cart")

@Suite("The verdict on a hang")
struct HangVerdictTests {
    var app = WatchdogScript()

    /// A turn of `duration` ms in which the view's body runs all the time.
    private mutating func hang(
        _ duration: UInt64 = 400, change: (inout WatchdogScript, UInt64) -> Void
    ) throws -> SeenHang {
        app.begin(turn: 1, at: 0)
        app.run(.watched(1), since: 0)
        _ = app.observe(from: 10, to: duration - 10, change: change)
        app.end(at: duration) {
            $0.inBody = cart
            $0.last = cart
            $0.shares = [.of(cart, duration)]
        }
        change(&app, duration)
        return try #require(app.observe(at: duration + 1).closed.first)
    }

    @Test("is running if it ran for most of the time")
    mutating func running() throws {
        let report = try hang { $0.thread(.runnable, ran: $1) }
        #expect(report.hang.verdict == .running && report.hang.waitingOn == nil && report.hang.counts)
        #expect(report.blamed == cart && report.hang.attribution == .inBody && report.hang.unattributedNanoseconds == 0)
    }

    @Test("is running although the kernel counts a tick behind")
    mutating func laggingCounters() throws {
        let report = try hang { $0.thread(.runnable, ran: $1 / 40 * 40) }
        #expect(report.hang.verdict == .running && report.blamed == cart && report.addsUp)
    }

    @Test("is blocked if it waited, with what it waited for longest")
    mutating func blocked() throws {
        let report = try hang { app, time in
            app.thread(.waiting, ran: 1, in: time < 100 ? "read (pipe_read)" : "futex (futex_do_wait)")
        }
        #expect(report.hang.verdict == .blocked && report.hang.waitingOn == "futex (futex_do_wait)")
        #expect(report.blamed == cart && report.hang.attribution == .inBody, "its body waited")
    }

    @Test("is starved if it could have run and did not; the view is told all the same, and the time beside it")
    mutating func starved() throws {
        let report = try hang { app, _ in app.thread(.runnable, ran: 5) }
        #expect(report.hang.verdict == .starved && report.hang.counts)
        #expect(report.blamed == cart && report.hang.attribution == .inBody)
        #expect(report.addsUp && report.hang.unattributedNanoseconds == 0)
        #expect((WatchdogScript.span(300)...WatchdogScript.span(400)).contains(report.hang.starvedNanoseconds))
    }

    @Test("is starved by the kernel's count, which is added only when the thread runs again")
    mutating func starvedLater() throws {
        let report = try hang { app, time in
            // 220 ms in the queue, told at once.
            if time < 250 {
                app.thread(.runnable, ran: 30)
            } else {
                app.thread(.runnable, ran: 30 + time - 250, queued: 220)
            }
        }
        #expect(report.hang.verdict == .starved && report.blamed == cart)
        #expect(report.hang.starvedNanoseconds == WatchdogScript.span(220))
        #expect(report.hang.counts && report.addsUp)
        let detector = app.detector
        #expect(!detector.isBusy)
    }

    @Test("is not starved by the smaller half, though that is more than was seen to run")
    mutating func lessStarvedThanNot() throws {
        // Samples begin at 30 ms: of those 370 ms it ran 180.
        let report = try hang { app, time in
            app.thread(.runnable, ran: min(time, 210), queued: time.saturatingDifference(210))
        }
        #expect(report.hang.verdict == .running && report.blamed == cart)
        #expect(report.hang.attribution == .inBody && report.addsUp)
        #expect(report.hang.unattributedNanoseconds == 0 && report.hang.starvedNanoseconds == WatchdogScript.span(190))
    }

    @Test("is running where the smaller part was starved, which is told beside it")
    mutating func partlyStarved() throws {
        let report = try hang(800) { app, time in
            app.thread(.runnable, ran: min(time, 100) + time.saturatingDifference(250), queued: time < 250 ? 0 : 150)
        }
        #expect(report.hang.verdict == .running && report.blamed == cart)
        #expect(report.hang.attribution == .inBody && report.addsUp)
        #expect(report.hang.unattributedNanoseconds == 0 && report.hang.starvedNanoseconds == WatchdogScript.span(150))
    }

    @Test("is stopped if a signal stopped it; such a hang counts for none and blames nobody")
    mutating func stopped() throws {
        let report = try hang(1_000) { app, time in
            let isStopped = time > 60 && time < 950
            app.thread(isStopped ? .stopped : .runnable, ran: time <= 60 ? time : 60 + time.saturatingDifference(950))
        }
        #expect(report.hang.verdict == .stopped && !report.hang.counts && report.blamed == nil && report.addsUp)
        #expect((report.hang.unattributedNanoseconds ?? 0) >= WatchdogScript.span(800))
    }

    @Test("is stopped and counts where the rest alone is a hang, whose time it does not have in it")
    mutating func stoppedInPart() throws {
        let report = try hang(1_400) { app, time in
            let isStopped = (300..<1_200).contains(time)
            app.thread(isStopped ? .stopped : .runnable, ran: min(time, 300) + time.saturatingDifference(1_200))
        }
        #expect(report.hang.verdict == .stopped && report.hang.counts && report.blamed == cart && report.addsUp)
        #expect((880...920).contains(report.hang.stoppedNanoseconds / 1_000_000), "\(report.hang.stoppedNanoseconds)")
        #expect(report.views.shares[0].nanoseconds + report.hang.stoppedNanoseconds <= report.hang.durationNanoseconds)
    }

    @Test("has all time without a processor, of a thread that runs and waits its turn between two looks")
    mutating func alternating() throws {
        let report = try alternates(for: 840)
        #expect((595...630).contains(report.hang.starvedNanoseconds / 1_000_000), "\(report.hang.starvedNanoseconds)")
        #expect(report.hang.verdict == .starved && report.blamed == cart)
    }

    @Test("is running where it would be a hang without the wait for a processor, however long that was")
    mutating func starvedBesideHang() throws {
        let report = try alternates(for: 1_200)
        #expect((870...900).contains(report.hang.starvedNanoseconds / 1_000_000), "\(report.hang.starvedNanoseconds)")
        #expect(report.hang.verdict == .running && report.blamed == cart)
    }

    /// Runs 3 ms and waits 9: the kernel counts a wait when it is over.
    private mutating func alternates(for length: UInt64) throws -> SeenHang {
        try hang(length) { app, time in
            let (periods, rest) = (time / 12, time % 12)
            app.thread(.runnable, ran: periods * 3 + min(rest, 3), queued: periods * 9)
        }
    }

    @Test("names no view with less than a fifth, also where the process was stopped for most of it")
    mutating func stoppedForMost() throws {
        let report = try hang(2_200) { app, time in
            let isStopped = (300..<2_100).contains(time)
            app.thread(isStopped ? .stopped : .runnable, ran: min(time, 300) + time.saturatingDifference(2_100))
        }
        #expect(report.hang.counts && report.views.shares[0].nanoseconds < report.hang.durationNanoseconds / 5)
        #expect(report.blamed == nil)
    }

    @Test("is that of the rest where the process was stopped in a hang of its own")
    mutating func partlyStopped() throws {
        let report = try hang(1_000) { app, time in
            let isStopped = time > 600 && time < 700
            app.thread(
                isStopped ? .stopped : .runnable, ran: min(time, 600) + time.saturatingDifference(700))
        }
        #expect(report.hang.verdict == .running && report.hang.counts && report.blamed == cart && report.addsUp)
        #expect(report.milliseconds == 1_000)
    }

    @Test("is suspended if the machine slept meanwhile and the rest is no hang")
    mutating func suspended() throws {
        app.begin(turn: 1, at: 0)
        app.thread(.runnable, ran: 0)
        _ = app.observe(from: 10, to: 50) { $0.thread(.runnable, ran: $1) }
        // Freezing and thawing took 300 ms of the monotonic clock.
        app.slept = 60_000
        app.thread(.runnable, ran: 60)
        _ = app.observe(at: 350, late: true)
        app.end(at: 360)
        let report = try #require(app.observe(at: 361).closed.first)
        #expect(report.hang.verdict == .suspended && !report.hang.counts && report.blamed == nil)
    }

    @Test("is unknown if nobody looked for most of the time")
    mutating func late() throws {
        app.begin(turn: 1, at: 0)
        app.thread(.runnable, ran: 0)
        _ = app.observe(at: 40)
        app.thread(.waiting, ran: 10)
        _ = app.observe(at: 700, late: true)
        app.end(at: 710)
        let report = try #require(app.observe(at: 715).closed.first)
        #expect(report.hang.verdict == .unknown && report.hang.counts && report.milliseconds == 710)
    }

    @Test("is known however late one looked if the thread did not run in between")
    mutating func lateButStill() throws {
        app.begin(turn: 1, at: 0)
        app.thread(.waiting, ran: 3, in: "read")
        _ = app.observe(at: 40)
        _ = app.observe(at: 700, late: true)
        app.end(at: 710)
        let report = try #require(app.observe(at: 715).closed.first)
        #expect(report.hang.verdict == .blocked && report.hang.waitingOn == "read")
    }

    @Test("is unknown where the thread cannot be looked at")
    mutating func unreadable() throws {
        let report = try hang { _, _ in }
        #expect(report.hang.verdict == .unknown && report.blamed == cart && report.hang.counts)
    }
}
