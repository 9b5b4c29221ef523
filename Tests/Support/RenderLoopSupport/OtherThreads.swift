// SPDX-License-Identifier: MIT
// Other threads and tasks beside a loop in virtual time, without a clock.

import Foundation
import RenderLoop
import Synchronization

/// Calls something on a thread of its own and waits until that is over.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

/// Waits for all that the main queue has to do at the time of the call.
package func mainQueueIsEmptied() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

/// Suspends a task on the main actor until it is cancelled, which has the main actor go on with it at once.
@MainActor
package func untilCancelled() async {
    let suspension = Suspension()
    await withTaskCancellationHandler {
        await withCheckedContinuation { suspension.begin($0) }
    } onCancel: {
        suspension.end()
    }
}

private final class Suspension: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock {
            if !$0.isOver { $0.continuation = continuation }
            return $0.isOver
        }
        if isOver { continuation.resume() }
    }

    func end() {
        let waiting = state.withLock {
            let waiting = $0.continuation
            $0 = State(continuation: nil, isOver: true)
            return waiting
        }
        waiting?.resume()
    }
}

extension Stage {
    /// Runs the turns for all that tasks and other threads have handed to the main queue, and for what that leads to.
    func settleOthers() async {
        for _ in 0..<3 {
            await mainQueueIsEmptied()
            clock.settle()
        }
    }
}
