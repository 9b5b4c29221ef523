// SPDX-License-Identifier: MIT
// The connection of a process with the daemon: one thread, what wakes it, how long an exit waits for it, and the user's switch.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Synchronization

/// Sends the stores' counts to the daemon. Its thread starts with the first store and reports no failure to the app.
final class Uplink: Sendable {
    let context: ProcessContext
    let stores: StoreList
    let signal: UplinkSignal
    let alarm: TurnAlarm
    /// Whether the thread runs; nil before it was tried.
    private let isRunning = Mutex<Bool?>(nil)
    /// Answers to commands that are still to be sent.
    private let finished = Mutex<[(result: CommandResult, connection: Int)]>([])

    /// Names of moments that are still to be sent.
    private let marks = Mutex<[String]>([])

    init(context: ProcessContext, stores: StoreList, signal: UplinkSignal, alarm: TurnAlarm) {
        self.context = context
        self.stores = stores
        self.signal = signal
        self.alarm = alarm
    }

    /// Looks after a store from now on. C functions have no context, so the caller names what the first call starts.
    ///
    /// - Parameters:
    ///   - thread: Calls ``run()``.
    ///   - exit: Calls ``UplinkSignal/flushAtExit()``.
    func add(
        _ core: StoreCore, thread: @convention(c) () -> Void, exit: @escaping @convention(c) () -> Void
    ) {
        guard !crerender_is_silent() else { return }
        stores.add(core)
        let isRunning = isRunning.withLock { isRunning in
            let isStarted = isRunning ?? start(thread, exit)
            isRunning = isStarted
            return isStarted
        }
        if isRunning { signal.wake() }
    }

    private func start(_ thread: @convention(c) () -> Void, _ exit: @escaping @convention(c) () -> Void) -> Bool {
        guard context.isEnabled, DescriptorTable.run({ crerender_start_watcher() }) == true,
            unsafe crerender_start_thread("rerender-uplink", 0, thread) == 0
        else { return false }
        _ = ExitWait.nanoseconds  // read now: at exit the environment may be going
        atexit(exit)
        return true
    }

    /// Has the thread answer a command that came on a connection. Any thread.
    func finish(_ result: CommandResult, connection: Int) {
        finished.withLock { if $0.count < StoreLimits.waitingReplies { $0.append((result, connection)) } }
        signal.requestHooks()
    }

    /// What was finished of a connection since the last call.
    func takeFinished(connection: Int) -> [CommandResult] {
        finished.withLock { finished in
            defer { finished = [] }
            return finished.compactMap { $0.connection == connection ? $0.result : nil }
        }
    }

    /// Has the daemon keep what is counted now, under a name; false without a daemon. Any thread.
    func mark(_ name: String) -> Bool {
        guard !name.isEmpty, !crerender_is_silent(), signal.isConnected.load(ordering: .relaxed) else { return false }
        marks.withLock { if $0.count < StoreLimits.waitingMarks { $0.append(name) } }
        // What the main loop did goes before it, too.
        stores.carrier?.noteStateChange()
        signal.wake()
        return true
    }

    /// The marks since the last call.
    func takeMarks() -> [String] {
        marks.withLock { marks in
            defer { marks = [] }
            return marks
        }
    }

    /// Sends what is left of a store, and releases it.
    func end(_ core: StoreCore) {
        guard !crerender_is_silent() else { return }
        stores.end(core)
        core.markStateDirty()
    }

    /// The thread's body.
    func run() {
        DescriptorTable.serveApart()
        var thread = UplinkThread(of: self)
        while !thread.isFinished {
            if signal.isExiting.load(ordering: .sequentiallyConsistent) { thread.exit() }
            if signal.takeNews() { thread.changed() }
            guard let pause = thread.act() else { continue }
            signal.sleep(wakesForNews: pause.wakesForNews) { thread.wait(until: pause.deadline) }
        }
        if crerender_is_switched_off() { letGo() }
        signal.finish()
    }

    /// Switched off while the process runs on: nothing is kept for it.
    private func letGo() {
        stores.removeAll()
        _ = DescriptorTable.run { crerender_stop_watcher() }
        crerender_stop_turn_alarm()
    }
}

/// Wakes the uplink's thread, and lets it sleep while nothing was counted. Any thread, except where a method says otherwise.
final class UplinkSignal: Sendable {
    /// Whether a daemon listens.
    let isConnected = Atomic<Bool>(false)
    /// Whether the process ends.
    let isExiting = Atomic<Bool>(false)
    private let hasNews = Atomic<Bool>(false)
    private let isAsleep = Atomic<Bool>(false)

