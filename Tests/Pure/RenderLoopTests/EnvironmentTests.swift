// SPDX-License-Identifier: MIT
// The environment, and objects in it.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

private struct TintKey: EnvironmentKey {
    static var defaultValue: String { "none" }
}

private struct SizeKey: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

private struct SpareKey: EnvironmentKey {
    static var defaultValue: Int? { 5 }
}

extension EnvironmentValues {
    fileprivate var spare: Int? {
        get { self[SpareKey.self] }
        set { self[SpareKey.self] = newValue }
    }
    fileprivate var tint: String {
        get { self[TintKey.self] }
        set { self[TintKey.self] = newValue }
    }
    fileprivate var size: Int {
        get { self[SizeKey.self] }
        set { self[SizeKey.self] = newValue }
    }
    /// Leaves the size unset until it is more than 1.
    fileprivate var largeSize: Int {
        get { size }
        set { if newValue > 1 { size = newValue } }
    }
    /// Reads no key.
    fileprivate var constant: String { "constant" }
}

@MainActor
@Observable
private final class Settings {
    var name = "a"
    var unread = 0
}

@MainActor
private final class Cart: ObservableObject {
    @Published var total = 0
    @Published var note = ""
}

@MainActor
@Suite struct EnvironmentTests {
    private struct Tinted: View {
        @Environment(\.tint) var tint
        var body: some View { Text("tint \(tint)") }
    }

    private struct Sized: View {
        @Environment(\.size) var size
        var body: some View { Text("size \(size)") }
    }

    private struct Screen: View {
        @State private var tint = "red"
        @State private var size = 1
        var body: some View {
            VStack(alignment: .leading) {
                Tinted()
                VStack(alignment: .leading) {
                    Tinted()
                    Sized()
                    Tinted().environment(\.tint, "fixed")
                }
                .transformEnvironment(\.size) { $0 += 10 }
                .environment(\.tint, tint)
                .environment(\.size, size)
                Button("tint") { tint += "!" }
                Button("size") { size += 1 }
            }
        }
    }

    @Test func aChangedValueEvaluatesItsReadersOnly() {
        let stage = Stage(Screen())
        #expect(stage.screen.hasPrefix("tint none\ntint red\nsize 11\ntint fixed"), "\(stage.screen)")
        _ = stage.takeEvaluations()
        stage.tap("tint")
        #expect(stage.screen.hasPrefix("tint none\ntint red!\nsize 11\ntint fixed"), "\(stage.screen)")
        #expect(stage.takeEvaluations() == ["Screen", "Tinted"])
        stage.tap("size")
        #expect(stage.screen.contains("size 12"), "\(stage.screen)")
        #expect(stage.causes == ["Screen [state size]", "Sized [environment size]"])
    }

    private struct BesideConstant: View {
        @Environment(\.tint) var tint
        @Environment(\.constant) var constant
        var body: some View { Text("\(tint) \(constant)") }
    }

    private struct TintedConstant: View {
        @State private var tint = "red"
        var body: some View {
            VStack {
                BesideConstant()
                Button("tint") { tint = "blue" }
            }
            .environment(\.tint, tint)
        }
    }

    @Test func aValueThatReadsNoKeyGivesNoNameToTheOneBefore() {
        let stage = Stage(TintedConstant())
        _ = stage.takeEvents()
        stage.tap("tint")
        #expect(stage.causes == ["TintedConstant [state tint]", "BesideConstant [environment tint]"])
    }

    private struct SetLate: View {
        @State private var size = 1
        var body: some View {
            VStack {
                Tinted()
                Sized()
                Button("size") { size = 3 - size }
            }
            .environment(\.largeSize, size)
        }
    }

    @Test func aKeyThatIsSetLateEvaluatesItsReadersOnly() {
        let stage = Stage(SetLate())
        for size in [2, 0, 2] {
            _ = stage.takeEvents()
            stage.tap("size")
            #expect(stage.screen.contains("size \(size)"), "\(stage.screen)")
            #expect(stage.causes == ["SetLate [state size]", "Sized [environment size]"])
        }
    }

    private struct Spare: View {
        @Environment(\.spare) var spare
        var body: some View { Text("spare \(spare ?? 0)") }
    }

    @Test func anOptionalValueHasItsDefaultWhereNobodySetsItAndNilWhereThatIsSet() {
        #expect(Stage(Spare()).screen == "spare 5")
        #expect(Stage(Spare().environment(\.spare, nil)).screen == "spare 0")
    }

    private struct NameView: View {
        @Environment(Settings.self) var settings
        @Environment(Cart2.self) var missing: Cart2?
        var body: some View { Text("name \(settings.name) \(missing == nil)") }
    }

    @MainActor @Observable fileprivate final class Cart2 {}

    @Test func anObservableModelIsFoundByItsType() {
        let settings = Settings()
        let stage = Stage(VStack { NameView() }.environment(settings))
        _ = stage.takeEvaluations()
        stage.act { settings.name = "b" }
        #expect(stage.screen == "name b true")
        #expect(stage.takeEvaluations() == ["NameView"])
        stage.act { settings.unread += 1 }
        #expect(stage.takeEvaluations() == [])
    }

    private struct Total: View {
        @EnvironmentObject var cart: Cart
        var body: some View { Text("total \(cart.total)") }
    }

    private struct Given: View {
        @ObservedObject var cart: Cart
        var body: some View { Field(note: $cart.note) }
    }

    private struct Field: View {
        @Binding var note: String
        var body: some View { Text("note \(note)") }
    }

    private struct Shop: View {
        @StateObject var cart = Cart()
        let seen: (Cart) -> Void
        var body: some View {
            seen(cart)
            return VStack(alignment: .leading) {
                Total()
                Given(cart: cart)
                Plain(cart: cart)
            }
            .environmentObject(cart)
        }
    }

    private struct Plain: View {
        let cart: Cart
        var body: some View { Text("plain") }
    }

    @Test func everyChangeOfAnObjectEvaluatesThoseWhoObserveIt() {
        var seen: Cart?
        let stage = Stage(Shop { seen = $0 })
        guard let cart = seen else {
            Issue.record("the object was not made")
            return
        }
        #expect(stage.screen == "total 0\nnote\nplain")
        _ = stage.takeEvents()
        stage.act { cart.total = 5 }
        #expect(stage.screen == "total 5\nnote\nplain")
        #expect(
            stage.causes == [
                "Shop [object cart.total]", "Total [object cart.total]", "Given [object cart.total]",
            ])
        stage.act { cart.note = "x" }
        #expect(stage.screen == "total 5\nnote x\nplain")
        #expect(seen === cart, "the view keeps its object")
    }

    private struct Editor: View {
        @Bindable var settings: Settings
        var body: some View {
            VStack {
                Field(note: $settings.name)
                Text("fixed")
            }
        }
    }

    @Test func aBindingToAModelIsReadByWhoeverReadsIt() {
        let settings = Settings()
        let stage = Stage(Editor(settings: settings))
        _ = stage.takeEvaluations()
        stage.act { settings.name = "z" }
        #expect(stage.screen == "note z\nfixed")
        #expect(stage.takeEvaluations() == ["Field"])
    }
}

extension Stage {
    /// What was evaluated since the last call, and why; `takeEvents` begins anew.
    fileprivate var causes: [String] {
        events.compactMap { event in
            if case .evaluated(let node, let causes) = event { "\(node.name) \(causes)" } else { nil }
        }
    }
}
