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

/// Something on its way from one thread to another.
///
/// Proof of `Sendable`: who makes one gives the value away, or only copies it, as state is copied from thread to thread; that
/// a value of a type which is not `Sendable` has no part that is written meanwhile is up to the program.
struct Transfer<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
