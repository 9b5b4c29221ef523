// SPDX-License-Identifier: MIT
// The three kinds of main loop behind one face. GLib is opened at run time, as the app of a plugin would.

import CoreFoundation
import Dispatch
import Foundation

/// A main loop that this program runs on its main thread.
protocol MainLoop: Sendable {
    /// Runs the loop until `leave` is called in it.
    func run()
    /// Leaves the innermost `run`.
    func leave()
    /// Runs work on the loop; from any thread.
    func post(_ work: @escaping @Sendable () -> Void)
    /// Runs work by a timer of the loop, soon; called on the loop.
    func postByTimer(_ work: @escaping @Sendable () -> Void)
}

struct CFMainLoop: MainLoop {
    func run() {
        // Keeps it from returning for want of anything to wait for.
        let timer = Timer.scheduledTimer(withTimeInterval: 86_400, repeats: true) { _ in }
        CFRunLoopRun()
        timer.invalidate()
    }

    func leave() { CFRunLoopStop(CFRunLoopGetMain()) }

    func post(_ work: @escaping @Sendable () -> Void) {
        RunLoop.main.perform(work)
        CFRunLoopWakeUp(CFRunLoopGetMain())
    }

    func postByTimer(_ work: @escaping @Sendable () -> Void) {
        _ = Timer.scheduledTimer(withTimeInterval: 0.02, repeats: false) { _ in work() }
    }
}

/// `dispatchMain()`, which nothing but a ping can watch and nobody can leave.
struct DispatchMainLoop: MainLoop {
    func run() { dispatchMain() }
    func leave() {}
    func post(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }

    func postByTimer(_ work: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .milliseconds(20))
        timer.setEventHandler {
            work()
            timer.cancel()
        }
        timer.resume()
    }
}

/// GLib's default main context.
final class GLibMainLoop: MainLoop, @unchecked Sendable {
    private typealias New = @convention(c) (OpaquePointer?, CInt) -> OpaquePointer?
    private typealias Do = @convention(c) (OpaquePointer?) -> Void
    private typealias Idle =
        @convention(c) (@convention(c) (UnsafeMutableRawPointer?) -> CInt, UnsafeMutableRawPointer?)
        -> CUnsignedInt
    private typealias Timeout =
        @convention(c) (CUnsignedInt, @convention(c) (UnsafeMutableRawPointer?) -> CInt, UnsafeMutableRawPointer?)
        -> CUnsignedInt

    private let new: New
    private let runLoop: Do
    private let quit: Do
    private let release: Do
    private let idleAdd: Idle
    private let timeoutAdd: Timeout
    /// Those that run, innermost last; touched on the main thread.
    private var loops: [OpaquePointer?] = []

    /// nil where GLib is not installed.
    init?() {
        guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_GLOBAL),
            let new = dlsym(library, "g_main_loop_new"), let run = dlsym(library, "g_main_loop_run"),
            let quit = dlsym(library, "g_main_loop_quit"), let release = dlsym(library, "g_main_loop_unref"),
            let idle = dlsym(library, "g_idle_add"), let timeout = dlsym(library, "g_timeout_add")
        else { return nil }
        self.new = unsafeBitCast(new, to: New.self)
        runLoop = unsafeBitCast(run, to: Do.self)
        self.quit = unsafeBitCast(quit, to: Do.self)
        self.release = unsafeBitCast(release, to: Do.self)
        idleAdd = unsafeBitCast(idle, to: Idle.self)
        timeoutAdd = unsafeBitCast(timeout, to: Timeout.self)
    }

    func run() {
        let loop = new(nil, 0)
        loops.append(loop)
        runLoop(loop)
        loops.removeLast()
        release(loop)
    }

    func leave() { quit(loops.last ?? nil) }

    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs the work in the box, once.
    private static let runOnce: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { box in
        if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
        return 0
    }

    func post(_ work: @escaping @Sendable () -> Void) {
        _ = idleAdd(Self.runOnce, Unmanaged.passRetained(Work(work)).toOpaque())
    }

    func postByTimer(_ work: @escaping @Sendable () -> Void) {
        _ = timeoutAdd(20, Self.runOnce, Unmanaged.passRetained(Work(work)).toOpaque())
    }
}
