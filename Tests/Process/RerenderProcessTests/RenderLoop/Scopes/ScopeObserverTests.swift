// SPDX-License-Identifier: MIT
// Reactions to models beside the views: what fires, what does not, and that no body is evaluated for it.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Model {
    struct Pair: Equatable {
        var left = 0
        var right = 0
    }

    var count = 0
    var pair = Pair()
    var other = 0
}

@MainActor
private final class LegacyModel: ObservableObject {
    @Published var count = 0
    @Published var other = 0
}

@MainActor
@Suite struct ScopeObserverTests {
    /// What the actions were called with, and how often the body ran; counted by themselves.
    @MainActor
    private final class Log {
        var changes: [String] = []
        var bodies = 0
        func take() -> [String] {
            defer { changes = [] }
            return changes
        }
    }

    private struct Observing: View {
        let log: Log
        var body: some View {
            log.bodies += 1
            return Text("a")
                .onChange(of: \.count, in: Model.self) { log.changes.append("count \($0) → \($1)") }
                .onChange(of: \.pair, in: Model.self) { log.changes.append("pair \($0.left) → \($1.left)") }
        }
    }

    private struct Receiving: View {
        let log: Log
        var body: some View {
            log.bodies += 1
            return Text("a").onReceive(of: \.$count, in: LegacyModel.self) { log.changes.append("\($0)") }
        }
    }

    @Test func aMissingModelIsNamedWithTheModifierAndItsView() async {
        let change = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Observing(log: Log())) }
        }
        let receive = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Receiving(log: Log())) }
        }
        let texts = [change, receive].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
        #expect(texts[0].contains("no Model in the environment of onChange(of: Pair, in: Model) in Observing"))
        #expect(
            texts[1].contains("no LegacyModel in the environment of onReceive(of: Int, in: LegacyModel) in Receiving"))
    }
}
