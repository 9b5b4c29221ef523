// SPDX-License-Identifier: MIT
// Scopes without their model: the program ends, and says which it is.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Model {
    var count = 0
}

@MainActor
private final class LegacyModel: ObservableObject {
    @Published var count = 0
}

@MainActor
@Suite struct ScopeViewTests {
    private struct Observing: View {
        var body: some View { ScopeView(Model.self) { model, _ in Text("\(model.count)") } }
    }

    private struct Legacy: View {
        var body: some View { ScopeView(LegacyModel.self) { model, _ in Text("\(model.count)") } }
    }

    @Test func aMissingModelIsNamedWithTheScopeAndTheViewAroundIt() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Observing().environmentObject(LegacyModel())) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "no Model in the environment of ScopeView in Observing: put one there with .environment(_:)"),
            "\(text.prefix(500))")
    }

    @Test func aMissingObjectIsNamedWithTheScopeAndTheViewAroundIt() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Legacy().environment(Model())) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "no LegacyModel in the environment of ScopeView in Legacy: put one there with .environmentObject(_:)"),
            "\(text.prefix(500))")
    }
}
