// SPDX-License-Identifier: MIT
// The daemon's heart on its event loop: connections, the registry, and who has ended.

internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
import RerenderModel
import RerenderQuery
import RerenderWire

/// Everything that lives on the event loop. Only ever touched there.
final class DaemonCore {
    let configuration: DaemonConfiguration
    let loop: any EventLoop
    let registry: Registry
    private let log: Logger
    /// Shows notifications of hangs that ended, once somebody asked for them.
    let notifier: HangNotifier
    private var gate = LogThrottle()
    let pages: FlightPages
    /// Pages that were counted as unreadable; no more of them than names are looked at.
    var unreadablePages: Set<String> = []
    /// Whether apps wait to be accepted; the daemon says so once it listens.
    var hasWaitingApps: () -> Bool = { false }
    var apps: [UInt64: PushHandler] = [:]
    private var nextConnection: UInt64 = 0
    private(set) var bytesReceived: UInt64 = 0
    private let startedAt = Timestamp.now

    var queryConnections = 0
    var streams = 0
    private var commands = PendingCommands()
    private var reports: [UInt64: EventLoopPromise<CommandReport>] = [:]

    private var readers: [ObjectIdentifier: QueryHandler] = [:]
    private var eventTick: RepeatedTask?

    /// Looks after hangs of main loops. Made with the core and only nil before.
    var desk: HangCoordinator?
    private var watchdog: RepeatedTask?
    private var chores: Scheduled<Void>?
    private var recheckDelay = DaemonCore.firstRecheck
    private var statusIsDue = false
    /// Hangs whose traces are to be looked for.
    private var untraced: [(hang: Hang, openedAt: Timestamp)] = []
    private var isLookingForTraces = false
    /// What happens from now on is for the next daemon to find: pages must stay.
    private var isStateKept = false
    var nextLookAtConnected = NIODeadline.now()

    /// A process closes its sockets a moment before it is seen to have ended.
    private static let firstRecheck = TimeAmount.milliseconds(20)
    private static let slowestRecheck = TimeAmount.seconds(5)

    init(configuration: DaemonConfiguration, loop: any EventLoop, log: Logger) {
        self.configuration = configuration
        self.loop = loop
        self.log = log
        notifier = HangNotifier(log: log)
        registry = Registry(limits: configuration.limits)
        pages = FlightPages(directory: configuration.runtimeDirectory.flightDirectory)
        let bound = NIOLoopBound(Weak(self), eventLoop: loop)
        desk = HangCoordinator(
            registry: registry, pages: pages, loop: loop,
            onThreadStart: { [priority = configuration.watchdogPriority, owns = configuration.raisesOpenFiles] in
                priority.obtain(ownsProcess: owns)
            },
            send: { bound.value.core?.apps[$0]?.send($1) ?? false },
            onFault: { bound.value.core?.unwatched($0, $1) }, onEnd: { bound.value.core?.ended($0) })
    }

    /// A hang is over: shown to whoever asked for that, and its trace looked for, if it was recorded.
    private func ended(_ hang: Hang) {
        notifier.hangEnded(hang)
        let openedAt = hang.startedAt.nanosecondsSince1970 &+ Int64(clamping: hang.openedAfterNanoseconds ?? 0)
        let bound = NIOLoopBound(self, eventLoop: loop)
        // LTTng writes the trace while the hang lasts, and for a moment after a short one.
        loop.scheduleTask(in: configuration.limits.captureDelay) {
            bound.value.untraced.append((hang, Timestamp(nanosecondsSince1970: openedAt)))
            bound.value.lookForTraces()
        }
    }

    /// Off the loop, a directory may be on a slow disk; one scan at a time, for all hangs that wait for it.
    private func lookForTraces() {
        guard !isLookingForTraces, !untraced.isEmpty else { return }
        isLookingForTraces = true
        let hangs = untraced
        untraced = []
        let bound = NIOLoopBound(self, eventLoop: loop)
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { HangCaptures.current()?.scan(for: hangs) }
            .whenComplete { result in
                bound.value.isLookingForTraces = false
                if case .success(let scan?) = result { bound.value.take(scan) }
                bound.value.lookForTraces()
            }
    }

    private func take(_ scan: HangCaptures.Scan) {
        registry.forgetTraces(in: scan.directory, except: scan.kept)
        for (id, trace) in scan.traces { registry.noteTrace(trace, ofHang: id) }
    }

    private final class Weak {
        weak var core: DaemonCore?
        init(_ core: DaemonCore) { self.core = core }
    }

