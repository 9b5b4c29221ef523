// SPDX-License-Identifier: MIT
// The connection of a process with the daemon: one thread that sends what all stores have counted.

import CRerender
import Glibc
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

    /// Sends what is left of a store, and releases it.
    func end(_ core: StoreCore) {
        guard !crerender_is_silent() else { return }
        stores.end(core)
        core.markStateDirty()
    }

    /// The thread's body.
    func run() {
        DescriptorTable.workApart()
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
