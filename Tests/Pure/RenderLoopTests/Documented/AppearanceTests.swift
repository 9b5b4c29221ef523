// SPDX-License-Identifier: MIT
// Views that disappear and appear again with their identity and state kept: the pages of a tab view.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct AppearanceTests {
    /// What happened, in order.
    @MainActor
    final class Notes {
        var all: [String] = []
        func take() -> [String] {
            defer { all = [] }
            return all
        }
    }

    private struct Page: View {
        let name: String
        let notes: Notes
        @State private var count = 0
        @State private var hasMore = false
        var body: some View {
            VStack(alignment: .leading) {
                Text("\(name) \(count)").onAppear { notes.all.append("\(name) inner") }
                Button("count \(name)") { count += 1 }.inputName("count \(name)")
                Button("more \(name)") { hasMore.toggle() }.inputName("more \(name)")
                if hasMore {
                    Text("more")
                        .onAppear { notes.all.append("\(name) more") }
                        .onDisappear { notes.all.append("\(name) less") }
                }
            }
            .onAppear { notes.all.append("\(name) appears") }
            .onFirstAppear { notes.all.append("\(name) first") }
            .onDisappear { notes.all.append("\(name) disappears") }
        }
    }

    private final class Selection {
        var page: Binding<Int>?
        init() {}
    }

    private struct Screen: View {
        let notes: Notes
        let selection: Selection
        @State private var page = 1
        @State private var isThere = true
        var body: some View {
            let _ = selection.page = $page
            VStack(alignment: .leading) {
                Button("remove") { isThere.toggle() }
                if isThere {
                    TabView(selection: $page) {
                        Page(name: "A", notes: notes).tag(1)
                        Page(name: "B", notes: notes).tag(2)
                        ForEach(10..<12) { Page(name: "R\($0)", notes: notes) }
                    }
                }
            }
        }
    }

    private func stage(_ notes: Notes) -> (Stage, @MainActor (Int) -> Void) {
        let selection = Selection()
        let stage = Stage(Screen(notes: notes, selection: selection))
        return (stage, { page in stage.act { selection.page?.wrappedValue = page } })
    }

    @Test func aPageThatIsShownAgainAppearsAndKeepsItsState() {
        let notes = Notes()
        let (stage, select) = stage(notes)
        #expect(notes.take() == ["A first", "A appears", "A inner"], "a page that is not selected is not made")
        stage.tap("count A")
        select(2)
        #expect(stage.screen.hasPrefix("remove\nB 0"))
        #expect(notes.take() == ["B first", "B appears", "B inner", "A disappears"])
        select(1)
        #expect(stage.screen.hasPrefix("remove\nA 1"), "its state is as it was")
        #expect(notes.take() == ["A appears", "A inner", "B disappears"])
        select(11)
        #expect(notes.take() == ["R11 first", "R11 appears", "R11 inner", "A disappears"])
        select(7)
        #expect(stage.screen == "remove", "there is no such page")
        #expect(notes.take() == ["R11 disappears"])
        select(1)
        #expect(notes.take() == ["A appears", "A inner"])
        stage.tap("remove")
        #expect(notes.take() == ["A disappears"], "those that had disappeared do not do so again")
    }

    @Test func whatComesAndGoesInAHiddenPageAppearsWithIt() {
        let notes = Notes()
        let (stage, select) = stage(notes)
        stage.tap("more A")
        #expect(notes.take().last == "A more")
        select(2)
        #expect(notes.take().suffix(2) == ["A disappears", "A less"])
        stage.tap("count A")
        stage.tap("more A")
        select(1)
        #expect(stage.screen.hasPrefix("remove\nA 0"), "a hidden control takes no input")
        #expect(notes.take() == ["A appears", "A inner", "A more", "B disappears"])
    }

    private struct Hidden: View {
        let notes: Notes
        let model: Model
        var body: some View {
            VStack {
                Text("\(model.number)").onChange(of: model.number) { notes.all.append("change") }
                if model.number == 2 { Text("two").onAppear { notes.all.append("two") } }
            }
        }
    }

    @Observable
    @MainActor
    final class Model {
        var number = 0
        var page = 1
    }

    private struct ModelScreen: View {
        let notes: Notes
        @Bindable var model: Model
        var body: some View {
            TabView(selection: $model.page) {
                Hidden(notes: notes, model: model).tag(1)
                Text("other").tag(2)
            }
        }
    }

    @Test func aHiddenPageIsKeptUpToDate() {
        let (notes, model) = (Notes(), Model())
        let stage = Stage(ModelScreen(notes: notes, model: model))
        stage.act { model.page = 2 }
        #expect(stage.screen == "other")
        stage.act { model.number = 2 }
        #expect(stage.screen == "other")
        #expect(notes.take() == ["change"], "what is new has not appeared")
        stage.act { model.page = 1 }
        #expect(notes.take() == ["two"])
        #expect(stage.screen == " 2\ntwo")
    }

    // MARK: Tasks

    private struct Working: View {
        let notes: Notes
        let model: Model
        @State private var result = 0
        var body: some View {
            Text("\(result)")
                .task(id: model.number) {
                    let number = model.number
                    notes.all.append("begin \(number)")
                    result = number
                    await untilCancelled()
                    notes.all.append("end \(number) \(Task.isCancelled)")
                }
        }
    }

    private struct WorkScreen: View {
        let notes: Notes
        @Bindable var model: Model
        var body: some View {
            TabView(selection: $model.page) {
                Working(notes: notes, model: model).tag(1)
                Text("other").tag(2)
            }
        }
    }

    @Test func aTaskRunsWhileItsViewIsShownAndAnewForAnotherId() async {
        let (notes, model) = (Notes(), Model())
        model.number = 1
        let stage = Stage(WorkScreen(notes: notes, model: model))
        await stage.settleOthers()
        #expect(notes.take() == ["begin 1"])
        #expect(stage.screen == "1")
        stage.act { model.number = 2 }
        await stage.settleOthers()
        // Which of two tasks goes on first is up to the executor.
        #expect(notes.take().sorted() == ["begin 2", "end 1 true"])
        stage.act { model.page = 2 }
        await stage.settleOthers()
        #expect(notes.take() == ["end 2 true"])
        stage.act { model.page = 1 }
        await stage.settleOthers()
        #expect(notes.take() == ["begin 2"])
    }

    /// Its task's id takes three values in one turn, and its page comes and goes as often.
    private struct Restarting: View {
        let notes: Notes
        let model: Model
        @State private var first = 0
        @State private var second = 0
        var body: some View {
            Text("\(model.number + first + second)")
                .onChange(of: model.number) { first += 1 }
                .onChange(of: first) { second += 1 }
                .task(id: model.number + first + second) {
                    let number = model.number + first + second
                    notes.all.append("begin \(number) \(Task.isCancelled)")
                    await untilCancelled()
                    notes.all.append("end")
                }
        }
    }

    @Test func aTaskIsThereForTheLastIdHoweverOftenThatChangesInATurn() async {
        let (notes, model) = (Notes(), Model())
        model.number = 1
        let stage = Stage(Restarting(notes: notes, model: model))
        await stage.settleOthers()
        #expect(notes.all == ["begin 1 false"])
        stage.act { model.number = 2 }
        #expect(stage.screen == "4")
        await stage.settleOthers()
        #expect(notes.all.contains("begin 4 false"))
        #expect(stage.warnings == [])
    }

    private struct Redirecting: View {
        let notes: Notes
        @Bindable var model: Model
        var body: some View {
            TabView(selection: $model.page) {
                Text("home")
                    .onAppear {
                        guard model.number > 0 else { return }
                        model.number -= 1
                        model.page = 2
                    }
                    .task {
                        notes.all.append("begin \(Task.isCancelled)")
                        await untilCancelled()
                    }
                    .tag(1)
                Text("other").onAppear { model.page = 1 }.tag(2)
            }
        }
    }

    @Test func aTaskIsThereHoweverOftenItsPageComesAndGoesInATurn() async {
        let (notes, model) = (Notes(), Model())
        model.number = 0
        let stage = Stage(Redirecting(notes: notes, model: model))
        await stage.settleOthers()
        #expect(notes.take() == ["begin false"])
        stage.act {
            model.number = 2
            model.page = 2
        }
        #expect(stage.screen == "home" && model.number == 0)
        await stage.settleOthers()
        #expect(notes.all.contains("begin false"), "a task that is not cancelled")
    }
}
