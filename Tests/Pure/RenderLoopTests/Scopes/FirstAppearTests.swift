// SPDX-License-Identifier: MIT
// What runs when a view appears for the first time.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct FirstAppearTests {
    private struct Screen: View {
        let note: @MainActor (String) -> Void
        @State private var id = 1
        @State private var isShown = true
        @State private var count = 0
        var body: some View {
            VStack(alignment: .leading) {
                Text("identified \(count)").onFirstAppear { note("identified") }.id(id)
                if isShown { Text("branch").onFirstAppear { note("branch") } }
                Button("id") { id += 1 }
                Button("toggle") { isShown.toggle() }
                Button("evaluate") { count += 1 }
            }
        }
    }

    @Test func itRunsOncePerIdentityAndAgainAfterAnIdChanges() {
        var notes: [String] = []
        let stage = Stage(Screen { notes.append($0) })
        #expect(notes == ["identified", "branch"])
        stage.tap("evaluate")
        stage.tap("evaluate")
        #expect(stage.screen.hasPrefix("identified 2"))
        #expect(notes == ["identified", "branch"], "evaluating is not appearing")
        stage.tap("id")
        #expect(notes == ["identified", "branch", "identified"])
        stage.tap("toggle")
        #expect(notes.count == 3)
        stage.tap("toggle")
        #expect(notes == ["identified", "branch", "identified", "branch"], "a branch that comes back is a new view")
    }

    @Test func aRowThatIsScrolledBackIntoSightIsANewView() {
        var notes: [Int] = []
        let stage = Stage(
            List(0..<100, id: \.self) { row in Text("row \(row)").onFirstAppear { notes.append(row) } }
                .inputName("list")
                .frame(height: 2))
        stage.send(.scrolled(1), to: "list")
        stage.send(.scrolled(-1), to: "list")
        #expect(notes == [0, 1, 2, 0])
    }

    @Test func itRunsBeforeTheFirstCommitUnderItsOwnName() {
        struct Loading: View {
            @State private var status = "invalid"
            var body: some View { Text(status).onFirstAppear { status = "loading" } }
        }
        let stage = Stage(Loading())
        #expect(stage.renderer.history == ["loading"])
        let handlers = stage.takeEvents().compactMap {
            if case .handlerRan(let handler) = $0 { "\(handler.kind) \(handler.view.name)" } else { nil }
        }
        #expect(handlers == ["onFirstAppear Loading"])
    }
}
