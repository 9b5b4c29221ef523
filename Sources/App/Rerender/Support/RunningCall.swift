// SPDX-License-Identifier: MIT
// A call of ours that the program may leave by a jump: what it needs is in memory of its thread, and not on the stack.

import CRerender

/// Proof of the unsafe parts: the mark is on the stack of the call for as long as it runs, and the memory is its own until it has ended
/// or was dropped, which the mark shows. No memory is freed before the thread ends.
enum RunningCall {
    /// Runs a body.
    ///
    /// - Parameters:
    ///   - drop: Takes back what `begin` began, where the call was left; it is given the call's memory.
    ///   - begin: Called first, unless there is no memory.
    ///   - end: Called when the body has returned or thrown an error, unless the call was taken for left meanwhile.
    @inline(__always)
    static func run<Output, Failure>(
        drop: @convention(c) (UnsafeMutableRawPointer) -> Void,
        begin: (UnsafeMutablePointer<crerender_running>) -> Void,
        end: (UnsafeMutablePointer<crerender_running>) -> Void,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var mark = crerender_running_mark(number: 0)
        return try unsafe withUnsafeMutablePointer(to: &mark) { mark throws(Failure) in
            guard let running = unsafe crerender_begin_running(mark, crerender_own_frame(), drop) else {
                return try body()
            }
            unsafe begin(running)
            defer {
                if unsafe crerender_begin_ending(running, mark) {
                    unsafe end(running)
                    unsafe crerender_has_ended(running)
                }
            }
            return try body()
        }
    }

    /// Keeps an object for a call, at least until it has ended. It costs a comparison where the memory kept it for another call before.
    @inline(__always)
    static func keep(_ object: AnyObject, in running: UnsafeMutablePointer<crerender_running>) {
        let kept = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        if unsafe UInt(bitPattern: running.pointee.kept) != kept { unsafe replaceKept(object, in: running) }
    }

    @inline(never)
    private static func replaceKept(_ object: AnyObject, in running: UnsafeMutablePointer<crerender_running>) {
        let old = unsafe running.pointee.kept
        unsafe running.pointee.kept = Unmanaged.passRetained(object).toOpaque()
        unsafe running.pointee.release = { unsafe Unmanaged<AnyObject>.fromOpaque($0).release() }
        guard let old = unsafe old else { return }
        // This may run the app's code. While it does, the call has not begun what its `drop` takes back.
        let drop = unsafe running.pointee.drop.take()
        unsafe Unmanaged<AnyObject>.fromOpaque(old).release()
        unsafe running.pointee.drop = drop
    }
}
