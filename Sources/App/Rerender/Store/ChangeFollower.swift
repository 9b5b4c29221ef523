// SPDX-License-Identifier: MIT
// Who is told, in the process itself, that something was counted.

import Synchronization

/// Calls what follows the changes of all stores, if anything does.
final class ChangeFollower: Sendable {
    /// Looked at first: most processes have none.
    private let isWanted = Atomic<Bool>(false)
    private let body = SharedClosure<Void>()

    func follow(_ body: (@Sendable () -> Void)?) {
        if let body { self.body.set { body() } } else { self.body.set(nil) }
        isWanted.store(body != nil, ordering: .relaxed)
    }

    /// Says that something was counted.
    func tell() {
        guard isWanted.load(ordering: .relaxed) else { return }
        body.closure?(())
    }
}
