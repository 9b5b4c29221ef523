// SPDX-License-Identifier: MIT
// The uplink's thread: does what the schedule decides, with the session and the socket.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Signpost
import Synchronization

/// The uplink's state; used by its thread alone. What is not private is for the daemon's commands, in a file of their own.
struct UplinkThread: ~Copyable {
    /// How long to wait.
    struct Pause {
        var deadline: UInt64?
        /// Whether something counted ends the wait.
        var wakesForNews: Bool
    }

    private(set) var isFinished = false
    let uplink: Uplink
    private let directory = RuntimeDirectory.ofThisProcess
    var schedule = UplinkSchedule()
    private var calibration = CounterCalibration()
    private var ping: LoopPing
    /// How long to wait for the loader before the next look for main loops.
    private var hookPause = StoreLimits.loopLookNanoseconds
    var exitWatch = LoopExitWatch()
    var notice: SocketNotice
    var socket: UplinkSocket?
    var session: UplinkSession?
    private var outgoing = WireWriter()
    private var sent = 0
    var replies: [CommandResult] = []
    var stacks = HangStacks()
    private var sampler = SourceSampler()
    var samples: [StackSample] = []
    /// Which of the condensed stores this connection was told of.
    /// With the evaluations that were told, since the last one may stand for more stores later.
    private var toldCondensed: [UInt32: UInt64] = [:]
    /// Whether a daemon has listened to this process; then what it was not told must not go unnoticed.
    private var hasConnected = false
    /// Whether one of our version has.
    var wasWelcomed = false
    /// The number that a daemon gave this copy of the library.
    var copy: UInt32?
    /// How many there were: another daemon has its own numbers of requests.
    var connections = 0
    var isExiting = false
    private var exitDeadline: UInt64 = 0
    private var userSwitch = UserSwitch()
    private var trace = LoopTrace()
    /// Until when evaluations may end that were under way when the user switched Rerender off.
    private var pausesUntil: UInt64?

    init(of uplink: Uplink) {
        self.uplink = uplink
        self.ping = LoopPing(uplink.context.mainLoop)
        self.notice = SocketNotice(directory: directory, isTold: directory.isOfCommand)
    }

    var mainLoop: LoopMonitor { uplink.context.mainLoop }
    var page: FlightPageWriter? { uplink.context.flightPage }

    /// Something was counted.
    mutating func changed() {
        schedule.changed()
        trace.changed()
    }

    /// The process ends: send everything now.
    mutating func exit() {
        guard !isExiting else { return }
        isExiting = true
        exitDeadline = MonotonicClock.now + ExitWait.nanoseconds
        schedule.exit()
        // The last message says what the main loop did, if nothing else changed, too.
        uplink.stores.carrier?.noteStateChange()
    }

    /// Does the next thing; returns how long to wait if there is nothing to do.
    mutating func act() -> Pause? {
        calibration.continueIfDue()
        followLoader()
        takeFinished()
        stacks.follow(uplink.stores.hangStacks.load(ordering: .relaxed) && !crerender_is_silent())
        let now = MonotonicClock.now
        if let pause = followSwitch(at: now) { return pause }
        if isExiting, now >= exitDeadline {
            finish(isComplete: false)
            return nil
        }
        switch schedule.next(at: now) {
        case .connect:
            connect(at: now)
            return nil
        case .burst:
            burst(at: now)
            return nil
        case .wait(let deadline):
            let wakesForNews = deadline == nil && !schedule.isFull
            let limit = isExiting ? exitDeadline : calibration.dueAt
            let loop = isExiting ? nil : lookAtLoop(at: now)
            let told = isExiting ? nil : tellRecordingsIfDue(at: now)
            let sample = isExiting ? nil : sampler.continueIfDue(at: now, stacks)
            // Nothing else wakes this thread where the daemon has stopped reading.
            let look = schedule.isFull ? userSwitch.nextAt : nil
            return Pause(
                deadline: [deadline, limit, loop, look, told, sample].compactMap { $0 }.min(),
                wakesForNews: wakesForNews)
        }
    }

    /// Lets this thread look symbols up, unless our thread that loads LTTng has the loader's lock, perhaps for seconds.
    private func followLoader() {
        if case .loading = SignpostTracing.status.library {
            crerender_let_thread_wait_for_loader(false)
        } else {
            crerender_let_thread_wait_for_loader(true)
        }
    }

