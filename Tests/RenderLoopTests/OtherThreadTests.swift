// SPDX-License-Identifier: MIT
// Models that other threads write to, and objects that are missing.

import Foundation
import Observation
import RenderLoop
import TestSupport
import Testing

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

private struct Needy: View {
    @Environment(Shared.self) private var shared
    var body: some View { Text("\(shared.number)") }
}

@MainActor
@Suite struct OtherThreadTests {
    @Test func aWriteOnAnotherThreadIsEvaluatedInALaterTurnOfTheMainActor() async throws {
        let shared = Shared()
        let stage = Stage(NumberView(shared: shared))
        await Task.detached { for number in 1...100 { shared.number = number } }.value
        let screen = try await eventually("the last number") { @MainActor in
            stage.clock.settle()
            return stage.screen == "100" ? stage.screen : nil
        }
        #expect(screen == "100")
    }

    @Test func aMissingModelStopsTheProgramWithItsNameAndTheView() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Needy()) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("no Shared in the environment of Needy"))
    }
}
