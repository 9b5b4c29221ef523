// SPDX-License-Identifier: MIT
// Transactions: from the change of state to the layers of the commit.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct TransactionCarryTests {
    private enum Shown: Equatable {
        case atOnce
        case with(Animation)
    }

    /// How each text that a commit changed is to be shown.
    private final class Recorder: LayerRenderer {
        private(set) var shown: [String: Shown] = [:]

        func render(_ commit: Commit) {
            shown = [:]
            for change in commit.changes {
                guard case .text(let text) = change.layer.committed.content else { continue }
                shown[text] = change.animation.map { .with($0) } ?? .atOnce
            }
        }
    }

    @MainActor
    @Observable
    fileprivate final class Model {
        var left = 0
        var right = 0
    }

    private struct Number: View {
        let name: String
        let value: Int
        var body: some View { Text("\(name)\(value)") }
    }

    private struct Left: View {
        let model: Model
        var body: some View { Number(name: "left", value: model.left) }
    }

    private struct Right: View {
        let model: Model
        var body: some View { Number(name: "right", value: model.right) }
    }

    private func animations(_ view: some View, _ change: @escaping @MainActor () -> Void) -> [String: Shown] {
        let stage = Stage(view)
        let recorder = Recorder()
        stage.loop.add(recorder)
        stage.act(change)
        return recorder.shown
    }

    @Test func withAnimationReachesTheCommit() {
        let model = Model()
        let found = animations(Left(model: model)) { withAnimation(.easeIn(duration: 2)) { model.left = 1 } }
        #expect(found == ["left1": .with(.easeIn(duration: 2))])
        let plain = animations(Left(model: model)) { model.left = 2 }
        #expect(plain == ["left2": .atOnce])
    }

    @Test func eachChangeOfATurnHasItsOwnAnimation() {
        let model = Model()
        let both = HStack {
            Left(model: model); Right(model: model)
        }
        let found = animations(both) {
            withAnimation { model.left = 1 }
            model.right = 1
        }
        #expect(found == ["left1": .with(.default), "right1": .atOnce])
    }

    @Test func whatIsInsideCountsAndTheResultComesBack() throws {
        let model = Model()
        let found = animations(
            HStack {
                Left(model: model); Right(model: model)
            }
        ) {
            withAnimation(.linear) {
                model.left = 1
                let result = withAnimation(nil) {
                    model.right = 1
                    return 7
                }
                #expect(result == 7)
            }
        }
        #expect(found == ["left1": .with(.linear), "right1": .atOnce])
    }

    private struct Counter: View {
        @State private var count = 0
        var body: some View {
            VStack(alignment: .leading) {
                Text("count\(count)").animation(.bouncy, value: count)
                Text("plain\(count)")
                Button("add") { count += 1 }
            }
        }
    }

    @Test func animationOfAValueIsForItsViewAlone() {
        let stage = Stage(Counter())
        let recorder = Recorder()
        stage.loop.add(recorder)
        stage.tap("add")
        #expect(recorder.shown == ["count1": .with(.bouncy), "plain1": .atOnce])
    }

    private struct Unrelated: View {
        let model: Model
        var body: some View {
            Text("left\(model.left)").animation(.bouncy, value: model.right)
        }
    }

    @Test func animationOfAnotherValueChangesNothing() {
        let model = Model()
        let found = animations(Unrelated(model: model)) { model.left = 1 }
        #expect(found == ["left1": .atOnce])
        let both = animations(Unrelated(model: model)) {
            model.left = 2
            model.right = 2
        }
        #expect(both == ["left2": .with(.bouncy)])
    }

    @Test func transactionChangesWhatIsInTheView() {
        let model = Model()
        let still = Left(model: model).transaction { $0.animation = nil }
        let found = animations(
            HStack {
                still; Right(model: model)
            }
        ) {
            withAnimation(.linear) {
                model.left = 1
                model.right = 1
            }
        }
        #expect(found == ["left1": .atOnce, "right1": .with(.linear)])
    }

    @Test func aTransactionCanKeepAnimationsOfValuesOff() {
        let model = Model()
        var transaction = Transaction(animation: .linear)
        transaction.disablesAnimations = true
        let found = animations(Unrelated(model: model)) {
            withTransaction(transaction) {
                model.left = 1
                model.right = 1
            }
        }
        #expect(found == ["left1": .with(.linear)])
    }

    private struct Switch: View {
        @State private var isOn = false
        var body: some View {
            VStack {
                Toggle("switch", isOn: $isOn.animation(.snappy))
                Text(isOn ? "on" : "off")
            }
        }
    }

    @Test func aBindingCanCarryAnAnimation() {
        let stage = Stage(Switch())
        let recorder = Recorder()
        stage.loop.add(recorder)
        stage.tap("switch")
        #expect(recorder.shown["on"] == .with(.snappy))
    }

    @Test func animationsAreValues() {
        #expect(Animation.easeOut(duration: 1).delay(2).delay(1).delay == 3)
        #expect(Animation.linear.repeatForever().repeatCount == nil)
        #expect(Animation.linear.speed(2).speed == 2)
        #expect(Animation.spring(duration: 1, bounce: 0.25) == .spring(response: 1, dampingFraction: 0.75))
    }
}
