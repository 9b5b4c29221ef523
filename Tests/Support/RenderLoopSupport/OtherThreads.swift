// SPDX-License-Identifier: MIT
// Other threads and tasks beside a loop in virtual time, without a clock.

import Foundation
import RenderLoop

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

extension Stage {
    /// Runs the turns for all that tasks and other threads have handed to the main queue, and for what that leads to.
    func settleOthers() async {
        for _ in 0..<3 {
            await mainQueueIsEmptied()
            clock.settle()
        }
    }
}