    /// Does what is due for the main loop's monitor; returns when there will be more to do.
    private mutating func lookAtLoop(at now: UInt64) -> UInt64? {
        let later = mainLoop.lookForLoops() ? nil : now + hookPause
        hookPause = later == nil ? StoreLimits.loopLookNanoseconds : min(hookPause * 2, 1_000_000_000)
        // First whether the loop was left: then there may be something to ping.
        let watch = exitWatch.continueIfDue(at: now, look: mainLoop.lookForExit)
        let ping = ping.continueIfDue(at: now, isConnected: session != nil)
        return [ping, watch, later].compactMap { $0 }.min()
    }

    /// Tells recordings of stores and the main loop, if that is due; returns when it will be.
    private mutating func tellRecordingsIfDue(at now: UInt64) -> UInt64? {
        guard !crerender_is_silent(), let dueAt = trace.dueAt(isRecorded: LoopSignposts.isOn) else { return nil }
        guard now >= dueAt else { return dueAt }
        tellRecordings(at: now)
        return nil
    }

    private mutating func tellRecordings(at now: UInt64) {
        let stores = uplink.stores.all
        LoopSignposts.tell(
            stores.live + stores.ended, asksThreads: trace.told(at: now, isEnding: isExiting),
            knowsMicroHangs: wasWelcomed && session != nil)
    }

    /// Waits for the wake-up, the daemon, its socket, or the time.
    mutating func wait(until deadline: UInt64?) {
        let listening = replies.count < StoreLimits.waitingReplies ? Int16(POLLIN) : 0
        let isWatched = socket?.watch(for: listening | (schedule.isFull ? Int16(POLLOUT) : 0)) ?? notice.wait()
        let events = takeEvents(until: deadline, isWatched: isWatched)
        if events & CRERENDER_LINK_READY != 0, let readiness = socket?.takeReadiness() { linkIsReady(readiness) }
        if events & CRERENDER_DIRECTORY_CHANGED != 0, socket == nil, notice.socketAppeared() {
            schedule.socketAppeared(at: MonotonicClock.now)
        }
        if events & CRERENDER_TURN_LASTS != 0 { turnLasts() }
        if events & (CRERENDER_LINK_READY | CRERENDER_DIRECTORY_CHANGED) != 0 { userSwitch.hurry() }
    }

    /// What was told. What cannot be watched is looked at once a second.
    ///
    /// The deadline is of ``MonotonicClock``, which may be ahead of the kernel's clock, or behind.
    private func takeEvents(until deadline: UInt64?, isWatched: Bool) -> Int {
        let now = MonotonicClock.now
        let unwatched: UInt64? = isWatched ? nil : StoreLimits.unwatchedNanoseconds
        let pause = [deadline.map { $0 > now ? $0 - now : 0 }, unwatched].compactMap { $0 }.min()
        let events = Int(crerender_take_events(pause.map { crerender_monotonic() + $0 } ?? 0))
        return isWatched ? events : events | CRERENDER_LINK_READY | CRERENDER_DIRECTORY_CHANGED
    }

    private mutating func turnLasts() {
        crerender_turn_alarm_rang()
        let now = MonotonicClock.now
        if let turn = mainLoop.glibTurn(lasting: uplink.alarm.leastNanoseconds) { exitWatch.begin(turn: turn, at: now) }
    }
}

// MARK: - The user's switch

extension UplinkThread {
    /// Switches everything off, for good, once the user says so. What was counted is sent, as at the exit.
    ///
    /// - Returns: How long to wait before that, for evaluations that end at this moment.
    private mutating func followSwitch(at now: UInt64) -> Pause? {
        if !isExiting, pausesUntil == nil, userSwitch.isDue(at: now) {
            if userSwitch.isOff {
                crerender_switch_off()
                LoopHooks.putBack()
                // Tells the toolkits' parts, too, which put back what they replaced.
                for store in uplink.stores.all.live { store.setEnabled(false) }
                pausesUntil = now + StoreLimits.switchPauseNanoseconds
            } else {
                // A session daemon may have come since. While LTTng is being loaded, this thread must not wait for the loader.
                SignpostTracing.look()
                followLoader()
            }
        }
        guard let end = pausesUntil, !isExiting else { return nil }
        guard now >= end else { return Pause(deadline: end, wakesForNews: false) }
        exit()
        return nil
    }
}

// MARK: - The connection

