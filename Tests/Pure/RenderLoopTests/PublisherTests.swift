// SPDX-License-Identifier: MIT
// Views that react to publishers.

import Foundation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

/// A subject that is sent to by another thread, which its own lock allows.
private struct AnyThread: @unchecked Sendable {
    let subject: CurrentValueSubject<Int, Never>
}

@MainActor
@Suite struct PublisherTests {
    private final class Source {
        let first = CurrentValueSubject<Int, Never>(1)
        let second = CurrentValueSubject<Int, Never>(100)
        let events = PassthroughSubject<Int, Never>()
    }

    private struct Receiving: View {
        let source: Source
        @State private var isSecond = false
        @State private var isThere = true

        var body: some View {
            VStack(alignment: .leading) {
                if isThere { Shown(subject: isSecond ? source.second : source.first) }
                Button("second") { isSecond = true }
                Button("hide") { isThere = false }
            }
        }
    }

    private struct Shown: View {
        let subject: CurrentValueSubject<Int, Never>
        @State private var value = 0
        var body: some View { Text("value \(value)").onReceive(subject) { value = $0 } }
    }

    private func line(_ stage: Stage) -> String? { stage.screen.split(separator: "\n").first.map(String.init) }

    @Test func aCurrentValueIsReceivedBeforeTheFirstCommit() {
        let stage = Stage(Receiving(source: Source()))
        #expect(stage.renderer.history.count == 1)
        #expect(line(stage) == "value 1")
    }

    @Test func valuesOfATurnLeadToOneEvaluation() {
        let source = Source()
        let stage = Stage(Receiving(source: source))
        _ = stage.takeEvaluations()
        stage.act { for value in 2...5 { source.first.send(value) } }
        #expect(line(stage) == "value 5")
        #expect(stage.takeEvaluations() == ["Shown"])
        stage.act { source.first.send(5) }
        #expect(stage.takeEvaluations() == [], "the state is the same")
    }

    @Test func anotherPublisherIsAnotherSubscription() {
        let source = Source()
        let stage = Stage(Receiving(source: source))
        stage.tap("second")
        #expect(line(stage) == "value 100")
        stage.act { source.first.send(7) }
        #expect(line(stage) == "value 100")
        stage.act { source.second.send(101) }
        #expect(line(stage) == "value 101")
    }

    /// Has another thread send a value, does something before that is news, and waits until it is.
    private func send(_ value: Int, to subject: AnyThread, then act: () -> Void = {}) async {
        await withCheckedContinuation { continuation in
            let isSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                subject.subject.send(value)
                isSent.signal()
            }
            isSent.wait()
            act()
            DispatchQueue.main.async { continuation.resume() }
        }
    }

    @Test func aValueThatAnotherThreadSendsIsReceivedLater() async {
        let source = Source()
        let stage = Stage(Receiving(source: source))
        await send(7, to: AnyThread(subject: source.first)) { #expect(line(stage) == "value 1") }
        stage.clock.settle()
        #expect(line(stage) == "value 7")
    }

    @Test func aValueOfAnotherThreadThatComesTooLateIsNoneOfTheNextPublisher() async {
        let source = Source()
        let stage = Stage(Receiving(source: source))
        await send(7, to: AnyThread(subject: source.first)) { stage.tap("second") }
        stage.clock.settle()
        #expect(line(stage) == "value 100")
    }

    @Test func aViewThatIsGoneReceivesNothing() {
        let source = Source()
        let stage = Stage(Receiving(source: source))
        stage.tap("hide")
        _ = stage.takeEvaluations()
        stage.act { source.first.send(9) }
        #expect(stage.takeEvaluations() == [])
        #expect(line(stage) == "second")
    }

    private struct Several: View {
        let note: @MainActor (Int) -> Void
        var body: some View { Text("").onReceive([1, 2, 3, 4].publisher) { note($0) } }
    }

    @Test func noValueThatComesWithTheSubscriptionIsLost() {
        var values: [Int] = []
        let stage = Stage(Several { values.append($0) })
        #expect(values == [1, 2, 3, 4])
        #expect(stage.warnings.isEmpty)
    }
}
