// SPDX-License-Identifier: MIT
// Reactions to models that are missing: the program ends, and says which it is.

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
    }

    var pair = Pair()
}

@MainActor
private final class LegacyModel: ObservableObject {
    @Published var count = 0
}

@MainActor
@Suite struct ScopeObserverTests {
    private struct Observing: View {
        var body: some View { Text("a").onChange(of: \.pair, in: Model.self) { _, _ in } }
    }

    private struct Receiving: View {
        var body: some View { Text("a").onReceive(of: \.$count, in: LegacyModel.self) { _ in } }
    }

    @Test func aMissingModelIsNamedWithTheModifierAndItsView() async {
        let change = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Observing()) }
        }
        let receive = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Receiving()) }
        }
        let texts = [change, receive].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
        #expect(texts[0].contains("no Model in the environment of onChange(of: Pair, in: Model) in Observing"))
        #expect(
            texts[1].contains("no LegacyModel in the environment of onReceive(of: Int, in: LegacyModel) in Receiving"))
    }
}
