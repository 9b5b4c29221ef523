// SPDX-License-Identifier: MIT
// Between the watchdog's thread and the event loop: who is watched, and what becomes of a hang.

internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire
import Synchronization

/// Takes what the watchdog sees into the registry, and tells apps and traces. Confined to the event loop.
final class HangDesk {
    private let registry: Registry
    private let limits: DaemonLimits
    private let thread: WatchdogThread
    private let signposts: HangSignposts
    /// Sends a message to an app; false if it could not be sent.
    private let send: (_ connection: UInt64, DaemonMessage) -> Bool
    private let onFault: (_ page: String, FlightPages.Fault) -> Void
    private let onEnd: (Hang) -> Void
    private let loop: any EventLoop
    private var isRunning = false
    private var isStopped = false
    /// Notices that an app without a connection, or one that does not read, has still to get.
    private var waiting: [ProcessIdentity: [HangNotice]] = [:]
    private(set) var droppedNotices: UInt64 = 0

    init(
        registry: Registry, pages: FlightPages, loop: any EventLoop, onThreadStart: @escaping @Sendable () -> Void,
        send: @escaping (_ connection: UInt64, DaemonMessage) -> Bool,
        onFault: @escaping (_ page: String, FlightPages.Fault) -> Void,
        onEnd: @escaping (Hang) -> Void = { _ in }
    ) {
        self.registry = registry
        self.send = send
        self.onFault = onFault
        self.onEnd = onEnd
        self.loop = loop
        limits = registry.limits
        signposts = HangSignposts()
        let box = DeskBox()
        thread = WatchdogThread(
            pages: pages, outboxLimit: limits.watchdogMessages, onThreadStart: onThreadStart,
            deliver: { box.deliver() })
        box.set(self, on: loop)
    }

    // MARK: Processes

    /// An app has said hello: its page is watched from now on, and it gets what waited for it.
    func connected(_ process: ProcessRecord) {
        flush(process)
        guard !isStopped else { return }
        guard !process.flightPage.isEmpty else {
            if isRunning { thread.forget(process.identity) }
            return
        }
        if !isRunning {
            // Only now: nothing is to be watched before, and what was kept of hangs is in the book.
            isRunning = thread.start(firstID: registry.hangs.nextID)
            signposts.load()
        }
        if isRunning { thread.watch(process.identity, page: process.flightPage) }
    }

    /// A process has ended.
    func ended(_ process: ProcessRecord, exited: Bool) {
        if isRunning { thread.end(process.identity, exited: exited) }
        for notice in waiting.removeValue(forKey: process.identity) ?? [] {
            registry.countHangOfDeadProcess(notice, of: process)
        }
    }

    /// Ends the watch; hangs that are open stay so.
    func stop() {
        isStopped = true
        guard isRunning else { return }
        isRunning = false
        thread.stop()
        take()
    }

    // MARK: Hangs

    /// Takes in what the watchdog has to tell.
    fileprivate func take() {
        for message in thread.takeMessages() {
            // One that was forgotten to make room is of no interest any more.
            guard registry.process(message.process) != nil else {
                registry.endOpenHangs(of: message.process)
                thread.forget(message.process)
                continue
            }
            switch message.kind {
            case .fault(let fault):
                onFault(registry.process(message.process)?.flightPage ?? "", fault)
            case .hang(let event): take(event, of: message.process)
            }
        }
    }

    private func take(_ event: HangEvent, of identity: ProcessIdentity) {
        switch event {
        case .opened(let report):
            let hang = registry.hang(report, of: identity)
            guard registry.put(hang, of: identity, isNews: true) else { return }
            signposts.began(hang)
        case .updated(let report):
            registry.put(registry.hang(report, of: identity), of: identity, isNews: false)
        case .closed(let report): close(report, of: identity)
        case .dropped(let id):
            if let hang = registry.hangs.hang(id) { signposts.ended(hang) }
            registry.removeHang(id)
        case .microHang(let report):
            guard report.counts else { return }
            tell(registry.notice(report, registry.hang(report, of: identity)), to: identity)
        case .askStack(let hang, let turn): ask(.sampleStack(hang: hang, turn: turn), of: identity)
        case .watchTurn(let turn): ask(.watchTurn(turn: turn), of: identity)
        }
    }

    private func close(_ report: HangReport, of identity: ProcessIdentity, isLastTry: Bool = false) {
        if !isLastTry, registry.process(identity)?.connection != nil, registry.hasNamelessView(report, of: identity) {
            // Views that were first evaluated in the hang: the app tells of them a tenth of a second after it.
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: limits.viewNamesDelay) { bound.value.close(report, of: identity, isLastTry: true) }
            return
        }
        let hang = registry.hang(report, of: identity)
        guard registry.put(hang, of: identity, isNews: true) else { return }
        signposts.ended(hang)
        if hang.counts { tell(registry.notice(report, hang), to: identity) }
        onEnd(hang)
    }

    /// A question that is only of use while the hang lasts: not repeated.
    private func ask(_ message: DaemonMessage, of identity: ProcessIdentity) {
        guard let connection = registry.process(identity)?.connection else { return }
        _ = send(connection.serial, message)
    }

    // MARK: Telling apps

    private func tell(_ notice: HangNotice, to identity: ProcessIdentity) {
        guard let process = registry.process(identity) else { return }
        if process.endedAt != nil { return registry.countHangOfDeadProcess(notice, of: process) }
        guard waiting[identity, default: []].count < limits.waitingNotices else {
            droppedNotices &+= 1
            return
        }
        waiting[identity, default: []].append(notice)
        flush(process)
    }

    /// Sends what waits, in its order, as far as the app reads.
    private func flush(_ process: ProcessRecord) {
        guard let connection = process.connection, let notices = waiting[process.identity] else { return }
        let sent = notices.prefix { send(connection.serial, .hangEnded($0)) }.count
        waiting[process.identity] = sent == notices.count ? nil : Array(notices.dropFirst(sent))
    }

    // MARK: Health

    /// The watchdog's numbers; its priority is filled in by whoever obtained it.
    func fill(_ report: inout HealthReport.Watchdog) {
        let counters = thread.counters
        report.watched = counters.watched
        report.looks = counters.looks
        report.latenessP50Nanoseconds = counters.lateness.percentile(50)
        report.latenessP99Nanoseconds = counters.lateness.percentile(99)
        report.latenessMaxNanoseconds = counters.lateness.max
        report.hangs = counters.hangs
        report.hangsForgotten = registry.hangs.forgotten
        report.missed = counters.missedLongTurns
        report.ignoredReadings = counters.ignoredReadings
        report.dropped = counters.droppedMessages.saturatingSum(droppedNotices)
    }
}

/// Brings the watchdog's call to the event loop, on which the desk lives.
private final class DeskBox: Sendable {
    private let target = Mutex<(any EventLoop, NIOLoopBound<Weak>)?>(nil)

    final class Weak {
        weak var desk: HangDesk?
        init(_ desk: HangDesk) { self.desk = desk }
    }

    func set(_ desk: HangDesk, on loop: any EventLoop) {
        let bound = NIOLoopBound(Weak(desk), eventLoop: loop)
        target.withLock { $0 = (loop, bound) }
    }

    func deliver() {
        guard let (loop, bound) = target.withLock({ $0 }) else { return }
        loop.execute { bound.value.desk?.take() }
    }
}
