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
    /// Has ``TurnMarks`` know of turns, around the monitor's own hooks: the first part before there is a store, the second
    /// after.
    func markBegins()
    func markEnds()
    /// Called on the loop at the end of a piece of work: the turn is to end.
    func endTurnSoon()
}

extension MainLoop {
    func endTurnSoon() {}
}

struct CFMainLoop: MainLoop {
    func run() {
        // Keeps it from returning for want of anything to wait for.
        let timer = Timer.scheduledTimer(withTimeInterval: 86_400, repeats: true) { _ in }
        CFRunLoopRun()
        timer.invalidate()
    }

    func leave() { CFRunLoopStop(CFRunLoopGetMain()) }

    /// Of observers with the same order the first that was added is called first.
    func markBegins() { observe(1 << 0 | 1 << 6, CFIndex.min) { TurnMarks.shared.begin() } }
    func markEnds() { observe(1 << 5 | 1 << 7, CFIndex.max) { TurnMarks.shared.end() } }

    private func observe(_ activities: CFOptionFlags, _ order: CFIndex, _ mark: @escaping @Sendable () -> Void) {
        let observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, order) { _, _ in mark() }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
    }

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
    func markBegins() {}
    func markEnds() {}

    /// Nothing tells of turns. A ping that waits is answered before what is posted now.
    func endTurnSoon() { post { TurnMarks.shared.end() } }

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

    private typealias Poll = @convention(c) (UnsafeMutableRawPointer?, CUnsignedInt, CInt) -> CInt
    private typealias GetPoll = @convention(c) (OpaquePointer?) -> Poll
    private typealias SetPoll = @convention(c) (OpaquePointer?, Poll) -> Void

    private let new: New
    private let runLoop: Do
    private let quit: Do
    private let release: Do
    private let idleAdd: Idle
    private let timeoutAdd: Timeout
    private let getPoll: GetPoll
    private let setPoll: SetPoll
    /// GLib's own; written before the loop runs.
    nonisolated(unsafe) private static var foundPoll: Poll = { _, _, _ in 0 }
    /// Those that run, innermost last; touched on the main thread.
    private var loops: [OpaquePointer?] = []

    /// nil where GLib is not installed.
    init?() {
        guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_GLOBAL),
            let new = dlsym(library, "g_main_loop_new"), let run = dlsym(library, "g_main_loop_run"),
            let quit = dlsym(library, "g_main_loop_quit"), let release = dlsym(library, "g_main_loop_unref"),
            let idle = dlsym(library, "g_idle_add"), let timeout = dlsym(library, "g_timeout_add"),
            let getPoll = dlsym(library, "g_main_context_get_poll_func"),
            let setPoll = dlsym(library, "g_main_context_set_poll_func")
        else { return nil }
        self.new = unsafeBitCast(new, to: New.self)
        runLoop = unsafeBitCast(run, to: Do.self)
        self.quit = unsafeBitCast(quit, to: Do.self)
        self.release = unsafeBitCast(release, to: Do.self)
        idleAdd = unsafeBitCast(idle, to: Idle.self)
        timeoutAdd = unsafeBitCast(timeout, to: Timeout.self)
        self.getPoll = unsafeBitCast(getPoll, to: GetPoll.self)
        self.setPoll = unsafeBitCast(setPoll, to: SetPoll.self)
    }

    /// The monitor's function wraps the one that is there when the first store is made.
    func markBegins() {
        Self.foundPoll = getPoll(nil)
        setPoll(nil) { descriptors, count, timeout in
            TurnMarks.shared.end()
            let ready = GLibMainLoop.foundPoll(descriptors, count, timeout)
            TurnMarks.shared.begin()
            return ready
        }
    }

    func markEnds() {}

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
