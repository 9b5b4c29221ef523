// SPDX-License-Identifier: MIT
// State that other threads read and write.
//
// Apple's documentation of `State`: "You can safely mutate state properties from any thread."

import Foundation
import RenderLoop
import Synchronization
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct StateThreadTests {
    struct Pair: Equatable, Sendable {
        var first = 0
        var second = 0
    }

    /// What the view has, for other threads.
    final class Shared {
        var count: State<Int>?
        var pair: Binding<Pair>?
        init() {}
    }

    private struct Screen: View {
        let shared: Shared
        @State private var count = 0
        @State private var pair = Pair()
        var body: some View {
            let _ = (shared.count, shared.pair) = (_count, $pair)
            VStack(alignment: .leading) {
                Text("\(count)")
                Parts(pair: $pair)
            }
        }
    }

    private struct Parts: View {
        @Binding var pair: Pair
        var body: some View { Text("\(pair.first) \(pair.second)") }
    }

    private func expect(
        _ screen: String, _ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await stage.settleOthers()
        #expect(stage.screen == screen, sourceLocation: sourceLocation)
    }

    @Test func stateThatAnotherThreadWritesIsEvaluatedInALaterTurn() async throws {
        let shared = Shared()
        let stage = Stage(Screen(shared: shared))
        let count = try #require(shared.count)
        _ = stage.takeEvents()
        let turn = stage.loop.turn
        await onAnotherThread {
            count.wrappedValue = 7
            #expect(count.wrappedValue == 7)
        }
        #expect(stage.loop.turn == turn)
        await expect("7\n0 0", stage)
        let evaluated = stage.takeEvents().compactMap { event -> String? in
            if case .evaluated(let node, let reasons) = event { "\(node.name) \(reasons)" } else { nil }
        }
        #expect(evaluated == ["Screen [state count]"])
        #expect(stage.warnings == [])
    }

    @Test func itIsThereAtOnceOutsideOfABody() async throws {
        let shared = Shared()
        let stage = Stage(Screen(shared: shared))
        let count = try #require(shared.count)
        await onAnotherThread { count.wrappedValue = 7 }
        #expect(count.wrappedValue == 7)
        stage.clock.settle()
        #expect(stage.screen == "7\n0 0", "reading it has invalidated its readers")
        await onAnotherThread { count.wrappedValue = 8 }
        count.wrappedValue = 9
        await expect("9\n0 0", stage)
        #expect(count.wrappedValue == 9, "the later write counts")
    }

    @Test func anEqualValueOfAnotherThreadIsNoNews() async throws {
        let shared = Shared()
        let stage = Stage(Screen(shared: shared))
        let (count, pair) = (try #require(shared.count), try #require(shared.pair))
        _ = stage.takeEvaluations()
        await onAnotherThread {
            count.wrappedValue = 0
            pair.wrappedValue = Pair(first: 1)
        }
        await expect("0\n1 0", stage)
        #expect(stage.takeEvaluations() == ["Parts"], "it alone reads the pair")
    }

    @Test func noPartIsLostWhereSeveralThreadsWriteParts() async throws {
        let shared = Shared()
        let stage = Stage(Screen(shared: shared))
        let pair = try #require(shared.pair)
        let (first, second) = (pair.first, pair.second)
        async let one: Void = onAnotherThread { for number in 1...2_000 { first.wrappedValue = number } }
        async let two: Void = onAnotherThread { for number in 1...2_000 { second.wrappedValue = number } }
        for _ in 0..<50 {
            stage.clock.settle()
            await Task.yield()
        }
        _ = await (one, two)
        await expect("0\n2000 2000", stage)
        #expect(pair.wrappedValue == Pair(first: 2_000, second: 2_000))
    }

    @Test func aViewThatIsGoneMayBeWritten() async throws {
        let shared = Shared()
        var stage: Stage? = Stage(Screen(shared: shared))
        let count = try #require(shared.count)
        withExtendedLifetime(stage) {}
        stage = nil
        await onAnotherThread { count.wrappedValue = 1 }
        await mainQueueIsEmptied()
        #expect(count.wrappedValue == 1)
    }

    @Test func aBindingOfClosuresIsReadAndWrittenOnTheMainActor() async throws {
        var value = 1
        let binding = Binding<Int>(
            get: {
                MainActor.assertIsolated()
                return value
            },
            set: {
                MainActor.assertIsolated()
                value = $0
            })
        let read = await Task.detached {
            binding.wrappedValue = 5
            return binding.wrappedValue
        }.value
        #expect(read == 5)
        #expect(value == 5)
    }

    /// A value that calls out while a part of it is written.
    struct Interrupted: Equatable, Sendable {
        var first = 0
        var second = 0
        var onWrite: Call?
        var slow: Int {
            get { first }
            set {
                onWrite?.call()
                first = newValue
            }
        }

        struct Call: Equatable, Sendable {
            let call: @Sendable () -> Void
            static func == (lhs: Self, rhs: Self) -> Bool { true }
        }
    }

    private final class InterruptedBindings {
        var all: Binding<Interrupted>?
        init() {}
    }

    private struct InterruptedScreen: View {
        let bindings: InterruptedBindings
        @State private var value = Interrupted()
        var body: some View {
            let _ = bindings.all = $value
            Text("\(value.first) \(value.second)")
        }
    }

    @Test func noPartIsLostWhereTheMainActorWritesAnotherOne() throws {
        let bindings = InterruptedBindings()
        let stage = Stage(InterruptedScreen(bindings: bindings))
        let all = try #require(bindings.all)
        let second = all.second
        let calls = Mutex(0)
        all.wrappedValue.onWrite = Interrupted.Call {
            guard
                calls.withLock({
                    $0 += 1; return $0 == 1
                })
            else { return }
            let isWritten = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                second.wrappedValue = 7
                isWritten.signal()
            }
            isWritten.wait()
        }
        all.slow.wrappedValue = 5
        #expect(calls.withLock { $0 } == 2, "the write is made anew")
        #expect(all.wrappedValue.first == 5 && all.wrappedValue.second == 7)
        stage.clock.settle()
        #expect(stage.screen == "5 7")
    }
}
