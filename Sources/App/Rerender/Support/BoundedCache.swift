// SPDX-License-Identifier: MIT
// Keeps values that were computed once, up to a limit.

import Synchronization

/// Keeps what was found for each key. Any thread; two threads may find the same at once.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known = Mutex<[Key: Value]>([:])
    private let limit: Int

    /// Beyond `limit` keys, what is found is not kept.
    init(limit: Int) { self.limit = limit }

    /// The value for a key, found if it is not known. `find` runs without the lock.
    func value(for key: Key, find: () -> Value) -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        let value = find()
        return known.withLock { known in
            if let first = known[key] { return first }
            if known.count < limit { known[key] = value }
            return value
        }
    }

    /// Forgets the values for which the answer is true.
    func removeAll(where isForgotten: (Value) -> Bool) {
        known.withLock { known in known = known.filter { !isForgotten($0.value) } }
    }
}
