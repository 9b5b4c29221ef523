// SPDX-License-Identifier: MIT
// Closures that are called until they are cancelled.

/// Closures that are called in the order in which they were added.
@MainActor
final class Listeners<Value> {
    private var entries: [(id: UInt64, body: @MainActor (Value) -> Void)] = []
    private var serial: UInt64 = 0
    private var removals: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    func add(_ body: @escaping @MainActor (Value) -> Void) -> UInt64 {
        serial += 1
        entries.append((serial, body))
        return serial
    }

    func remove(_ id: UInt64) {
        entries.removeAll { $0.id == id }
        removals += 1
    }

    func removeAll() { entries = [] }

    /// Calls those that are there now; one that another has just removed is not called.
    func call(_ value: Value) {
        let before = removals
        for entry in entries where before == removals || entries.contains(where: { $0.id == entry.id }) {
            entry.body(value)
        }
    }
}
