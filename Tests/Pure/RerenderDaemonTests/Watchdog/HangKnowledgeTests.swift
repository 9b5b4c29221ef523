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
        #expect(later.count > 3 && later.allSatisfy { $0.blamed == spin && $0.hang.guess && $0.addsUp }, "\(later)")
        app.reading.hangThresholdMilliseconds = 700
        app.end(at: 910) { ($0.inBody, $0.shares) = (spin, [.of(spin, 900)]) }
        let closed = try #require(app.observe(at: 911).closed.first)
        #expect(closed.blamed == spin && !closed.hang.guess)
    }

    @Test("is what an earlier look showed, and a guess, where the last one could not read the times")
    mutating func lostTable() throws {
        _ = hang(until: 400)
        _ = app.detector.observe(HangDetector.Observation(app.reading, now: WatchdogScript.at(410))) { 9 }
        let report = try #require(app.detector.end(exited: false).closed.first)
        #expect(report.blamed == spin && report.hang.guess && report.milliseconds == 410 && report.addsUp)
    }
}
