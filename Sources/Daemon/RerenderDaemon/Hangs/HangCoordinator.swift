// SPDX-License-Identifier: MIT
// Between the watchdog's thread and the event loop: who is watched, and what becomes of a hang.

internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire
import Synchronization

/// Takes what the watchdog sees into the registry, and tells apps and traces. Confined to the event loop.
final class HangCoordinator {
    private let registry: Registry
    private let numbers = HangNumbers()
    private let limits: DaemonLimits
    private let thread: WatchdogThread
    /// Sends a message to an app; false if it could not be sent.
    private let send: (_ connection: UInt64, DaemonMessage) -> Bool
    private let onFault: (ProcessInstance, OpenPage.Fault) -> Void
    private let onEnd: (Hang) -> Void
    /// A hang, if one is over, is to be kept, and what its process's stores count now.
    private let onCount: (Hang?, ProcessInstance, [Registry.HangCount]) -> Void
    private let loop: any EventLoop
    private var isRunning = false
    private var isStopped = false
    private var isFlushing = false
    /// Processes whose pages the thread has.
    private var watched: Set<ProcessInstance> = []
    /// Hangs and micro-hangs that are over and wait for the names of their views or stores, or for what the app saw, in their order.
    private var closing: [EndedHang] = []
    /// Hangs in which the app was asked what its thread does, and how often.
    private var asked: [UInt64: Int] = [:]
    private(set) var droppedNotices: UInt64 = 0

    /// A hang or micro-hang that is over.
    private struct EndedHang {
        let seen: SeenHang
        let progress: WatchCheckpoint
        let process: ProcessInstance
        let since = NIODeadline.now()
    }

    init(
        registry: Registry, loop: any EventLoop, onThreadStart: @escaping @Sendable () -> Void,
        send: @escaping (_ connection: UInt64, DaemonMessage) -> Bool,
        onFault: @escaping (ProcessInstance, OpenPage.Fault) -> Void,
        onEnd: @escaping (Hang) -> Void = { _ in },
        onCount: @escaping (Hang?, ProcessInstance, [Registry.HangCount]) -> Void = { _, _, _ in }
    ) {
        (self.registry, self.loop, limits) = (registry, loop, registry.limits)
        (self.send, self.onFault, self.onEnd, self.onCount) = (send, onFault, onEnd, onCount)
        thread = WatchdogThread(
            numbers: numbers, outboxLimit: limits.watchdogMessages, onThreadStart: onThreadStart)
    }

    // MARK: Processes

    /// What another daemon kept is in the registry: numbers go on behind it.
    func begin() {
        numbers.pass(registry.hangs.latestID)
        if let since = registry.watchedSince { thread.goOn(since: since) }
        registry.watchedSince = thread.since
    }

    /// An app has said hello: its page is watched from now on. It gets the counts of each store that it tells of.
    func connected(_ process: ProcessEntry) {
        // After an `exec`, others have their numbers.
        process.staleCounts = []
        watch(process)
    }

    /// Begins to watch a process, or goes on with its page; forgets one whose page is gone.
    func watch(_ process: ProcessEntry) {
        guard !isStopped else { return }
        guard let page = process.page else {
            if watched.remove(process.identity) != nil { thread.forget(process.identity) }
            return
        }
        if !isRunning {
            // Only now: nothing is to be watched before.
            let bound = NIOLoopBound(self, eventLoop: loop)
            isRunning = thread.start { [loop] in loop.execute { bound.value.take() } }
            HangSignposts.load()
            MarkSignposts.load()
        }
        guard isRunning else { return }
        watched.insert(process.identity)
        thread.watch(process.identity, page: page, mark: process.progress)
    }

    /// A process has ended: its page is read a last time.
    func ended(_ process: ProcessEntry, exited: Bool) {
        if watched.remove(process.identity) != nil, isRunning {
            thread.end(process.identity, exited: exited)
        } else {
            // No page tells how they went on.
            registry.endOpenHangs(of: process.identity, .killed)
        }
        process.staleCounts = []
    }

