// SPDX-License-Identifier: MIT
// Objects that other threads change without a pause, and programs that end.

import Foundation
import Observation
import OpenCombine
import RenderLoop
import Synchronization
import TestTraits
import Testing
@testable import RenderLoopSupport

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

@Observable
private final class Shared {
    var number = 0
}

private struct Needy: View {
    @Environment(Shared.self) private var shared
    var body: some View { Text("\(shared.number)") }
}

@MainActor
@Suite struct OtherThreadTests {
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
