// SPDX-License-Identifier: MIT
// Models that other threads write to.

import Foundation
import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

@Observable
private final class Shared: @unchecked Sendable {
    private let lock = NSLock()
    @ObservationIgnored private var stored = 0

    var number: Int {
        get {
            access(keyPath: \.number)
            return lock.withLock { stored }
        }
        set { withMutation(keyPath: \.number) { lock.withLock { stored = newValue } } }
    }
}

private struct NumberView: View {
    let shared: Shared
    var body: some View { Text("\(shared.number)") }
}

/// Its body has another thread write once, after it has read.
private struct InterruptedView: View {
    let shared: Shared
    let turn: Int
    var body: some View {
        let number = shared.number
        if turn == 1, number == 1 {
            let isWritten = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                shared.number = 2
                isWritten.signal()
            }
            isWritten.wait()
        }
        return Text("\(number)")
    }
}

private struct InterruptedScreen: View {
    let shared: Shared
    @State private var turn = 0
    var body: some View {
        VStack {
            InterruptedView(shared: shared, turn: turn)
            Button("go") { turn += 1 }
        }
    }
}

private final class Announced: ObservableObject, @unchecked Sendable {
    @Published var number = 0
}

private struct AnnouncedView: View {
    @ObservedObject var object: Announced
    var body: some View { Text("\(object.number)") }
}

@MainActor
@Suite struct OtherThreadTests {
    @Test func anObjectThatAnotherThreadChangesIsWarnedOfOnceAndEvaluated() async throws {
        let object = Announced()
        let stage = Stage(AnnouncedView(object: object))
        for number in 1...2 {
            await Task.detached { object.number = number }.value
            await stage.settleOthers()
            #expect(stage.screen == "\(number)")
        }
        #expect(stage.warnings.count == 1)
        let text = try #require(stage.warnings.first?.description)
        #expect(text.contains("publishing changes from background threads is not allowed"))
        #expect(text.contains("Announced") && text.contains("AnnouncedView"))
    }

    @Test func aWriteOnAnotherThreadIsEvaluatedInALaterTurnOfTheMainActor() async {
        let shared = Shared()
        let stage = Stage(NumberView(shared: shared))
        await Task.detached { for number in 1...100 { shared.number = number } }.value
        await stage.settleOthers()
        #expect(stage.screen == "100")
    }

    @Test(arguments: [true, false])
    func aWriteOnAnotherThreadDuringTheBodyThatReadItBeforeIsEvaluated(isObserved: Bool) async {
        let shared = Shared()
        shared.number = 1
        let clock = VirtualClock()
        let loop = RenderLoop(InterruptedScreen(shared: shared), driver: clock)
        let observation = loop.observe { _ in }
        if !isObserved { observation.cancel() }
        let renderer = TextRenderer()
        loop.add(renderer)
        clock.settle()
        loop.send(InputEvent(.tap, target: "go"))
        clock.nextFrame()
        await mainQueueIsEmptied()
        clock.settle()
        #expect(renderer.text.split { $0.isWhitespace } == ["2", "go"], "the number written meanwhile")
    }
}