    /// Ends the watch. The next daemon finds what is open on the pages.
    func stop() {
        isStopped = true
        guard isRunning else { return }
        isRunning = false
        thread.stop()
        take()
        watched = []
    }

    /// Takes in what waits for something that will not come any more: the state is about to be kept.
    func settle() {
        let waiting = closing
        closing = []
        for ended in waiting { close(ended) }
    }

    /// Closes those that wait for nothing any more.
    private func closeWaiting() {
        let waiting = closing
        closing = []
        for ended in waiting { closeInTime(ended) }
    }

    // MARK: Hangs

    /// Takes in what the watchdog has to tell.
    private func take() {
        for message in thread.takeMessages() {
            // One that was forgotten to make room is of no interest any more.
            guard registry.process(message.process) != nil else {
                registry.endOpenHangs(of: message.process, .killed)
                watched.remove(message.process)
                thread.forget(message.process)
                continue
            }
            switch message.kind {
            case .fault(let fault):
                watched.remove(message.process)
                // How they go on cannot be seen.
                registry.endOpenHangs(of: message.process, .normally)
                onFault(message.process, fault)
            case .hang(let event): take(event, of: message.process)
            }
        }
    }

    private func take(_ event: DetectorEvent, of identity: ProcessInstance) {
        switch event {
        case .opened(let seen):
            let hang = registry.named(seen, of: identity)
            guard registry.put(hang, of: identity, isNews: true) else { return }
            // Another copy of the library in the process may have reported it first.
            let listed = registry.hangs.hang(hang.id) ?? hang
            if listed.id == hang.id { HangSignposts.began(hang, startedAt: seen.startedAt) }
        case .updated(let seen): registry.put(registry.named(seen, of: identity), of: identity, isNews: false)
        case .closed(let seen, let progress):
            closeInTime(EndedHang(seen: seen, progress: progress, process: identity))
        case .dropped(let id):
            let hang = registry.hangs.hang(id)
            asked[id] = nil
            registry.removeHang(id)
            if let hang, registry.hangs.hang(hang.id) == nil { HangSignposts.dropped(hang) }
        case .askStack(let hang, let turn):
            guard ask(.sampleStack(hang: hang, turn: turn), of: identity) else { return }
            // Those of processes that were forgotten are among them.
            if asked.count >= limits.hangs { asked = [:] }
            asked[hang, default: 0] += 1
        case .lookForLoops: ask(.lookForLoops, of: identity)
        case .watchTurn(let turn): ask(.watchTurn(turn: turn), of: identity)
        }
    }