    /// Says that something was counted. One system call if the thread sleeps, none otherwise.
    func wake() {
        guard !crerender_is_silent() else { return }
        hasNews.store(true, ordering: .sequentiallyConsistent)
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { tell() }
    }

    /// Has the thread look at the main loop, if a daemon listens. One system call.
    func requestLook() {
        if isConnected.load(ordering: .relaxed) { requestHooks() }
    }

    /// Has the thread look for main loops, and for answers to commands. One system call.
    func requestHooks() {
        if !crerender_is_silent() { tell() }
    }

    /// Whether something was counted since the last call. On the uplink's thread.
    func takeNews() -> Bool { hasNews.exchange(false, ordering: .sequentiallyConsistent) }

    /// Waits by calling `wait`, during which ``wake()`` ends the wait if `wakesForNews`. On the uplink's thread.
    func sleep(wakesForNews: Bool, _ wait: () -> Void) {
        // Only a thread that waits for news asks to be woken by it; one that paces itself is left alone.
        if wakesForNews {
            isAsleep.store(true, ordering: .sequentiallyConsistent)
            guard !hasNews.load(ordering: .sequentiallyConsistent) else {
                return isAsleep.store(false, ordering: .sequentiallyConsistent)
            }
        }
        wait()
        isAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    /// Says that the last flush is over. On the uplink's thread.
    func finish() {
        isConnected.store(false, ordering: .relaxed)
        crerender_tell_finished()
    }

    /// Has the thread send everything, and waits until it has, at most ``ExitWait/nanoseconds``.
    ///
    /// A thread that is gone does not delay it: that thread has said that it is finished.
    func flushAtExit() {
        guard !crerender_is_forked() else { return }
        isExiting.store(true, ordering: .sequentiallyConsistent)
        tell()
        crerender_wait_until_finished(crerender_monotonic() + ExitWait.nanoseconds)
    }

    private func tell() { crerender_tell(UInt32(CRERENDER_WOKEN)) }
}

/// The wait of the last flush.
enum ExitWait {
    /// In this process: ``StoreLimits/exitNanoseconds``, or what `RERENDER_WAIT_AT_EXIT` says, for runs whose counts must
    /// all arrive, however busy the machine is. The wait is over as soon as they have.
    static let nanoseconds = nanoseconds(environmentVariable("RERENDER_WAIT_AT_EXIT"))

    /// - Parameter text: Milliseconds, 1 to ``StoreLimits/longestExitMilliseconds``; anything else is as if it was not set.
    static func nanoseconds(_ text: String?) -> UInt64 {
        guard let milliseconds = text.flatMap(UInt64.init), milliseconds > 0,
            milliseconds <= StoreLimits.longestExitMilliseconds
        else { return StoreLimits.exitNanoseconds }
        return milliseconds * 1_000_000
    }
}

/// Looks for the file that `rerenderctl off` makes, in each directory in which this process would look for a daemon, and in what an attach
/// gave it: a program that was given a directory of its own is the user's, too.
///
/// A look takes no descriptor. Nothing is watched beside the daemon's socket: a user has 128 instances of inotify(7), and one
/// for each connected program would leave none to the user's other programs. Instead, `rerenderctl off` has the daemon send a
/// message to each, which wakes the uplink's thread.
struct UserSwitch {
    private let directories =
        RuntimeDirectory.candidates() + (unsafe crerender_given_directory() == nil ? [] : [.ofThisProcess])
    /// When the next look is due.
    private(set) var nextAt: UInt64 = 0

    /// Whether it is off now.
    var isOff: Bool { directories.contains { $0.isSwitchedOff } }

    /// Whether to look now: once in ``StoreLimits/switchLookNanoseconds``, and after ``hurry()``.
    mutating func isDue(at now: UInt64) -> Bool {
        guard now >= nextAt else { return false }
        nextAt = now + StoreLimits.switchLookNanoseconds
        return true
    }

    /// Something came from the daemon, or happened in the directory: the next look is due.
    mutating func hurry() { nextAt = 0 }
}

extension RuntimeDirectory {
    /// Where this process looks for its daemon: in what `rerenderctl attach` gave it, or else in the directory in use.
    ///
    /// Proof: the text lasts for ever.
    static var ofThisProcess: RuntimeDirectory {
        guard let given = unsafe crerender_given_directory() else { return current() }
        return RuntimeDirectory(path: unsafe String(cString: given))
    }
}
