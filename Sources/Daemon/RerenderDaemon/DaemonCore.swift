// SPDX-License-Identifier: MIT
// Everything of a daemon that lives on its event loop, put together, and the daemon's report on itself.

internal import Glibc
internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire

/// The parts of a daemon. Only used on its event loop.
final class DaemonCore {
    let registry: Registry
    let connections = AppConnections()
    let apps: AppServer
    let queries: QueryService
    private let hangs: HangCoordinator
    private let journal: StateJournal
    private let commands: CommandRunner
    private let ended: EndedProcesses
    private let status: ServiceStatus

    /// Makes the parts in the order in which they depend on each other.
    init(configuration: DaemonConfiguration, loop: any EventLoop, log logger: Logger) {
        let context = DaemonContext(
            configuration: configuration, registry: Registry(limits: configuration.limits), loop: loop.assumeIsolated(),
            log: PeerLog(logger), settings: CurrentSettings(configuration.settingsFile, log: logger))
        let registry = context.registry
        let notifier = HangNotifier(log: logger)
        context.settings.onLook = { notifier.isEnabled = $0.notify ?? false }
        _ = context.settings.now
        let journal = StateJournal(of: registry, configuration, log: logger) { [loop = context.loop] in
            loop.scheduleTask(in: $0, $1)
        }
        let captures = CaptureSearch(context, onFound: journal.addAgain)
        self.registry = registry
        self.journal = journal
        hangs = HangCoordinator(
            registry: registry, loop: loop,
            onThreadStart: { [priority = configuration.watchdogPriority, owns = configuration.raisesOpenFiles] in
                priority.obtain(ownsProcess: owns)
            },
            send: { [connections] in connections.send($1, to: $0) },
            onFault: { identity, fault in
                guard let process = registry.process(identity), process.page != nil else { return }
                process.page = nil
                context.cannotUsePage(of: process.connection, fault)
            },
            onEnd: {
                notifier.hangEnded($0)
                captures.search(for: $0)
            }, onCount: journal.add)
        commands = CommandRunner(context, send: connections.send)
        ended = EndedProcesses(context, connections: connections, hangs: hangs)
        status = ServiceStatus(configuration.notifier, loop: context.loop) {
            "\(registry.connectionCount) apps connected, \(registry.viewCount) views"
        }
        apps = AppServer(
            context, connections: connections, hangs: hangs, commands: commands, ended: ended, status: status)
        let threads = ThreadTimes { $0.page?.loopThread ?? 0 }
        registry.onLoop = threads.lookFirst
        registry.onLoopReset = threads.lookAgain
        registry.onMark = MarkSignposts.emit
        registry.onOwnMark = { [weak registry] in registry?.mark($1, by: $0) }
        let router = QueryRouter(
            registry: registry, limits: configuration.limits, threads: threads,
            health: { [apps] in
                var report = apps.health()
                report.watchdog.dropped = report.watchdog.dropped.clampedSum(journal.failures)
                return report
            })
        queries = QueryService(context, router: router, commands: commands, refresh: ended.settle)
    }

    /// Takes up what an earlier daemon saved, before anything is watched.
    func restored() { hangs.begin() }

    /// Goes on from what an earlier daemon saved, if anything.
    func begin() {
        journal.begin()
        ended.begin()
        status.startPings()
    }

    /// Ends everything on the loop but the connections of apps, whose data is still taken in.
    func stop() {
        status.stop()
        ended.stop()
        queries.events.stop()
        commands.stop()
    }

    var limits: DaemonLimits { registry.limits }

    /// A connection waits that there is no descriptor for.
    func cannotAccept(_ error: IOError) {
        queries.context.log.write(
            .refusedConnection,
            "no descriptor for another connection: raise the limit of open files (LimitNOFILE=)", of: nil, "\(error)")
    }

    func savedState() -> [[UInt8]] {
        ended.prepareToSave()
        journal.stop()
        return Array(
            StateFile.parts(
                of: registry, bootID: ProcessTable.bootID, limit: registry.limits.stateBytes, now: .now()))
    }

    /// Adds to the state file of the time before what it lacks; false if that cannot be done.
    func addToState() -> Bool { journal.addRest() }

    /// Ends the connections of apps.
    func closeConnections() {
        for app in connections.all { app.close() }
    }
}

extension AppServer {
    /// The daemon as it is now.
    func health() -> HealthReport {
        let (configuration, registry) = (context.configuration, context.registry)
        var report = HealthReport()
        report.daemonVersion = RerenderVersion.current
        report.pid = getpid()
        report.startedAt = startedAt
        report.protocolVersion = RerenderVersion.pushProtocol
        report.runtimeDirectory = configuration.runtimeDirectory.path
        report.sockets = configuration.sockets == .own ? "own" : "systemd"
        report.connections = registry.connectionCount
        report.endedProcesses = registry.processes.count { $0.endedAt != nil }
        report.forgottenProcesses = registry.forgotten
        report.views = registry.viewCount
        report.totalsReceived = registry.totalsReceived
        report.bytesReceived = bytesReceived
        report.dropped = registry.drops
        report.drained = ended.hasTakenInEndedProcesses()
        hangs.fill(&report.watchdog)
        configuration.watchdogPriority.fill(&report.watchdog)
        return report
    }
}
