// SPDX-License-Identifier: MIT
// Waits for what nobody announces.

/// Thrown when something did not become true in time.
package struct NeverHappened: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) {
        self.description = description
    }
}

/// Asks until the answer is not nil and returns it; throws after `seconds`.
///
/// And after a hundred questions: other tests may keep this one from running for longer than the time that it has.
///
/// For what has no event to wait for, such as another process's state as seen through its query socket.
package func eventually<T>(
    within seconds: Double = 20, _ what: String, _ ask: () async throws -> T?
) async throws -> T {
    let end = ContinuousClock.now + .seconds(seconds)
    var questions = 0
    while ContinuousClock.now < end || questions < 100 {
        questions += 1
        if let answer = try await ask() { return answer }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw NeverHappened(description: "\(what): not within \(seconds) s")
}
