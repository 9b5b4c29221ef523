// SPDX-License-Identifier: MIT
// Scopes: who is evaluated when a model changes. The first four tests are the rows of ScopeKit's summary table.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Model {
    var count = 0
    var text = "a"
}

@MainActor
private final class LegacyModel: ObservableObject {
    @Published var count = 0
    @Published var text = "a"
}

/// Bodies count themselves here.
@MainActor
private final class Bodies {
    private var counts: [String: Int] = [:]
    func add(_ name: String) { counts[name, default: 0] += 1 }
    func take() -> [String: Int] {
        defer { counts = [:] }
        return counts
    }
}

@MainActor
@Suite struct ScopeViewTests {
    private struct Observing: View {
        let bodies: Bodies
        var body: some View {
            bodies.add("parent")
            return VStack(alignment: .leading) {
                ScopeView(Model.self) { model, _ in
                    bodies.add("count")
                    return Button("count \(model.count)") { model.count += 1 }.inputName("count")
                }
                ScopeView(Model.self) { _, projected in
                    bodies.add("text")
                    return TextField("Text", text: projected.text)
                }
            }
        }
    }

    private struct Legacy: View {
        let bodies: Bodies
        var body: some View {
            bodies.add("parent")
            return VStack(alignment: .leading) {
                ScopeView(LegacyModel.self) { model, _ in
                    bodies.add("count")
                    return Button("count \(model.count)") { model.count += 1 }.inputName("count")
                }
                ScopeView(LegacyModel.self) { _, projected in
                    bodies.add("text")
                    return TextField("Text", text: projected.text)
                }
            }
        }
    }

    @Test func aMissingModelIsNamedWithTheScopeAndTheViewAroundIt() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                _ = Stage(Observing(bodies: Bodies()).environmentObject(LegacyModel()))
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "no Model in the environment of ScopeView in Observing: put one there with .environment(_:)"),
            "\(text.prefix(500))")
    }

    @Test func aMissingObjectIsNamedWithTheScopeAndTheViewAroundIt() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Legacy(bodies: Bodies()).environment(Model())) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "no LegacyModel in the environment of ScopeView in Legacy: put one there with .environmentObject(_:)"),
            "\(text.prefix(500))")
    }
}