    private var keep: TimeAmount { TimeAmount(configuration.keep) }

    // MARK: Connections of apps

    /// Closes a connection that was just accepted; what for is counted and logged.
    struct Refused: Error {}

    /// Takes in an accepted connection, or says why not by an error that closes it.
    func accept(_ channel: any Channel, from peer: PeerCredentials) throws {
        guard peer.isTrusted() else {
            registry.drops.foreignPeers &+= 1
            note(.refusedConnection, "refused a connection of user \(peer.uid)")
            throw Refused()
        }
        guard apps.count < configuration.limits.connections else {
            registry.drops.connections &+= 1
            note(.refusedConnection, "refused a connection over the limit of \(configuration.limits.connections)")
            throw Refused()
        }
        nextConnection &+= 1
        let handler = PushHandler(connection: AppConnection(serial: nextConnection, pid: peer.pid), core: self)
        try channel.pipeline.syncOperations.addHandler(handler)
        apps[nextConnection] = handler
        // Also when the connection ends before it was ever active.
        let (bound, closed) = (NIOLoopBound(self, eventLoop: loop), NIOLoopBound(handler, eventLoop: loop))
        channel.closeFuture.whenComplete { _ in bound.value.closed(closed.value) }
    }

    /// Whether everything that apps sent so far is taken in.
    ///
    /// Asks the kernel: that nothing came for a while proves nothing on a busy machine.
    var isDrained: Bool { !apps.values.contains(where: \.hasUnread) }

    func received(bytes: Int) {
        bytesReceived &+= UInt64(bytes)
    }

    /// Does what the registry asked for after a frame of `handler`.
    func perform(_ handler: PushHandler) {
        let actions = registry.actions
        registry.actions.removeAll(keepingCapacity: true)
        for action in actions {
            switch action {
            case .welcome:
                handler.greeted()
                _ = handler.send(.welcome(version: WireProtocol.version))
                if let process = handler.connection.process {
                    let program = ProcessTable.program(of: process.identity.pid)
                    // What the old program has not counted is not the new one's to count.
                    if let old = process.program, let program, old != program { registry.settleNotices(of: process) }
                    process.program = program ?? process.program
                    desk?.connected(process)
                }
                note(.processes, "connected", of: handler.connection)
                statusChanged()
            case .supersede(let connection): apps[connection]?.close()
            case .done(let result, let connection):
                if let command = commands.done(result, from: connection) { finish(command) }
            }
        }
    }

    /// An app reads again.
    func becameWritable(_ handler: PushHandler) {
        if let process = handler.connection.process, process.connection === handler.connection { desk?.flush(process) }
    }

    func closed(_ handler: PushHandler) {
        guard apps.removeValue(forKey: handler.connection.serial) != nil else { return }
        for command in commands.disconnected(handler.connection.serial) { finish(command) }
        registry.disconnected(handler.connection)
        guard !isStateKept else { return }
        recheckDelay = Self.firstRecheck
        doChores()
        statusChanged()
    }

    // MARK: Chores

    /// Goes on from what was kept of an earlier daemon, if anything was.
    func begin() {
        desk?.begin()
        doChores()
        desk?.resume()
    }

    /// Settles and forgets what is due, and sees to it that this happens again when it must.
    func doChores() {
        chores?.cancel()
        chores = nil
        settleEndedProcesses()
        let expiry = registry.expire(keep: keep, maxEnded: configuration.maxEnded, now: .now())
        var next = expiry
        if !registry.disconnectedProcesses.isEmpty {
            let recheck = NIODeadline.now() + recheckDelay
            recheckDelay = min(Self.slowestRecheck, recheckDelay + recheckDelay)
            next = min(next ?? recheck, recheck)
        }
        guard let next else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        chores = loop.scheduleTask(deadline: next) { bound.value.doChores() }
    }

    // MARK: Commands

    /// Sends a command and answers when all apps have, or when the time is up.
    func execute(_ plan: CommandPlan) -> EventLoopFuture<CommandReport> {
        let promise = loop.makePromise(of: CommandReport.self)
        let (command, requests) = commands.open(plan.targets)
        reports[command] = promise
        for (target, request) in zip(plan.targets, requests) {
            _ = apps[target.connection]?.send(plan.message(request, target.storeID))
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let deadline = loop.scheduleTask(in: configuration.limits.commandTimeout) { bound.value.finish(command) }
        if plan.targets.isEmpty { finish(command) }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        return promise.futureResult
    }

    private func finish(_ command: UInt64) {
        guard let promise = reports.removeValue(forKey: command) else { return }
        promise.succeed(commands.close(command) ?? CommandReport(sent: 0, confirmed: 0, reached: 0))
    }

    // MARK: Readers of events

    func add(reader: QueryHandler) {
        if readers.isEmpty {
            registry.recordChanges(true)
            let bound = NIOLoopBound(self, eventLoop: loop)
            let interval = configuration.limits.eventInterval
            eventTick = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                bound.value.tellReaders()
            }
        }
        readers[ObjectIdentifier(reader)] = reader
    }

