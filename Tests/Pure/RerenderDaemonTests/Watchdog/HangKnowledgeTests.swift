// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

private let spin = FlightView.watched(1, "Spin")

@Suite("What is known of the bodies in a hang")
struct HangKnowledgeTests {
    var app = WatchdogScript()

    /// A turn in which one body runs from 10 ms on, looked at up to `last`.
    private mutating func hang(until last: UInt64) -> [DetectorEvent] {
        app.begin(turn: 1, at: 0)
        app.run(spin, since: 10)
        return app.observe(from: 10, to: last)
    }

    @Test("gets no less where the threshold is raised while the hang lasts")
    mutating func raisedThreshold() throws {
        _ = hang(until: 400)
        app.reading.hangThresholdMilliseconds = 5_000
        let later = app.observe(from: 410, to: 900).updated
        #expect(later.count > 3 && later.allSatisfy { $0.view == spin && $0.isGuess && $0.addsUp }, "\(later)")
        app.reading.hangThresholdMilliseconds = 700
        app.end(at: 910) { ($0.inBody, $0.shares) = (spin, [.of(spin, 900)]) }
        let closed = try #require(app.observe(at: 911).closed.first)
        #expect(closed.view == spin && !closed.isGuess)
    }

    @Test("is nothing, and a guess, after a restart of the daemon without another look")
    mutating func restartWithoutLook() throws {
        #expect(hang(until: 400).opened.count == 1)
        app.detector = HangDetector(resuming: app.detector.mark)
        guard case .closed(let report)? = app.detector.end(exited: false).first else { throw Missing() }
        #expect(report.unattributed == nil && report.shares.isEmpty && report.view == nil && report.isGuess)
        #expect(report.ended == .killed && report.milliseconds == 400)
    }

    @Test("reaches to the last moment at which another daemon saw the process live, though its page was written before")
    mutating func restartAfterDeath() throws {
        _ = hang(until: 400)
        var detector = HangDetector(resuming: app.detector.mark)
        // As a page is read after its process has died: up to its latest stamp.
        var observation = HangDetector.Observation(app.reading, now: WatchdogScript.at(10))
        observation.shares = TurnShares()
        observation.shares?.turn = 1
        _ = detector.observe(observation) { 9 }
        guard case .closed(let report)? = detector.end(exited: false).first else { throw Missing() }
        #expect(report.milliseconds == 400 && report.shares == [.of(spin, 390)] && report.addsUp)
        #expect(report.view == spin && !report.isGuess)
    }

    @Test("is what an earlier look showed, and a guess, where the last one could not read the times")
    mutating func lostTable() throws {
        _ = hang(until: 400)
        _ = app.detector.observe(HangDetector.Observation(app.reading, now: WatchdogScript.at(410))) { 9 }
        guard case .closed(let report)? = app.detector.end(exited: false).first else { throw Missing() }
        #expect(report.view == spin && report.isGuess && report.milliseconds == 410 && report.addsUp)
    }

    private struct Missing: Error {}
}
