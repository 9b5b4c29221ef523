// SPDX-License-Identifier: MIT
// Evaluations inside of turns of a real main loop, which the monitor sees.

import CAllocationCount
import Glibc
import Rerender

/// A GLib loop whose every turn has evaluations; GLib is loaded at run time.
enum GLibTurns {
    private typealias Callback = @convention(c) (UnsafeMutableRawPointer?) -> CInt

    nonisolated(unsafe) private static var store: RerenderStore?
    nonisolated(unsafe) private static var left = 0
    nonisolated(unsafe) private static var allocations: UInt64 = 0
    nonisolated(unsafe) private static var unseen = 0
    nonisolated(unsafe) private static var turn: UInt64 = 0
    nonisolated(unsafe) private static var quit: () -> Void = {}

    /// What the thread allocates in the evaluations of so many turns, and how many of those turns the monitor did not see.
    /// Nil without GLib.
    static func run(_ count: Int, store: RerenderStore, warmUp: (() -> Void) -> Void) -> (UInt64, unseen: Int)? {
        guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW),
            let new = dlsym(library, "g_main_loop_new"), let run = dlsym(library, "g_main_loop_run"),
            let end = dlsym(library, "g_main_loop_quit"), let add = dlsym(library, "g_idle_add")
        else { return nil }
        // The library came after the first store; another one finds it.
        _ = RerenderStore(name: "third")
        let loop = unsafeBitCast(new, to: (@convention(c) (OpaquePointer?, CInt) -> OpaquePointer?).self)(nil, 0)
        let leave = unsafeBitCast(end, to: (@convention(c) (OpaquePointer?) -> Void).self)
        quit = { leave(loop) }
        (self.store, left) = (store, count)
        warmUp(evaluate)
        let callback: Callback = { _ in GLibTurns.step() }
        _ = unsafeBitCast(add, to: (@convention(c) (Callback, UnsafeMutableRawPointer?) -> CUnsignedInt).self)(
            callback, nil)
        unsafeBitCast(run, to: (@convention(c) (OpaquePointer?) -> Void).self)(loop)
        return (allocations, unseen)
    }

    private static func evaluate() {
        store?.evaluate("OuterInTurn") { store?.evaluate("InnerInTurn", parent: "OuterInTurn") { Allocations.work() } }
    }

    private static func step() -> CInt {
        // The library looks for the loop on a thread of its own, which may come late.
        if turn == 0, ProcessRuntime.shared.mainLoop.turn == 0 { return 1 }
        if ProcessRuntime.shared.mainLoop.turn == 0 || ProcessRuntime.shared.mainLoop.turn == turn { unseen += 1 }
        turn = ProcessRuntime.shared.mainLoop.turn
        let before = callocation_count()
        evaluate()
        allocations += callocation_count() - before
        left -= 1
        if left == 0 { quit() }
        return left == 0 ? 0 : 1
    }
}