    /// Closes it, or has it wait.
    private func closeInTime(_ ended: EndedHang) {
        guard mustWait(ended) else { return close(ended) }
        closing.append(ended)
        guard closing.count == 1 else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: limits.closeInterval) { bound.value.closeWaiting() }
    }

    private func close(_ ended: EndedHang) {
        let (seen, identity) = (ended.seen, ended.process)
        let hang = registry.named(seen, of: identity)
        asked[hang.id] = nil
        let isMicroHang = hang.id == 0
        guard isMicroHang || registry.put(hang, of: identity, isNews: true) else { return }
        let process = registry.process(identity)
        process?.progress = ended.progress
        var counted: [Registry.HangCount] = []
        if hang.counts, let process {
            // The app that hung is no more; the process may be, as another program.
            let hasEnded = hang.ended != .normally || process.endedAt != nil
            counted = registry.count(hang, blamed: seen.blamed, of: process, isOver: hasEnded)
        }
        // Another copy of the library in the process may have reported it first, and not yet its end.
        let known = isMicroHang ? nil : registry.hangs.hang(hang.id)
        let listed = known?.id == hang.id ? hang : known ?? hang
        let isOver = known?.open != true
        // Before the app hears of it: a daemon that is killed in between has said nothing that it does not know.
        onCount(isOver ? listed : nil, identity, counted)
        tell(counted, to: identity)
        guard !isMicroHang, isOver else { return }
        HangSignposts.ended(listed, startedAt: seen.startedAt)
        onEnd(listed)
    }

    /// The names of views that were first evaluated in the hang come a tenth of a second after it, as do the stores of an app that has
    /// just connected. What the app was asked comes later: its first names of functions take long.
    private func mustWait(_ ended: EndedHang) -> Bool {
        let (seen, identity) = (ended.seen, ended.process)
        guard registry.process(identity)?.connection != nil else { return false }
        // The app hears of hangs in the order of their ends.
        if closing.contains(where: { $0.process == identity }) { return true }
        let waited = NIODeadline.now() - ended.since
        if waited < limits.looksDelay, waitsForLook(seen) { return true }
        guard waited < limits.viewNamesDelay else { return false }
        return registry.waitsForStores(identity) || (seen.hang.id != 0 && registry.hasNamelessView(seen, of: identity))
    }

    /// Whether the app has yet to say what its thread did.
    private func waitsForLook(_ seen: SeenHang) -> Bool {
        guard let asked = asked[seen.hang.id], let entry = registry.hangs.entry(seen.hang.id) else { return false }
        return entry.looks < asked
    }

    /// A question that is only of use while the hang lasts: not repeated. False if it was not sent.
    @discardableResult
    private func ask(_ message: DaemonMessage, of identity: ProcessInstance) -> Bool {
        guard let connection = registry.process(identity)?.connection else { return false }
        return send(connection.serial, message)
    }

    // MARK: Telling apps

    /// Tells the app what its stores counted. One that cannot be told now gets the counts later, without the hang.
    private func tell(_ counted: [Registry.HangCount], to identity: ProcessInstance) {
        guard let process = registry.process(identity) else { return }
        for (store, view, notice) in counted {
            guard let notice else { continue }
            if let connection = process.connection {
                if send(connection.serial, .hangEnded(notice)) { continue }
                droppedNotices &+= 1
            }
            process.staleCounts.insert(.init(store: store.serial, index: view ?? ViewReference.noView))
        }
    }

    /// Tells an app what a store of it counts, so that its copy is not behind.
    func tellCounts(ofStore serial: UInt32) {
        guard let (process, store) = registry.storesBySerial[serial] else { return }
        for view in [ViewReference.noView] + store.viewsWithHangs {
            process.staleCounts.insert(.init(store: serial, index: view))
        }
        flush(process)
    }

    /// Sends the counts that the app has not heard of, as far as it reads.
    func flush(_ process: ProcessEntry) {
        // A message that is sent may make the connection writable again, which calls this for the same process.
        guard let connection = process.connection, !isFlushing else { return }
        isFlushing = true
        defer { isFlushing = false }
        while let counts = process.staleCounts.first {
            let store = registry.storesBySerial[counts.store]?.store
            if let store, !send(connection.serial, .hangCounts(store.notice(counts.view))) { return }
            process.staleCounts.remove(counts)
        }
    }

    // MARK: Health

    /// The watchdog's numbers, without its priority.
    func fill(_ report: inout HealthReport.Watchdog) {
        let counters = thread.counters
        report.watched = counters.watched
        report.looks = counters.looks
        let lateness = counters.lateness.percentiles([50, 99], maximum: counters.maxLateness)
        report.latenessP50Nanoseconds = lateness[0]
        report.latenessP99Nanoseconds = lateness[1]
        report.latenessMaxNanoseconds = counters.maxLateness
        report.hangs = counters.hangs
        report.hangsForgotten = registry.hangs.forgotten
        report.missed = counters.missedLongTurns
        report.ignoredReadings = counters.ignoredReadings
        report.dropped = counters.droppedMessages.clampedSum(droppedNotices)
    }
}
