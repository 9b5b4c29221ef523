// SPDX-License-Identifier: MIT
// Who is told, in the process itself, that something was counted.

import Synchronization

/// Calls what follows the changes of all stores, if anything does.
final class ChangeFollower: Sendable {
    /// Looked at first: most processes have none.
    private let isWanted = Atomic<Bool>(false)
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func follow(_ body: (@Sendable () -> Void)?) {
        self.body.withLock { $0 = body }
        isWanted.store(body != nil, ordering: .relaxed)
    }

    /// Says that something was counted.
    func tell() {
        guard isWanted.load(ordering: .relaxed) else { return }
        body.withLock { $0 }?()
    }
}
