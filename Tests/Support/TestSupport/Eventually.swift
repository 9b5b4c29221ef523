// SPDX-License-Identifier: MIT
// Asks until an answer fits.

/// Thrown when something did not become true in time.
package struct NeverHappened: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) {
        self.description = description
    }
}

/// Asks until the answer is not nil and returns it; throws after ``WaitLimit/seconds``.
///
/// For what has no event to wait for; what has one gives it as `pause`. `what` and `seen`, which is asked for only in the
/// end, say in the message of a failure what was awaited and what there was instead.
package func eventually<T>(
    _ what: String, seen: () async throws -> Any = { () },
    pause: () async throws -> Void = { try await Task.sleep(for: .milliseconds(5)) }, _ ask: () async throws -> T?
) async throws -> T {
    let limit = ContinuousClock.now + .seconds(WaitLimit.seconds)
    var isLast = false
    while true {
        if let answer = try await ask() { return answer }
        // This process may have been stopped until after the limit: then it asks once more.
        if isLast { break }
        isLast = ContinuousClock.now >= limit
        try await pause()
    }
    let state = try await seen()
    let instead = state is Void ? "" : "; instead: \(state)"
    throw NeverHappened(description: "\(what): not within \(WaitLimit.seconds) s\(instead)")
}
