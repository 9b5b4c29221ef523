// SPDX-License-Identifier: MIT
// Objects whose values come after the news of them, which the loop looks for in real time, and programs that end.

import Foundation
import Observation
import OpenCombine
import RenderLoop
import Synchronization
import TestSupport
import TestTraits
import Testing
@testable import RenderLoopSupport

/// Changed by another thread, which tells of a change and waits before the value is there.
private final class Slow: ObservableObject, @unchecked Sendable {
    @Published var number = 0
    @Published var unread = 0
    let isTold = DispatchSemaphore(value: 0)
    let mayStore = DispatchSemaphore(value: 0)
    private var slowness: AnyCancellable?

    /// Has another thread set the number.
    func set(_ new: Int) {
        slowness = $number.dropFirst().sink { [isTold, mayStore] _ in
            isTold.signal()
            mayStore.wait()
        }
        Thread.detachNewThread { self.number = new }
    }
}

/// Changed by several threads at once.
private final class Busy: ObservableObject, @unchecked Sendable {
    @Published var number = 0
    @Published var text = ""
    private let isOver = Mutex(false)

    /// Until ``end()``; a little slower than the main actor can follow.
    func writeFromThreads() {
        for _ in 0..<2 {
            Thread.detachNewThread { [self] in
                while !isOver.withLock({ $0 }) {
                    number += 1
                    usleep(100)
                }
            }
        }
    }

    func end() { isOver.withLock { $0 = true } }
}

private struct BusyView: View {
    @ObservedObject var busy: Busy
    var body: some View { Text("\(busy.number) \(busy.text)") }
}

/// Changed by another thread, with a publisher of its own and without any order.
private final class Manual: ObservableObject, @unchecked Sendable {
    let objectWillChange = ObservableObjectPublisher()
    private let stored = Mutex(0)
    var number: Int {
        get { stored.withLock { $0 } }
        set {
            objectWillChange.send()
            stored.withLock { $0 = newValue }
        }
    }
}

private struct SlowView: View {
    @ObservedObject var slow: Slow
    var body: some View { Text("\(slow.number)") }
}

private struct ManualView: View {
    @ObservedObject var manual: Manual
    var body: some View { Text("\(manual.number)") }
}

@Observable
private final class Shared {
    var number = 0
}

private struct Needy: View {
    @Environment(Shared.self) private var shared
    var body: some View { Text("\(shared.number)") }
}

/// Has one property that announces its changes, and one that another thread announces by hand.
private final class ByBoth: ObservableObject, @unchecked Sendable {
    @Published var published = 0
    private let stored = Mutex(0)
    var number: Int {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

private struct ByBothView: View {
    @ObservedObject var object: ByBoth
    var body: some View { Text("\(object.number)") }
}

@MainActor
@Suite struct OtherThreadTests {
    @Test func anObjectThatAnotherThreadChangesIsWarnedOfOnceAndEvaluatedWithItsNewValue() async throws {
        let slow = Slow()
        let stage = Stage(SlowView(slow: slow))
        slow.set(7)
        // The news is here, and is evaluated; the value is not there yet.
        _ = try await eventually("the news") { @MainActor in
            stage.clock.settle()
            return stage.warnings.isEmpty ? nil : true
        }
        #expect(stage.screen == "0")
        slow.mayStore.signal()
        _ = try await eventually("the value") { @MainActor in
            stage.clock.settle()
            return stage.screen == "7" ? true : nil
        }
        await onAnotherThread { slow.unread = 1 }
        await mainQueueIsEmptied()
        stage.clock.settle()
        let manual = Manual()
        let other = Stage(ManualView(manual: manual))
        Thread.detachNewThread { for number in 1...100 { manual.number = number } }
        _ = try await eventually("the last number") { @MainActor in
            other.clock.settle()
            return other.screen == "100" ? true : nil
        }
        #expect(stage.warnings.count == 1 && other.warnings.count == 1)
        let text = try #require(stage.warnings.first?.description)
        #expect(text.contains("publishing changes from background threads is not allowed"))
        #expect(text.contains("Slow") && text.contains("SlowView"))
    }

    /// What no property announces is looked for once more when those that do are no longer looked at.
    @Test func whatAnotherThreadStoresAfterItSentByHandIsShown() async throws {
        let object = ByBoth()
        let stage = Stage(ByBothView(object: object))
        _ = stage.takeEvaluations()
        await Task.detached { object.objectWillChange.send() }.value
        await stage.settleOthers()
        #expect(!stage.takeEvaluations().isEmpty, "the news")
        await Task.detached { object.number = 7 }.value
        _ = try await eventually("the value") { @MainActor in
            stage.clock.settle()
            return stage.screen == "7" ? true : nil
        }
    }

    @Test(.promise) func aMissingModelStopsTheProgramWithItsNameAndTheView() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Needy()) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("no Shared in the environment of Needy"))
    }

    /// In a process of its own, which a wrong isolation would end.
    @Test func anObjectThatThreadsChangeWithoutAPauseIsFollowed() async {
        await #expect(processExitsWith: .success) { @MainActor in
            let busy = Busy()
            let stage = Stage(BusyView(busy: busy))
            busy.writeFromThreads()
            while stage.loop.evaluations < 50_000 {
                await mainQueueIsEmptied()
                stage.clock.settle()
            }
            busy.end()
        }
    }
}
