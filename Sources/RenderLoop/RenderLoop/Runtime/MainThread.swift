// SPDX-License-Identifier: MIT
// From wherever a model was written to the main actor.

import Dispatch
import Foundation

/// The main queue, which is served by other threads than the main one in programs that call `dispatchMain()`.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

/// Runs the body at once where the main actor is; a write elsewhere is news for its next turn.
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
    guard MainQueue.isCurrent else { return DispatchQueue.main.async { body() } }
    MainActor.assumeIsolated(body)
}
