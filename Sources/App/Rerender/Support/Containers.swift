// SPDX-License-Identifier: MIT
// Containers that do not grow without end: a cache and a list of counts; and a closure that threads share.

import RerenderModel
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

/// Counts of the first different elements, and of all others together.
struct CountedList<Element: Equatable & Sendable>: Sendable {
    private(set) var counts: [(element: Element, count: UInt64)] = []
    private(set) var others: UInt64 = 0

    /// Counts an element; as one of the others, if `limit` different ones are known. Allocates only for a new element.
    mutating func add(_ element: Element, _ count: UInt64 = 1, limit: Int) {
        if let index = index(of: element) {
            counts[index].count += count
        } else if counts.count < limit {
            counts.append((element, count))
        } else {
            others += count
        }
    }

    /// Counts the element at a place.
    @inline(__always)
    mutating func add(at place: Int) { counts[place].count += 1 }

    mutating func addOthers(_ count: UInt64) { others += count }

    /// By hand, because in a debug build every iterator of the standard library allocates.
    func index(of element: Element) -> Int? {
        var index = 0
        while index < counts.count {
            if counts[index].element == element { return index }
            index += 1
        }
        return nil
    }
}

extension CountedList<String> {
    /// As the export shows them: most frequent first, all others last.
    func sorted<Count>(_ make: (String, UInt64) -> Count) -> [Count] {
        let sorted = counts.sorted { $0.count != $1.count ? $0.count > $1.count : $0.element < $1.element }
        return sorted.map(make) + (others > 0 ? [make(Reason.other, others)] : [])
    }
}

/// A closure that any thread sets and calls, if there is one.
///
/// A `Mutex` of the closure itself would be a trap: generic code keeps a closure in another form, so that each look at it would wrap it
/// twice and write it back. Every call would go deeper than the one before, until the stack of the host ends. What is in a structure is
/// not wrapped.
final class SharedClosure<Input>: Sendable {
    private struct Box: Sendable {
        let closure: @Sendable (Input) -> Void
    }

    private let box = Mutex<Box?>(nil)

    /// What was set last. A lock.
    var closure: (@Sendable (Input) -> Void)? { box.withLock { $0 }?.closure }

    func set(_ closure: (@Sendable (Input) -> Void)?) {
        let new = closure.map { Box(closure: $0) }
        // Let go of after the lock: what it captured may set another one.
        let old = box.withLock { exchange(&$0, with: new) }
        withExtendedLifetime(old) {}
    }

    /// Calls it under the lock, so that of two threads the later one is heard last; `input` is asked under it, too.
    func callLocked(_ input: () -> Input) { box.withLock { $0?.closure(input()) } }
}
