// SPDX-License-Identifier: MIT
// The watchdog's thread: polls flight pages and reports hangs, each with a number of its own.

import RerenderModel
import RerenderWire
import Synchronization

/// Watches main loops from a thread of its own, which the event loop can never hold up.
///
/// It wakes every 10 ms while a turn runs anywhere, less often while all loops wait, and not at all when nothing is
/// watched. Everything is read from pages, so no app is woken by it.
final class WatchdogThread: Sendable {
    /// News of one process.
    struct Message: Sendable {
        enum Kind: Sendable {
            case hang(DetectorEvent)
            /// The page cannot be used.
            case fault(OpenPage.Fault)
        }

        var process: ProcessInstance
        var kind: Kind
    }

    /// An order to the thread.
    private enum Command: Sendable {
        /// Begin, or go on after the process has reconnected.
        case watch(ProcessInstance, page: OpenPage, WatchCheckpoint?)
        case end(ProcessInstance, exited: Bool)
        case forget(ProcessInstance)
        case stop
    }

    /// Numbers for the health report.
    struct Counters: Sendable {
        var watched = 0
        var looks: UInt64 = 0
        /// How late the thread woke up, in nanoseconds.
        var lateness = LatencyHistogram(octaves: 16)
        var maxLateness: UInt64 = 0
        var hangs: UInt64 = 0
        /// Long turns that left the ring before the thread read it.
        var missedLongTurns: UInt64 = 0
        var ignoredReadings: UInt64 = 0
        /// Messages that were dropped because the outbox was full.
        var droppedMessages: UInt64 = 0
    }

    /// As tools show the thread.
    static let name = "rerender-watchd"

    private let wait = ThreadWait()
    /// Since when daemons have watched, one after the other: what those before did not count is this one's.
    private let watchedSince = Atomic(Clocks.monotonic)
    private let inbox = Mutex<[Command]>([])
    private let outbox: Mutex<Outbox>
    private let shared = Mutex(Counters())
    private let thread = Mutex<JoinableThread?>(nil)
    private let numbers: HangNumbers
    private let onThreadStart: @Sendable () -> Void

    /// - Parameters:
    ///   - numbers: where hangs get their numbers.
    ///   - onThreadStart: runs first on the thread: what obtains its priority.
    init(numbers: HangNumbers, outboxLimit: Int, onThreadStart: @escaping @Sendable () -> Void) {
        self.numbers = numbers
        self.onThreadStart = onThreadStart
        outbox = Mutex(Outbox(limit: outboxLimit))
    }

    // MARK: Any thread

    var since: UInt64 { watchedSince.load(ordering: .relaxed) }

    /// Goes on for an earlier daemon; called before ``start(deliver:)``.
    func goOn(since earlier: UInt64) { watchedSince.min(earlier, ordering: .relaxed) }

    /// Starts the thread; false if the system gives none.
    ///
    /// - Parameter deliver: called on the thread when there are messages to take, once until they are taken. Only the
    ///   running thread holds it.
    func start(deliver: @escaping @Sendable () -> Void) -> Bool {
        thread.withLock { thread in
            guard thread == nil else { return true }
            thread = JoinableThread(name: Self.name) { [self] in
                onThreadStart()
                var watch = WatchedProcesses(numbers: numbers, since: since)
                run(&watch, deliver)
            }
            return thread != nil
        }
    }

    /// Ends the thread and waits for it, at most for one round of observations.
    func stop() {
        tell(.stop)
        thread.withLock { $0.take() }?.join()
    }

    /// Begins to watch, where an earlier watch had come to if there is a mark.
    func watch(_ process: ProcessInstance, page: OpenPage, mark: WatchCheckpoint? = nil) {
        tell(.watch(process, page: page, mark))
    }

    /// The process is gone: what is open is closed.
    func end(_ process: ProcessInstance, exited: Bool) { tell(.end(process, exited: exited)) }

    /// The process is of no interest any more.
    func forget(_ process: ProcessInstance) { tell(.forget(process)) }

    /// What happened since it was asked last.
    func takeMessages() -> [Message] {
        outbox.withLock { $0.take() }
    }

    var counters: Counters { shared.withLock { $0 } }

    private func tell(_ command: Command) {
        inbox.withLock { $0.append(command) }
        wait.wake()
    }

    // MARK: The thread

    private func run(_ watch: inout WatchedProcesses, _ deliver: () -> Void) {
        var deadline: UInt64?
        while true {
            let wasWoken = wait.wait(until: deadline)
            let woke = Clocks.monotonic
            let lateness = deadline.map { woke.saturatingDifference($0) } ?? 0
            if deadline != nil, !wasWoken {
                shared.withLock {
                    $0.lateness.record(lateness)
                    $0.maxLateness = max($0.maxLateness, lateness)
                }
            }
            let commands = inbox.withLock { commands in
                defer { commands = [] }
                return commands
            }
            var messages: [Message] = []
            for command in commands {
                switch command {
                case .watch(let process, let page, let mark): watch.begin(process, page: page, mark: mark, &messages)
                case .end(let process, let exited): watch.end(process, exited: exited, &messages)
                case .forget(let process): watch.forget(process)
                case .stop:
                    if hand(on: messages, watch) { deliver() }
                    return
                }
            }
            deadline = watch.poll(&messages, lateness: lateness)
            if hand(on: messages, watch) { deliver() }
        }
    }

    /// Puts messages into the outbox, and counts; returns whether to call `deliver`.
    private func hand(on messages: [Message], _ watch: borrowing WatchedProcesses) -> Bool {
        let opened = messages.count { if case .hang(.opened) = $0.kind { true } else { false } }
        let isNews = messages.isEmpty ? false : outbox.withLock { $0.add(messages) }
        let dropped = messages.isEmpty ? nil : outbox.withLock { $0.dropped }
        let totals = watch.totals
        shared.withLock {
            $0.watched = totals.watched
            $0.looks = totals.looks
            $0.missedLongTurns = totals.missed
            $0.ignoredReadings = totals.ignored
            $0.hangs &+= UInt64(opened)
            if let dropped { $0.droppedMessages = dropped }
        }
        return isNews
    }

    /// Messages that wait to be taken. A newer state of an open hang replaces the one that waits.
    struct Outbox: Sendable {
        let limit: Int
        private var messages: [Message] = []
        private(set) var dropped: UInt64 = 0

        init(limit: Int) {
            self.limit = limit
        }

        /// Adds messages; returns whether to call `deliver`, because none waited before.
        mutating func add(_ new: [Message]) -> Bool {
            let wasEmpty = messages.isEmpty
            for message in new {
                if case .hang(.updated) = message.kind, case .hang(.updated) = messages.last?.kind,
                    messages.last?.process == message.process
                {
                    messages[messages.count - 1] = message
                } else if messages.count < limit {
                    messages.append(message)
                } else {
                    dropped &+= 1
                }
            }
            return wasEmpty
        }

        mutating func take() -> [Message] {
            defer { messages = [] }
            return messages
        }
    }
}

/// Gives each hang of a daemon a number of its own, larger than all before. For any thread.
final class HangNumbers: Sendable {
    private let latest = Atomic<UInt64>(0)

    /// The next number; 1 is the first.
    func next() -> UInt64 { latest.add(1, ordering: .relaxed).newValue }

    /// Goes on behind numbers that were given before.
    func pass(_ number: UInt64) { latest.max(number, ordering: .relaxed) }
}
