// SPDX-License-Identifier: MIT
// Bindings of a collection's elements: `ForEach($items)`.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct BoundElementTests {
    fileprivate struct Item: Identifiable, Equatable {
        let id: Int
        var name: String
        var isOn = false
    }

    private struct Row: View {
        @Binding var item: Item
        var body: some View {
            HStack {
                Text(item.name)
                Toggle("t\(item.id)", isOn: $item.isOn)
            }
        }
    }

    private static let three = [Item(id: 1, name: "a"), Item(id: 2, name: "b"), Item(id: 3, name: "c")]

    private struct Screen: View {
        @State private var items = BoundElementTests.three
        var body: some View {
            VStack(alignment: .leading) {
                ForEach($items) { $item in Row(item: $item) }
                Button("reverse") { items.reverse() }
                Button("drop") { items.removeFirst() }
            }
        }
    }

    @Test func aWriteToAnElementEvaluatesItsRowAlone() {
        let stage = Stage(Screen())
        #expect(stage.screen.hasPrefix("a [ ] t1\nb [ ] t2\nc [ ] t3"))
        _ = stage.takeEvaluations()
        stage.tap("t2")
        #expect(stage.screen.hasPrefix("a [ ] t1\nb [x] t2\nc [ ] t3"))
        #expect(Set(stage.takeEvaluations()).subtracting(["ForEachElement"]) == ["Row", "Toggle"])
        stage.tap("t2")
        #expect(stage.takeEvaluations().filter { $0 == "Row" }.count == 1)
        #expect(stage.warnings == [])
    }

    @Test func aBindingFindsItsElementWhereverItIs() {
        let stage = Stage(Screen())
        stage.tap("reverse")
        #expect(stage.screen.hasPrefix("c [ ] t3\nb [ ] t2\na [ ] t1"))
        stage.tap("t3")
        #expect(stage.screen.hasPrefix("c [x] t3\nb [ ] t2\na [ ] t1"))
        stage.tap("drop")
        #expect(stage.screen.hasPrefix("b [ ] t2\na [ ] t1"))
        stage.tap("t1")
        #expect(stage.screen.hasPrefix("b [ ] t2\na [x] t1"))
    }

    private struct Lists: View {
        @State private var items = BoundElementTests.three
        var body: some View {
            VStack(alignment: .leading) {
                List($items) { $item in Row(item: $item) }.frame(height: 4)
                ScrollView { LazyVStack { ForEach($items) { $item in Text(item.isOn ? "on" : "off") } } }
                Button("drop") { items.removeFirst() }
            }
        }
    }

    @Test func listsAndLazyStacksFollowTheElements() {
        let stage = Stage(Lists(), width: 9, height: 9)
        #expect(stage.screen.contains("b [ ] t2\nc [ ] t3\n"))
        _ = stage.takeEvaluations()
        stage.tap("t2")
        #expect(stage.screen.contains("a [ ] t1\nb [x] t2\nc [ ] t3\n"))
        #expect(stage.screen.contains("off\n   on\n   off"))
        #expect(stage.takeEvaluations().filter { $0 == "Row" }.count == 1)
        stage.tap("drop")
        #expect(stage.screen.hasPrefix("b [x] t2\nc [ ] t3\n\n"))
        #expect(stage.screen.contains("\n   on\n   off"))
    }

    @MainActor
    @Observable
    fileprivate final class Model {
        var items = BoundElementTests.three
    }

    private struct OfModel: View {
        @Bindable var model: Model
        var body: some View { VStack { ForEach($model.items) { $item in Row(item: $item) } } }
    }

    @Test func elementsOfAModelAreFollowedToo() {
        let model = Model()
        let stage = Stage(OfModel(model: model))
        _ = stage.takeEvaluations()
        stage.tap("t3")
        #expect(model.items[2].isOn)
        #expect(Set(stage.takeEvaluations()).subtracting(["ForEachElement"]) == ["Row", "Toggle"])
        stage.act { model.items[0].name = "z" }
        #expect(stage.screen.hasPrefix("z [ ] t1"))
        #expect(stage.takeEvaluations().filter { $0 == "Row" }.count == 1)
    }

    @Test func aWriteToAnElementThatIsGoneDoesNothing() throws {
        let model = Model()
        var kept: Binding<Item>?
        let stage = Stage(
            VStack { ForEach(Bindable(model).items) { $item in Text(item.name).onAppear { kept = $item } } })
        let binding = try #require(kept)
        stage.act { model.items = [Item(id: 9, name: "new")] }
        stage.act { binding.wrappedValue.name = "lost" }
        #expect(model.items == [Item(id: 9, name: "new")])
        #expect(binding.wrappedValue.id == 3, "the last value that it had")
        #expect(stage.screen == "new")
    }
}
