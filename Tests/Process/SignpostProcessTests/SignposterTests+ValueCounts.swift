// SPDX-License-Identifier: MIT
// Whether each event has as many values as fields. No session records: the events are switched on by hand.

import CSignpost
import RerenderModel
import TestSupport
import TestTraits
import Testing

@_spi(Bridge) @testable import Rerender
@testable import RerenderDaemon
@testable import Signpost

extension SignposterTests {
    @Test(
        "each event of Rerender's own has a value for each field, and one that has not is counted", .promise,
        .enabled(if: LTTngDaemon.isInstalled, "needs LTTng"))
    func ownEvents() async {
        await #expect(processExitsWith: .success) {
            let signposter = Signposter(subsystem: "test.values", category: "Own")
            var error: CInt = 0
            let named = Provider.named("test.values.Own", error: &error)
            let providers = Provider.Shape.allCases.map(Provider.reserved).filter(\.exists) + [named]
            precondition(SwitchedOn.isReady())
            for provider in providers { SwitchedOn.begin(provider) }

            signposter.endInterval("work", signposter.beginInterval("work", "message"))
            signposter.emitEvent("work")
            let store = RerenderStore(name: "values")
            store.evaluate("Outer") { store.evaluate("Inner", reason: "tap") {} }
            store.committed("Inner", changed: false)
            store.ended("Inner")
            WriteSignpost.emit(name: "model.value", writer: "write()", views: 1)
            TurnSignpost.begin(1)
            TurnSignpost.end(1, evaluations: 2)
            await MainActor.run {
                let phase = PhaseSignpost()
                phase.begin("commit", turn: 1)
                phase.end("commit", turn: 1)
            }
            let hang = Hang(id: 1, pid: 1, process: "app", startedAt: .now, turn: 1)
            HangSignposts().began(hang, startedAt: 0)
            HangSignposts().ended(hang, startedAt: 0)
            HangSignposts().dropped(hang)
            precondition(SignpostTracing.status.mismatched == 0)

            named.emit(.event, [.number(1)])
            precondition(SignpostTracing.status.mismatched == 1)
        }
    }

    @Test("an event with a value too few or too many is counted, and so is one that its provider has not")
    func otherCounts() async {
        await #expect(processExitsWith: .success) {
            let shapes = Provider.Shape.allCases.map(\.rawValue)
            let providers = shapes.compactMap { csignpost_provider_make("test.values.\($0)", $0, nil) }
            // After that, the tracer switches nothing off that is switched on here.
            _ = SwitchedOn.isReady()
            var wrong = 0
            for (shape, provider) in zip(shapes, providers) {
                for kind in 0..<CInt(CSIGNPOST_KINDS) {
                    let fields = (0...).first { csignpost_field(shape, kind, $0) == nil } ?? 0
                    let values = [csignpost_value](repeating: csignpost_value(number: 1, text: nil), count: fields + 1)
                    for count in Set([max(0, fields - 1), fields + 1]) {
                        SwitchedOn.begin(csignpost_state(provider, kind))
                        csignpost_emit(provider, kind, values, count)
                        wrong += 1
                        precondition(SignpostTracing.status.mismatched == wrong)
                    }
                }
            }
            precondition(wrong == 42 && providers.count == shapes.count)
        }
    }
}

/// Events that are packed for no session.
private enum SwitchedOn {
    /// Whether all providers are known to the tracer: it then switches events off only for sessions that end.
    static func isReady() -> Bool { SignpostTracing.waitUntilReady(milliseconds: 60_000) == .ready }

    static func begin(_ provider: Provider) {
        for state in [provider.begin, provider.end, provider.event] { begin(state) }
    }

    static func begin(_ state: UnsafePointer<CInt>) { UnsafeMutablePointer(mutating: state).pointee = 1 }
}