extension UplinkThread {
    private mutating func connect(at now: UInt64) {
        // The notice is set before the attempt, so that a socket that appears in between is not missed.
        notice.watch()
        // So is a file of the user that was made between the last look and the notice.
        userSwitch.hurry()
        var failure: CInt = 0
        guard directory.fault() == nil,
            let connection = UplinkSocket(path: directory.pushSocket, handing: page?.descriptor, failure: &failure)
        else {
            return failed(failure, at: now)
        }
        notice.stop()
        hasConnected = true
        connections += 1
        socket = consume connection
        outgoing.removeAll()
        sent = 0
        session = UplinkSession(identity: uplink.context.identity, copy: copy, writer: &outgoing)
        toldCondensed.removeAll()
        // Another daemon was to keep these.
        _ = uplink.takeMarks()
        uplink.signal.isConnected.store(true, ordering: .relaxed)
        uplink.alarm.rest(false)
        schedule.connected(at: now)
        // GLib may have been loaded since the last store was made.
        mainLoop.install()
    }

    /// An attempt ended with an error. No notice will come of a queue that has room again, nor of a socket that was
    /// there before anyone listened; a socket that a killed daemon left is asked a few times and then left alone.
    private mutating func failed(_ error: CInt, at now: UInt64) {
        let isBusy = error == EAGAIN
        let mayListenSoon = error == ECONNREFUSED && schedule.isBackingOff
        schedule.failed(at: now, mustPoll: !notice.isSet || isBusy || mayListenSoon)
        if isExiting, !isBusy { finish(isComplete: !hasConnected) }
    }

    private mutating func disconnect(at now: UInt64) {
        drop()
        schedule.disconnected(at: now)
        if isExiting { finish(isComplete: false) }
    }

    mutating func drop() {
        socket = nil
        session = nil
        replies.removeAll()
        samples.removeAll()
        uplink.signal.isConnected.store(false, ordering: .relaxed)
        uplink.alarm.rest(directory.isOfCommand)
    }

    private mutating func linkIsReady(_ events: Int16) {
        let now = MonotonicClock.now
        if events & Int16(POLLIN) != 0, !receive() { return disconnect(at: now) }
        if events & Int16(POLLERR | POLLHUP) != 0, events & Int16(POLLIN) == 0 { return disconnect(at: now) }
        if events & Int16(POLLOUT) != 0 { send(at: now, isMoreLeft: nil) }
    }

    /// Ends the uplink. The page stays: other threads may count until the process has ended, and the daemon compares it with what it was
    /// told. It is closed where the process lives on, switched off, and everything was sent.
    private mutating func finish(isComplete: Bool) {
        // After what the daemon gets: naming functions takes time, for which the process waits no longer than until then.
        let now = MonotonicClock.now
        if now < exitDeadline, LoopSignposts.isOn { tellRecordings(at: now) }
        if isComplete, crerender_is_switched_off() { page?.close() }
        drop()
        notice.stop()
        isFinished = true
    }
}

// MARK: - Sending

extension UplinkThread {
    private mutating func burst(at now: UInt64) {
        guard session != nil else { return }
        let stores = uplink.stores.all
        let budget = isExiting ? Int.max : WireLimits.burstBytes
        let isMoreLeft =
            session?.write(
                stores.live + stores.ended, to: &outgoing, budget: budget, isEnding: isExiting) ?? false
        for core in stores.ended where session?.isComplete(core) == true {
            session?.end(core.id, writer: &outgoing)
            if uplink.stores.remove(core) { core.releaseKeys() }
        }
        for state in stores.condensed
        where toldCondensed.updateValue(state.evaluations, forKey: state.storeID) != state.evaluations {
            session?.end(state, writer: &outgoing)
        }
        // All that was counted goes before them.
        if !isMoreLeft { for mark in uplink.takeMarks() { AppMessage.mark(mark).write(to: &outgoing) } }
        for reply in replies { AppMessage.done(reply).write(to: &outgoing) }
        replies.removeAll()
        for sample in samples { AppMessage.stack(sample).write(to: &outgoing) }
        samples.removeAll()
        if isExiting, !isMoreLeft { AppMessage.goodbye.write(to: &outgoing) }
        send(at: now, isMoreLeft: isMoreLeft)
    }

    /// Sends what the last burst wrote; `isMoreLeft` is nil where the socket takes the rest of an earlier one.
    private mutating func send(at now: UInt64, isMoreLeft: Bool?) {
        guard let outcome = socket?.send(outgoing.bytes, from: sent) else { return }
        switch outcome {
        case .closed:
            return disconnect(at: now)
        case .full(let count):
            sent += count
            if let isMoreLeft { schedule.sent(at: now, isFull: true, isMoreLeft: isMoreLeft) }
        case .done:
            outgoing.removeAll()
            sent = 0
            if let isMoreLeft {
                schedule.sent(at: now, isFull: false, isMoreLeft: isMoreLeft)
            } else {
                schedule.drained()
            }
            if isExiting, !schedule.isDirty { finish(isComplete: true) }
        }
    }
}
