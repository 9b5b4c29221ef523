// SPDX-License-Identifier: MIT
// State changes and their evaluations.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct StateTests {
    struct Counter: View {
        @State private var count = 0
        @State private var unread = 0

        var body: some View {
            VStack(alignment: .leading) {
                Text("count \(count)")
                Button("more") {
                    count += 1
                    count += 1
                    unread += 1
                }
                Button("unread") { unread += 1 }
                Button("same") { count += 0 }
                Label(text: "label")
                Field(value: $count)
                Passer(value: $count)
            }
        }
    }

    struct Label: View {
        let text: String
        var body: some View { Text(text) }
    }

    struct Field: View {
        @Binding var value: Int
        var body: some View { Text("field \(value)") }
    }

    struct Passer: View {
        @Binding var value: Int
        var body: some View { Field(value: $value) }
    }

    @Test func aChangeEvaluatesItsReadersOnceAndNoChildWithEqualInputs() {
        let stage = Stage(Counter())
        #expect(stage.screen.hasPrefix("count 0"), "\(stage.screen)")
        #expect(stage.takeEvaluations() == ["Counter", "Label", "Field", "Passer", "Field"])
        stage.tap("more")
        #expect(stage.screen.contains("count 2") && stage.screen.contains("field 2"), "\(stage.screen)")
        #expect(stage.takeEvaluations() == ["Counter", "Field", "Field"])
        stage.tap("unread")
        stage.tap("same")
        #expect(stage.takeEvaluations() == [])
    }
}