    func remove(reader: QueryHandler) {
        guard readers.removeValue(forKey: ObjectIdentifier(reader)) != nil, readers.isEmpty else { return }
        eventTick?.cancel()
        eventTick = nil
        registry.recordChanges(false)
    }

    var hasRoomForReader: Bool { readers.count < configuration.limits.eventReaders }

    private func tellReaders() {
        let changes = registry.takeChanges()
        guard !changes.isEmpty else { return }
        for reader in readers.values { reader.add(changes) }
    }

    // MARK: Health

    var router: QueryRouter {
        QueryRouter(registry: registry, limits: configuration.limits, notifier: notifier) { self.health }
    }

    private var health: HealthReport {
        var report = HealthReport()
        report.pid = getpid()
        report.startedAt = startedAt
        report.protocolVersion = Int(WireProtocol.version)
        report.runtimeDirectory = configuration.runtimeDirectory.path
        report.sockets = configuration.sockets == .own ? "own" : "systemd"
        report.connections = registry.processes.filter { $0.connection != nil }.count
        report.endedProcesses = registry.processes.filter { $0.endedAt != nil }.count
        report.forgottenProcesses = registry.forgotten
        report.views = registry.processes.reduce(0) { $0 + $1.viewCount }
        report.totalsReceived = registry.totalsReceived
        report.bytesReceived = bytesReceived
        report.dropped = registry.drops
        desk?.fill(&report.watchdog)
        configuration.watchdogPriority.fill(&report.watchdog)
        return report
    }

    // MARK: The service manager

    /// Begins to ping the watchdog, from the loop that does the work: one that is stuck does not ping.
    func startWatchdog() {
        guard let interval = configuration.notifier.watchdog else { return }
        let half = TimeAmount.nanoseconds(max(1, interval.nanoseconds / 2))
        let notifier = configuration.notifier
        watchdog = loop.scheduleRepeatedTask(initialDelay: .zero, delay: half) { _ in notifier.send("WATCHDOG=1") }
    }

    /// Tells the service manager at most once a second how many are connected.
    private func statusChanged() {
        guard configuration.notifier.socket != nil, !statusIsDue else { return }
        statusIsDue = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: .seconds(1)) { bound.value.sendStatus() }
    }

    func sendStatus() {
        statusIsDue = false
        let health = health
        configuration.notifier.send("STATUS=\(health.connections) apps connected, \(health.views) views")
    }

    // MARK: Stopping

    /// Ends everything on the loop. What apps sent is taken in by now.
    func stop() {
        configuration.notifier.send("STOPPING=1")
        desk?.stop()
        watchdog?.cancel()
        chores?.cancel()
        eventTick?.cancel()
        for command in Array(reports.keys) { finish(command) }
    }

    func closeConnections() {
        for app in apps.values { app.close() }
    }

    /// The state to keep; settled first, so that a process that has just ended is kept as ended.
    func savedState() -> [[UInt8]] {
        settleEndedProcesses()
        desk?.settle()
        isStateKept = true
        _ = registry.expire(keep: keep, maxEnded: configuration.maxEnded, now: .now())
        return StateFile.parts(
            of: registry, bootID: ProcessTable.bootID, limit: configuration.limits.stateBytes, now: .now())
    }

    // MARK: Log

    /// Logs something that a peer can cause as often as it likes.
    func note(_ cause: LogThrottle.Cause, _ text: String, of connection: AppConnection? = nil, _ reason: String? = nil)
    {
        let (isAdmitted, keptBack) = gate.admit(cause, now: .now())
        if keptBack > 0 { log.notice("\(keptBack) more lines like the following were left out") }
        guard isAdmitted else { return }
        var metadata: Logger.Metadata = [:]
        if let connection { metadata["pid"] = "\(connection.pid)" }
        if let name = connection?.process?.name { metadata["name"] = "\(name)" }
        if let reason { metadata["reason"] = "\(reason)" }
        log.log(level: cause == .processes ? .info : .warning, "\(text)", metadata: metadata)
    }
}
