// SPDX-License-Identifier: MIT
// Stands back where the program counts a view itself: with a copy of the library of its own.

import CInject
import Rerender
import Synchronization

/// The copies of the library that the program has itself.
enum ProgramEngines {
    private static let areThere = Atomic<Bool>(false)

    static var exist: Bool { areThere.load(ordering: .relaxed) }

    /// Looks for some in the files that are loaded now. One thread at a time.
    static func look() {
        // Proof: a metatype is the address of metadata, which live for ever.
        let none = unsafe unsafeBitCast(Void.self as Any.Type, to: UnsafeRawPointer.self)
        if unsafe crerender_watch_engines(none) { areThere.store(true, ordering: .relaxed) }
    }
}

extension HookedView {
    /// Counts a call, unless the program counts it: around the call, or in it.
    ///
    /// - Parameters:
    ///   - type: The metadata of the view's type.
    ///   - count: Counts what calls the function, unless what it asks behind that says that the program does.
    @inline(__always)
    func count(_ type: UInt, _ call: borrowing WitnessCall, _ count: (() -> Bool) -> Void) {
        guard ProgramEngines.exist else { return count { false } }
        countUnlessOwn(type, call, count)
    }

    /// Proof of the unsafe parts: the guard lies on the stack until the call has returned; metadata live for ever.
    @inline(never)
    private func countUnlessOwn(_ type: UInt, _ call: borrowing WitnessCall, _ count: (() -> Bool) -> Void) {
        if isAround(type) { return call.goOn() }
        var own = crerender_guard()
        unsafe withUnsafeMutablePointer(to: &own) { own in
            unsafe crerender_begin_call(own, UnsafeRawPointer(bitPattern: type))
            var hasEnded = false
            func isOwn() -> Bool {
                if hasEnded { return false }
                hasEnded = true
                guard unsafe crerender_end_call(own) else { return false }
                noteOwn()
                return true
            }
            // One that is known to count itself in its body is not counted first, and taken back then.
            if countsItself { call.goOn() } else { count(isOwn) }
            _ = isOwn()
        }
    }

    /// Whether the program's own evaluation of the view is around a call; notes that.
    func isAround(_ type: UInt) -> Bool {
        guard unsafe crerender_is_around(UnsafeRawPointer(bitPattern: type), name) else { return false }
        noteOwnAround()
        return true
    }
}

/// Whether a view is counted by the program, and said to be.
final class OwnView: Sendable {
    private let isSaid = Atomic<Bool>(false)
    private let isInBody = Atomic<Bool>(false)

    /// Whether the program counts it, in whatever way.
    var isCounted: Bool { isSaid.load(ordering: .relaxed) }

    /// Whether it counts itself in its body.
    var isCountedInBody: Bool { isInBody.load(ordering: .relaxed) }

    func note(_ view: InjectedView, inBody: Bool) {
        if inBody { isInBody.store(true, ordering: .relaxed) }
        guard !isSaid.exchange(true, ordering: .relaxed) else { return }
        view.leave()
        unsafe crerender_report("own", view.label)
    }
}
