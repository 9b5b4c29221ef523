// SPDX-License-Identifier: MIT
// A value of the main actor that other threads may read and write: what `@State` keeps.

import Synchronization

#if RERENDER_TSAN
    @_spi(Bridge) import Rerender

    // Thread Sanitizer does not see the locks of Synchronization's.
    private typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

/// A value with what other threads have written since the main actor last took it up.
///
/// Proof of `Sendable`: the main actor alone changes ``current``, under the lock, and reads it without; any other thread
/// reads it under the lock. The lock guards the rest. No value is made, compared or released under the lock, which would
/// run the program's code.
final class SharedValue<Value>: @unchecked Sendable {
    private var stored: Value
    private var written: Value?
    private var writes: UInt64 = 0
    private let lock = Mutex<Void>(())
    private let isWritten = Atomic<Bool>(false)

    init(_ value: Value) { stored = value }

    /// The value, without what other threads have written since. On the main actor alone.
    var current: Value { stored }

    /// Whether another thread has written since the value was last taken up or replaced.
    var isWrittenElsewhere: Bool { isWritten.load(ordering: .acquiring) }

    /// Replaces the value, also one that another thread has written before. On the main actor alone.
    func replace(_ value: Value) -> Value {
        let old = stored
        var left: Value?
        lock.withLock { _ in
            stored = value
            writes &+= 1
            swap(&left, &written)
            isWritten.store(false, ordering: .relaxed)
        }
        return old
    }

    /// Changes a part of the value, that which another thread has written included. On the main actor alone.
    ///
    /// The change is made anew if another thread writes meanwhile, so that no part of a value is lost.
    func update(_ change: (inout Value) -> Void) -> (old: Value, new: Value) {
        let old = stored
        while true {
            var read = read()
            change(&read.value)
            var left: Value?
            var isDone = false
            lock.withLock { _ in
                guard writes == read.writes else { return }
                writes &+= 1
                stored = read.value
                swap(&left, &written)
                isWritten.store(false, ordering: .relaxed)
                isDone = true
            }
            if isDone { return (old, read.value) }
        }
    }

    /// Takes up what another thread has written; nil if there is nothing. On the main actor alone.
    func takeUp() -> (old: Value, new: Value)? {
        guard isWrittenElsewhere else { return nil }
        let old = stored
        var new: Value?
        lock.withLock { _ in
            swap(&new, &written)
            if let new { stored = new }
            isWritten.store(false, ordering: .relaxed)
        }
        return new.map { (old, $0) }
    }

    /// The value as it was last written, by whichever thread. On any thread.
    var latest: Value { read().value }

    /// A copy, which is its reader's.
    private struct Read: @unchecked Sendable {
        var value: Value
        let writes: UInt64
    }

    private func read() -> Read { lock.withLock { _ in Read(value: written ?? stored, writes: writes) } }

    /// Writes on another thread than the main one; returns whether that is news for the main actor.
    ///
    /// The change is made anew if another thread writes meanwhile, so that no part of a value is lost.
    func write(_ change: (inout Value) -> Void) -> Bool {
        while true {
            var read = read()
            change(&read.value)
            var new: Value? = read.value
            var isFirst = false
            var isDone = false
            lock.withLock { _ in
                guard writes == read.writes else { return }
                writes &+= 1
                swap(&new, &written)
                isFirst = !isWritten.exchange(true, ordering: .releasing)
                isDone = true
            }
            if isDone { return isFirst }
        }
    }
}
