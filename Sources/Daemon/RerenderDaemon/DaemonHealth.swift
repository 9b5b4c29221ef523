// SPDX-License-Identifier: MIT
// The daemon's report on itself, for `GET /v1/health`.

internal import Glibc
import RerenderModel
import RerenderWire

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
