// SPDX-License-Identifier: MIT
// From wherever a model was written to the main actor.

import Dispatch
import Foundation

/// Runs the body at once on the main thread; a write on another one is news for the main thread's next turn.
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
    guard Thread.isMainThread else { return DispatchQueue.main.async { body() } }
    MainActor.assumeIsolated(body)
}
