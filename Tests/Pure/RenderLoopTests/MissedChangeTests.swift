// SPDX-License-Identifier: MIT
// Changes that come where they are easily missed, and views that are easily lost or kept.

import Foundation
import Observation
import OpenCombine
import RenderLoop
import Rerender
import Synchronization
import TestSupport
import Testing
@testable import RenderLoopSupport

@Observable
private final class Pair {
    var first = 0
    var second = 0
    var isShown = true
}

/// A model whose write takes until it is let go on.
private final class Slow: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Mutex(0)
    let isInside = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)

    var value: Int {
        registrar.access(self, keyPath: \.value)
        return stored.withLock { $0 }
    }

    func set(_ new: Int) {
        registrar.withMutation(of: self, keyPath: \.value) {
            isInside.signal()
            mayGoOn.wait()
            stored.withLock { $0 = new }
        }
    }
}

private final class Named: Equatable, Sendable {
    let name = "same"
    static func == (one: Named, other: Named) -> Bool { one.name == other.name }
}

private enum Order: PreferenceKey {
    static var defaultValue: [Int] { [] }
    static func reduce(value: inout [Int], nextValue: () -> [Int]) { value += nextValue() }
}

private enum Depth: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

extension EnvironmentValues {
    fileprivate var depth: Int {
        get { self[Depth.self] }
        set { self[Depth.self] = newValue }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct MissedChangeTests {
    private struct Kept: View {
        let number: Int
        @State private var first: Int?
        var body: some View { Text("\(first ?? -1)").onAppear { first = number } }
    }

    private struct TwoBranches: View {
        let model: Pair
        var body: some View {
            if model.isShown { Kept(number: model.first) } else { Kept(number: model.first) }
        }
    }

    @Test(arguments: [true, false]) func bothBranchesOfOneTypeKeepTheirState(isFirst: Bool) {
        let model = Pair()
        model.isShown = isFirst
        let stage = Stage(TwoBranches(model: model))
        stage.act { model.first = 7 }
        #expect(stage.screen == "0")
        stage.act { model.isShown.toggle() }
        #expect(stage.screen == "7")
    }

    private struct First: View {
        let model: Pair
        var body: some View { Text("\(model.first)") }
    }

    private struct Second: View {
        let model: Pair
        var body: some View { Text("\(model.second)") }
    }

    @Test func anObserverOfAnInvalidationMayWrite() {
        let model = Pair()
        let stage = Stage(
            HStack {
                First(model: model)
                Second(model: model)
            })
        stage.loop.observe { event in
            if case .invalidated = event, model.second == 0 { model.second = 1 }
        }
        stage.act { model.first = 1 }
        #expect(stage.screen == "1 1")
    }

    @Test func aLayerThatAnObserverOfTheCommitChangesIsCommitted() {
        let (model, reference) = (Pair(), LayerReference())
        let stage = Stage(
            VStack {
                LayerHost(reference)
                First(model: model)
            })
        stage.loop.observe { event in
            if case .committed = event { reference.layer?.opacity = 0.75 }
        }
        stage.act { model.first = 1 }
        #expect(reference.layer?.committed.opacity == 0.75)
    }

    private struct Receiving: View {
        let subject: CurrentValueSubject<Int, Never>
        let model: Pair
        @State private var count = 0
        var body: some View {
            let factor = model.first
            Text("\(count)").onReceive(subject.map { $0 * factor }) { _ in if count < 5 { count += 1 } }
        }
    }

    @Test func aReceiverThatWasCutOffReceivesInTheNextTurn() {
        let model = Pair()
        let stage = Stage(Receiving(subject: CurrentValueSubject(1), model: model))
        #expect(stage.warnings.count == 1)
        #expect(stage.screen == "2")
        stage.act { model.first = 1 }
        #expect(stage.screen == "5")
    }

    private struct Rows: View {
        @State private var numbers = [1, 2, 3]
        @State private var order: [Int] = []
        var body: some View {
            VStack {
                List(numbers, id: \.self) { number in
                    Text("row").preference(key: Order.self, value: [number])
                }.frame(height: 3).onPreferenceChange(Order.self) { order = $0 }
                Button("reverse") { numbers.reverse() }
                Text("\(order)")
            }
        }
    }

    @Test func preferencesOfRowsFollowTheirOrder() {
        let stage = Stage(Rows())
        stage.tap("reverse")
        #expect(stage.screen.contains("[3, 2, 1]"))
    }

    private struct Vanishing: View {
        let model: Pair
        var body: some View { if model.isShown { Text("here") } }
    }

    private struct Around: View {
        let model: Pair
        var body: some View {
            let _ = model.isShown
            VStack {
                Vanishing(model: model).rerender("Vanishing")
                Text("there")
            }
        }
    }

    @Test func aViewThatTakesItsContentAwayIsNotWastedAndTheOneAroundItIs() throws {
        let (model, store) = (Pair(), RerenderStore(name: "vanishing"))
        let stage = Stage(Around(model: model).rerender("Around").rerenderStore(store))
        stage.act { model.isShown = false }
        #expect(stage.screen == "there")
        let vanishing = try #require(store.stats.first { $0.key.rawValue == "Vanishing" })
        let around = try #require(store.stats.first { $0.key.rawValue == "Around" })
        #expect((vanishing.count, vanishing.wasted.count) == (2, 0))
        #expect((around.count, around.wasted.count) == (2, 1))
    }

    private final class Token: Sendable {}

    private struct Transforming: View {
        let model: Pair
        let makeToken: @MainActor () -> Token
        var body: some View {
            if model.isShown {
                Text("x").transformEnvironment(\.depth) { [token = makeToken()] depth in
                    depth = model.first
                    withExtendedLifetime(token) {}
                }
            }
        }
    }

    @Test func anEnvironmentThatLeavesInTheTurnOfItsChangeIsReleased() {
        let model = Pair()
        weak var last: Token?
        let stage = Stage(
            Transforming(model: model) {
                let token = Token()
                last = token
                return token
            })
        #expect(last != nil)
        stage.act {
            model.first = 1
            model.isShown = false
        }
        stage.act {}
        #expect(last == nil)
    }

    private struct Weak: View {
        weak var named: Named?
        let number: Int
        var body: some View { Text("\(number) \(named?.name ?? "none")") }
    }

    private struct HoldsWeakly: View {
        let model: Pair
        let named: Named
        var body: some View { Weak(named: named, number: model.first) }
    }

    @Test func aWeakPropertyIsComparedWithoutBeingReadAsAStrongOne() {
        let (model, named) = (Pair(), Named())
        let stage = Stage(HoldsWeakly(model: model, named: named))
        stage.act { model.first = 1 }
        #expect(stage.screen == "1 same")
        withExtendedLifetime(named) {}
    }

    private struct SlowView: View {
        let model: Slow
        var body: some View { Text("\(model.value)") }
    }

    @Test(arguments: [true, false])
    func aWriteOnAnotherThreadIsEvaluatedWhenTheValueIsThere(isObserved: Bool) async throws {
        let (model, clock) = (Slow(), VirtualClock())
        let loop = RenderLoop(SlowView(model: model), driver: clock)
        if isObserved { loop.observe { _ in } }
        clock.settle()
        let writer = OnThread { model.set(7) }
        let isInside = model.isInside.wait(timeout: .now() + WaitLimit.seconds)
        try #require(isInside == .success)
        // What the writer has sent to the main queue so far comes before this.
        await mainQueueIsEmptied()
        clock.settle()
        model.mayGoOn.signal()
        try await writer.value
        await mainQueueIsEmptied()
        clock.settle()
        #expect(TextRenderer.text(of: loop.committedRoot) == "7")
    }
}
