// SPDX-License-Identifier: MIT
// An app that tracks its own models notices nothing of ours.

import Foundation
import Observation
import Synchronization
import Testing

@testable import Rerender

struct CausesNeutralityTests {
    private final class Count: Sendable {
        let value = Atomic(0)
    }
    private final class Token: Sendable {}

    /// Evaluates as the app alone would, or with ours around.
    private static func evaluate(_ host: Host<Ticker>, probed: Bool, _ body: (Ticker) -> Void) {
        if probed { host.evaluate(body) } else { body(host.view) }
    }

    /// How often the app's own tracking has fired after each step.
    private static func enclosed(probed: Bool) -> [Int] {
        let host = Host(Ticker()), second = Host(host.view)
        let fired = Count()
        var history: [Int] = []
        func track() {
            withObservationTracking {
                evaluate(host, probed: probed) { _ = $0.tick }
                evaluate(second, probed: probed) { _ = $0.engine.rpm }
                _ = host.view.spare
            } onChange: {
                fired.value.add(1, ordering: .relaxed)
            }
        }
        let steps: [() -> Void] = [
            track, { host.view.conceal(1) }, { evaluate(host, probed: probed) { _ = $0.engines } },
            { host.view.engines = [Engine()] }, { host.view.engine.rpm += 1 }, { host.view.tick += 1 }, track,
            { evaluate(host, probed: probed) { _ = $0.tick } }, { host.view.tick += 1 }, { host.view.tick += 1 },
            track, { host.end() }, { second.end() }, { host.view.spare = Engine() }, track, track,
            { host.view.engine = Engine() }, { evaluate(second, probed: probed) { _ = $0.engine.rpm } },
            { host.view.engine.rpm += 1 },
        ]
        for step in steps {
            step()
            history.append(fired.value.load(ordering: .relaxed))
        }
        return history
    }

    @Test func anEnclosingTrackingFiresAsWithoutUs() {
        let alone = Self.enclosed(probed: false)
        #expect(Self.enclosed(probed: true) == alone)
        #expect(alone.last == 5)
    }

    @Test(arguments: [false, true]) func whatAnEnclosingTrackingHoldsEndsWithTheModel(probed: Bool) {
        weak var token: Token?
        weak var model: Ticker?
        var reads: ObservedReads?
        do {
            let ticker = Ticker()
            let held = Token()
            token = held
            model = ticker
            withObservationTracking {
                if probed {
                    ObservedReads.track(reads: &reads) { _ in
                    } _: {
                        _ = ticker.tick
                    }
                } else {
                    _ = ticker.tick
                }
            } onChange: {
                withExtendedLifetime(held) {}
            }
            #expect(token != nil)
        }
        #expect(model == nil)
        #expect(token == nil)
        #expect((reads != nil) == probed)
    }

    @Test func whatEnclosesTheFirstEvaluationOfAThreadEndsWithTheModel() async {
        let isGone = await withCheckedContinuation { continuation in
            Thread {
                weak var token: Token?
                do {
                    let ticker = Ticker(), held = Token()
                    token = held
                    withObservationTracking {
                        Host(ticker).evaluate { _ = $0.tick }
                    } onChange: {
                        withExtendedLifetime(held) {}
                    }
                }
                continuation.resume(returning: token == nil)
            }.start()
        }
        #expect(isGone)
    }

    @Test func whatOursHoldsEndsWithItAndWithTheModel() {
        weak var token: Token?
        let ticker = Ticker()
        func track(_ ticker: Ticker) -> ObservedReads? {
            let held = Token()
            token = held
            var reads: ObservedReads?
            ObservedReads.track(reads: &reads) { _ in
                withExtendedLifetime(held) {}
            } _: {
                _ = ticker.tick
            }
            return reads
        }
        var reads = track(ticker)
        #expect(token != nil && reads != nil)
        reads = nil
        #expect(token == nil)
        reads = track(ticker)
        reads?.cancel()
        #expect(token == nil)
        reads = track(Ticker())
        #expect(token == nil)
    }

    @Test func evaluationsPileNothingUp() {
        let host = Host(Ticker())
        for _ in 0..<1_000 { host.evaluate { _ = ($0.tick, $0.engine.rpm) } }
        host.view.tick = 1
        host.view.engine.rpm = 1
        #expect(host.writes.count == 2)
        host.view.tick = 2
        #expect(host.causes == ["tick", "engine.rpm", "tick"])
        host.end()
        host.view.tick = 3
        #expect(host.writes.count == 3)
    }

    @Test func threadsMayWriteWhileABodyIsEvaluatedAgainAndAgain() async {
        let counters = [SharedCounter(), SharedCounter()]
        struct View { let counters: [SharedCounter] }
        let host = Host(View(counters: counters))
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for round in 0..<5_000 {
                        counters[writer % 2].left = round
                        counters[writer / 2].right = round
                    }
                }
            }
            for _ in 0..<2_000 { host.evaluate { view in for one in view.counters { _ = (one.left, one.right) } } }
        }
        host.evaluate { _ = $0.counters[1].left }
        counters[1].left = 1
        #expect(host.causes == ["counters[].left"])
    }
}
