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

    @Test func observableInAScopeEvaluatesItOnlyWhenAReadPropertyChangesAndTheParentNever() {
        let model = Model()
        let bodies = Bodies()
        let stage = Stage(Observing(bodies: bodies).environment(model))
        #expect(bodies.take() == ["parent": 1, "count": 1, "text": 1])
        #expect(stage.screen == "count 0\n[a_]")
        _ = stage.takeEvaluations()
        stage.tap("count")
        #expect(stage.screen == "count 1\n[a_]")
        #expect(bodies.take() == ["count": 1])
        #expect(stage.takeEvaluations() == ["ScopeView"])
        stage.type("b", into: "Text")
        #expect(stage.screen == "count 1\n[ab_]")
        // The scope only makes a binding; it is the field that reads the text.
        #expect(bodies.take() == [:])
        #expect(stage.takeEvaluations() == ["TextField"])
        stage.act { model.count = 1 }
        #expect(bodies.take() == [:], "the same value")
    }

    @Test func observableInTheEnvironmentEvaluatesTheViewOnEveryChangeOfAReadProperty() {
        struct Direct: View {
            @Environment(Model.self) private var model
            let bodies: Bodies
            var body: some View {
                bodies.add("parent")
                return VStack(alignment: .leading) {
                    Button("count \(model.count)") { model.count += 1 }
                    TextField("Text", text: Bindable(model).text)
                }
            }
        }
        let model = Model()
        let bodies = Bodies()
        let stage = Stage(Direct(bodies: bodies).environment(model))
        _ = bodies.take()
        stage.act { model.count += 1 }
        #expect(bodies.take() == ["parent": 1])
        stage.act { model.text += "b" }
        #expect(bodies.take() == [:])
        #expect(stage.screen == "count 1\n[ab_]")
    }

    @Test func anObjectInAScopeEvaluatesItOnEveryChangeAndTheParentNever() {
        let model = LegacyModel()
        let bodies = Bodies()
        let stage = Stage(Legacy(bodies: bodies).environmentObject(model))
        #expect(bodies.take() == ["parent": 1, "count": 1, "text": 1])
        _ = stage.takeEvaluations()
        stage.tap("count")
        #expect(stage.screen == "count 1\n[a_]")
        #expect(bodies.take() == ["count": 1, "text": 1])
        #expect(stage.takeEvaluations() == ["ScopeView", "ScopeView"])
        stage.type("b", into: "Text")
        #expect(stage.screen == "count 1\n[ab_]")
        #expect(bodies.take() == ["count": 1, "text": 1])
        #expect(stage.takeEvaluations() == ["ScopeView", "ScopeView", "TextField"])
        stage.act { model.count += 0 }
        #expect(bodies.take() == ["count": 1, "text": 1], "an object tells of every set")
    }

    @Test func anObjectInTheEnvironmentEvaluatesTheViewOnEveryChange() {
        struct Direct: View {
            @EnvironmentObject private var model: LegacyModel
            let bodies: Bodies
            var body: some View {
                bodies.add("parent")
                return Text(model.text)
            }
        }
        let model = LegacyModel()
        let bodies = Bodies()
        let stage = Stage(Direct(bodies: bodies).environmentObject(model))
        _ = bodies.take()
        // A property that the view does not use.
        stage.act { model.count += 1 }
        #expect(bodies.take() == ["parent": 1])
        stage.act { model.text = "a" }
        #expect(bodies.take() == ["parent": 1])
        #expect(stage.screen == "a")
    }

    @Test func theSecondParameterIsBindableOrTheObjectsWrapper() {
        var types: [String] = []
        let stage = Stage(
            VStack(alignment: .leading) {
                ScopeView(Model.self) { model, projected in
                    types.append("\(type(of: model)) \(type(of: projected))")
                    return Switch(label: "odd", isOn: projected.count.isOdd)
                }
                ScopeView(LegacyModel.self) { model, projected in
                    types.append("\(type(of: model)) \(type(of: projected))")
                    return Switch(label: "legacy", isOn: projected.count.isOdd)
                }
            }
            .environment(Model())
            .environmentObject(LegacyModel()))
        #expect(types == ["Model Bindable<Model>", "LegacyModel Wrapper"])
        let wrapper: EnvironmentObject<LegacyModel>.Wrapper.Type? = EnvironmentObject<LegacyModel>.Wrapper.self
        #expect(wrapper != nil)
        stage.tap("odd")
        stage.tap("legacy")
        #expect(stage.screen == "[x] odd\n[x] legacy")
    }

    private struct Outer: View {
        let bodies: Bodies
        @State private var factor = 1
        @State private var model = Model()
        var body: some View {
            VStack(alignment: .leading) {
                ScopeView(Model.self) { [factor] model, _ in
                    bodies.add("product")
                    return Text("\(model.count * factor)")
                }
                ScopeView(Model.self) { model, _ in Text("plain \(model.count)") }
                Button("factor") { factor += 1 }
                Button("model") {
                    model = Model()
                    model.count = 7
                }
                Button("count") { model.count += 1 }
            }
            .environment(model)
        }
    }

    @Test func aScopeTakesUpWhatItsParentGivesItAndAnotherModel() {
        let bodies = Bodies()
        let stage = Stage(Outer(bodies: bodies))
        stage.tap("count")
        #expect(stage.screen.hasPrefix("1\nplain 1"))
        _ = stage.takeEvaluations()
        stage.tap("factor")
        #expect(stage.screen.hasPrefix("2\nplain 1"))
        #expect(stage.takeEvaluations() == ["Outer", "ScopeView", "ScopeView"], "a closure is never the same input")
        stage.tap("model")
        #expect(stage.screen.hasPrefix("14\nplain 7"))
        _ = bodies.take()
        stage.tap("count")
        #expect(stage.screen.hasPrefix("16\nplain 8"))
        #expect(bodies.take() == ["product": 1])
    }

    @Test func aScopeThatIsGoneIsNotEvaluated() {
        struct Parted: View {
            let bodies: Bodies
            @State private var isShown = true
            var body: some View {
                VStack {
                    if isShown { Legacy(bodies: bodies) }
                    Button("toggle") { isShown.toggle() }
                }
            }
        }
        let model = LegacyModel()
        let bodies = Bodies()
        let stage = Stage(Parted(bodies: bodies).environmentObject(model))
        stage.tap("toggle")
        _ = bodies.take()
        _ = stage.takeEvents()
        stage.act { model.count += 1 }
        #expect(bodies.take() == [:])
        #expect(stage.takeEvents().allSatisfy { if case .invalidated = $0 { false } else { true } })
    }

    @Test func scopesSayWhatChangedByTheModelsName() {
        let model = LegacyModel()
        let stage = Stage(Legacy(bodies: Bodies()).environmentObject(model))
        _ = stage.takeEvents()
        stage.act { model.count += 1 }
        let causes = stage.takeEvents().compactMap { event -> String? in
            if case .evaluated(let node, let causes) = event { "\(node.name) \(causes)" } else { nil }
        }
        #expect(causes == ["ScopeView [object model.count]", "ScopeView [object model.count]"])
    }
}

extension Int {
    fileprivate var isOdd: Bool {
        get { !isMultiple(of: 2) }
        set { self = newValue == isOdd ? self : self + 1 }
    }
}
