// SPDX-License-Identifier: MIT
// Keeps tests apart that need what each machine has once.

package import Testing

/// Runs each test while no other one with this trait runs: it needs the session daemon of root, or measures time.
package struct Exclusive: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turn.shared.begin()
        do {
            try await function()
        } catch {
            await Turn.shared.end()
            throw error
        }
        await Turn.shared.end()
    }
}

extension Trait where Self == Exclusive {
    package static var exclusive: Exclusive { Exclusive() }
}

/// Whose turn it is.
private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
