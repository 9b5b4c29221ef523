// SPDX-License-Identifier: MIT
// The process's one thread that tells the daemon what all stores have counted.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Synchronization

/// The way to the daemon: started with the first store, shared by all, silent whatever happens.
enum Uplink {
    /// Stores that the thread looks after.
    struct Stores {
        var live: [StoreCore] = []
        /// Stores that are gone and have totals to send.
        var ended: [StoreCore] = []
        /// What is left of ended stores that no daemon came for in time: their evaluations, as dropped ones.
        var condensed: [StoreState] = []
    }

    static let stores = Mutex(Stores())
    static let isConnected = Atomic<Bool>(false)
    /// Whether a live store wants stacks of hangs.
    static let wantsHangStacks = Atomic<Bool>(false)
    private static let hasNews = Atomic<Bool>(false)
    private static let isAsleep = Atomic<Bool>(false)
    private static let isExiting = Atomic<Bool>(false)
    /// Descriptors that live as long as the process: the thread's wake-up, and the word that the last flush is over.
    private static let wakeEvent = crerender_eventfd()
    private static let exitEvent = crerender_eventfd()
    private static let isRunning: Bool = {
        guard wakeEvent >= 0, exitEvent >= 0 else { return false }
        guard unsafe crerender_start_thread("rerender-uplink", { Uplink.run() }) == 0 else { return false }
        _ = ExitWait.nanoseconds  // read now: at exit the environment may be going
        atexit { Uplink.flushAtExit() }
        return true
    }()

    /// Looks after a store from now on.
    static func add(_ core: StoreCore) {
        guard !crerender_is_forked() else { return }
        stores.withLock { stores in
            stores.live.append(core)
            publishSettings(of: stores.live)
        }
        if isRunning { wake() }
    }

    /// Sends what is left of a store, and lets go of it.
    static func end(_ core: StoreCore) {
        guard !crerender_is_forked() else { return }
        stores.withLock { stores in
            guard let index = stores.live.firstIndex(where: { $0 === core }) else { return }
            stores.live.remove(at: index)
            publishSettings(of: stores.live)
            stores.ended.append(core)
            if stores.ended.count > StoreLimits.endedStores { stores.condenseOldest() }
        }
        core.markStateDirty()
    }

    /// A store's threshold changed, or whether it wants stacks.
    static func settingsChanged() {
        guard !crerender_is_forked() else { return }
        stores.withLock { publishSettings(of: $0.live) }
    }

    /// Says what the live stores want together; under the lock, so that the latest word is the last.
    private static func publishSettings(of live: [StoreCore]) {
        wantsHangStacks.store(live.contains { $0.wantsHangStacks.load(ordering: .relaxed) }, ordering: .relaxed)
        let hang = live.map { $0.hangThreshold.load(ordering: .relaxed) }.min()
        let microHang = live.map { $0.microHangThreshold.load(ordering: .relaxed) }.min()
        guard let hang, let microHang else { return }
        // A hang must not be missed because its micro-hangs begin later.
        LoopRecord.shared?.setThresholds(hangMilliseconds: hang, microHangMilliseconds: min(hang, microHang))
        TurnAlarm.set(thresholdMilliseconds: min(hang, microHang))
    }

    /// Tells the thread that something was counted. One system call if it sleeps, none otherwise.
    static func wake() {
        // The event is shared with the parent, whose thread would wake up for nothing.
        guard !crerender_is_forked() else { return }
        hasNews.store(true, ordering: .sequentiallyConsistent)
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { signal(wakeEvent) }
    }

    /// Has the thread look around, without anything new to send. One system call.
    static func poke() {
        guard !crerender_is_forked() else { return }
        signal(wakeEvent)
    }

    /// Waits, at most ``ExitWait/nanoseconds``, until everything counted was sent.
    private static func flushAtExit() {
        guard !crerender_is_forked() else { return }
        isExiting.store(true, ordering: .sequentiallyConsistent)
        signal(wakeEvent)
        let deadline = crerender_monotonic() + ExitWait.nanoseconds
        var left = ExitWait.nanoseconds
        var done = pollfd(fd: exitEvent, events: Int16(POLLIN), revents: 0)
        // A signal of the host's (a timer, a profiler) ends the call and not the wait.
        while unsafe poll(&done, 1, CInt(clamping: (left + 999_999) / 1_000_000)) < 0, errno == EINTR {
            let now = crerender_monotonic()
            guard now < deadline else { return }
            left = deadline - now
        }
    }

    private static func run() {
        var thread = UplinkThread(directory: .current(), context: .shared)
        while !thread.isFinished {
            if isExiting.load(ordering: .sequentiallyConsistent) { thread.exit() }
            if hasNews.exchange(false, ordering: .sequentiallyConsistent) { thread.changed() }
            guard let pause = thread.act() else { continue }
            // Only a thread that waits for news asks to be woken by it; one that paces itself is left alone.
            if pause.wakesForNews {
                isAsleep.store(true, ordering: .sequentiallyConsistent)
                if hasNews.load(ordering: .sequentiallyConsistent) {
                    isAsleep.store(false, ordering: .sequentiallyConsistent)
                    continue
                }
            }
            thread.wait(until: pause.deadline, wakeEvent: wakeEvent)
            isAsleep.store(false, ordering: .sequentiallyConsistent)
        }
        isConnected.store(false, ordering: .relaxed)
        signal(exitEvent)
    }

    private static func signal(_ event: CInt) {
        var one: UInt64 = 1
        _ = unsafe write(event, &one, 8)
    }
}

extension Uplink.Stores {
    /// Lets go of an ended store of which everything was sent; false if it was let go of before.
    mutating func forget(_ core: StoreCore) -> Bool {
        // Condensed since the list was read: it was told after all, and must not be told as dropped beside.
        condensed.removeAll { $0.storeID == core.id }
        guard let index = ended.firstIndex(where: { $0 === core }) else { return false }
        ended.remove(at: index)
        return true
    }

    /// Keeps no more of the oldest ended store than that its evaluations are not shown.
    ///
    /// As an epoch of its own, so that views that a daemon was told of are void and none is counted twice.
    fileprivate mutating func condenseOldest() {
        let core = ended.removeFirst()
        var state = core.state()
        state.epoch &+= 1
        state.dropped = state.evaluations
        core.releaseKeys()
        if condensed.count < StoreLimits.condensedStores { return condensed.append(state) }
        // The last one stands for all that follow.
        let last = condensed.count - 1
        condensed[last].name = "other stores"
        condensed[last].evaluations &+= state.evaluations
        condensed[last].dropped &+= state.dropped
    }
}
