// SPDX-License-Identifier: MIT
// Runs all checks, and prints what they found.

import RerenderDaemon
import RerenderShow

/// The doctor's report: JSON version 1, `{"version": 1, "checks": [{"check", "status", "text", "advice"}]}`.
package struct DoctorReport: Hashable, Codable, Sendable {
    package var version = 1
    package var checks: [Finding]

    /// Whether a check failed; warnings are none.
    package var hasFailed: Bool { checks.contains { $0.status == .fail } }

    /// The report's lines, each at most `width` columns wide where no word is longer: a path or a command that is cut
    /// could not be copied.
    package func lines(width: Int, colours: Bool) -> [String] {
        checks.enumerated().flatMap { index, finding -> [String] in
            let status = Fit.pad(finding.status.rawValue, 4, toTheRight: false)
            let text = Wrap.lines("\(finding.check): \(finding.text)", width: width - 6, indent: 2, cutting: false)
            let isRepeated = index > 0 && finding.advice == checks[index - 1].advice
            let shownAdvice = isRepeated ? finding.advice.map { _ in "as above" } : finding.advice
            let advice =
                shownAdvice.map { Wrap.lines("→ " + $0, width: width - 8, indent: 2, cutting: false) } ?? []
            let first = finding.status.style.apply(status, colours: colours) + "  " + (text.first ?? "")
            return [first] + text.dropFirst().map { "      " + $0 } + advice.map { "        " + $0 }
        } + [summary]
    }

    /// Runs every check.
    ///
    /// - Parameter others: What else was looked at; it comes last.
    package static func ofThisMachine(others: [Finding]) async -> DoctorReport {
        let system = LocalSystem()
        let inUse = RuntimeDirectory.current()
        let commands = await FoundDaemonClient(directory: inUse).commands()
        let isThere = await system.connectionFault(inUse.querySocket) == nil
        let ofCommand = isThere ? nil : commands.first
        let client = SocketQueryClient(path: (ofCommand ?? inUse).querySocket)
        var daemon = DaemonChecks(
            system: system, client: client, now: .now, protocolVersion: RerenderVersion.pushProtocol)
        if ofCommand != nil { daemon.inPlaceOf = inUse }
        var checks = await SocketChecks(system: system, ofCommand: ofCommand).findings()
        let findings = await daemon.findings()
        // One that is silent is not waited for twice.
        let isSilent = findings.contains { $0.check == DaemonChecks.name && $0.status == .fail }
        checks += findings + Finding.commands(commands)
        checks += await TracingChecks(system: system).findings()
        checks.append(await PriorityCheck(system: system, client: isSilent ? nil : client).finding())
        checks += Finding.shortfalls(RunningInjections.notes())
        return DoctorReport(checks: checks + others)
    }

    private var summary: String {
        let failed = checks.count { $0.status == .fail }
        let warned = checks.count { $0.status == .warn }
        if failed == 0, warned == 0 { return "All checks passed." }
        return "\(Counted.text(failed, "check")) failed, \(Counted.text(warned, "warning"))."
    }
}
