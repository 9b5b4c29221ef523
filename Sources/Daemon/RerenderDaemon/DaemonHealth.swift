// SPDX-License-Identifier: MIT
// The daemon's report on itself, for `GET /v1/health`.

internal import Glibc
import RerenderModel
import RerenderQuery
import RerenderWire

/// Where the numbers of the health report come from.
struct DaemonHealth {
    let context: DaemonContext
    let apps: AppServer
    let connections: AppConnections
    let ended: EndedProcesses
    let hangs: HangCoordinator
    let journal: HangJournal
    let startedAt = Timestamp.now

    func report() -> HealthReport {
        let (configuration, registry) = (context.configuration, context.registry)
        var report = HealthReport()
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
        report.bytesReceived = apps.bytesReceived
        report.dropped = registry.drops
        ended.closeConnections()
        report.drained = connections.hasTakenInEndedProcesses
        hangs.fill(&report.watchdog)
        report.watchdog.dropped = report.watchdog.dropped.saturatingSum(journal.failures)
        configuration.watchdogPriority.fill(&report.watchdog)
        return report
    }
}
