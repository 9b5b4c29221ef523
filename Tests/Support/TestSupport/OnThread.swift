// SPDX-License-Identifier: MIT
// Blocking work beside a test that blocks, too.

import Foundation

/// Runs something that blocks on a thread of its own, begun at once.
///
/// A task would wait for a thread of the cooperative pool, which has as many as the machine has processors: tests that block them
/// wait for one another.
package final class OnThread<Value: Sendable>: Sendable {
    private let results: AsyncStream<Result<Value, any Error>>

    package init(_ body: @escaping @Sendable () throws -> Value) {
        let (results, feed) = AsyncStream<Result<Value, any Error>>.makeStream()
        self.results = results
        Thread.detachNewThread {
            feed.yield(Result { try body() })
            feed.finish()
        }
    }

    /// What it gave; ask once.
    package var value: Value {
        get async throws {
            for await result in results { return try result.get() }
            throw CancellationError()
        }
    }
}
