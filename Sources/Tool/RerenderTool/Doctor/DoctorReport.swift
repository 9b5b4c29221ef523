// SPDX-License-Identifier: MIT
// Runs all checks of the doctor, and prints their findings.

import RerenderDaemon
package import RerenderShow

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
    /// Whether `run` works comes first.
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
        let sockets = SocketChecks(system: system, ofCommand: ofCommand)
        let isAbsent = await sockets.isWithoutDaemon()
        var checks = await sockets.findings(hasDaemon: !isAbsent)
        let findings = isAbsent ? await DaemonChecks.absent(system) : await daemon.findings()
        // One that is silent is not waited for twice.
        let isSilent = isAbsent || findings.contains { $0.check == DaemonChecks.name && $0.status == .fail }
        checks += findings + Finding.commands(commands)
        checks += await TracingChecks(system: system).findings()
        checks.append(await PriorityCheck(system: system, client: isSilent ? nil : client).finding())
        checks.append(AttachCheck(system: system).finding())
        checks += HostCheck(system: system).findings()
        checks += Finding.shortfalls(RunningInjections.notes())
        let all = checks + others
        let ready = ReadyCheck(
            system: system, libraries: InjectionLibraries.ofThisProgram, parent: RunDirectories.parent(beside: inUse))
        return DoctorReport(checks: [ready.finding(beside: all)] + all)
    }

    private var summary: String {
        let failed = checks.count { $0.status == .fail }
        let warned = checks.count { $0.status == .warn }
        if failed == 0, warned == 0 { return "All checks passed." }
        return "\(Counted.text(failed, "check")) failed, \(Counted.text(warned, "warning"))."
    }
}

/// One line of the doctor's report.
package struct Finding: Hashable, Codable, Sendable {
    /// The result.
    package enum Status: String, Hashable, Codable, Sendable {
        /// As it should be.
        case ok
        /// Something optional is missing, or needs a look.
        case warn
        /// Rerender cannot work like this.
        case fail

        var style: Style {
            switch self {
            case .ok: .good
            case .warn: .notice
            case .fail: .bad
            }
        }
    }

    /// What was looked at.
    package var check: String
    package var status: Status
    /// What was found; safe to print.
    package var text: String
    /// The next step, or nil.
    package var advice: String?

    package static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, status: .ok, text: text, advice: nil)
    }

    package static func warn(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, status: .warn, text: text, advice: advice)
    }

    package static func fail(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, status: .fail, text: text, advice: advice)
    }
}

extension Finding {
    /// What is not counted of processes that run; none where all is.
    package static func shortfalls(_ texts: [String]) -> [Finding] {
        texts.map {
            .warn(
                "running programs", $0, "\"Count a program as it is\" (docs/guide/inject.md) says what can be counted")
        }
    }

    /// A finding about commands under private daemons; none if there are no such commands.
    package static func commands(_ directories: [RuntimeDirectory]) -> [Finding] {
        guard let first = directories.first else { return [] }
        let one =
            "1 command has a private daemon, in \(Printable.text(first.path)); top, stats and other commands use it if no other daemon answers"
        let several =
            "\(directories.count) commands have private daemons; choose one with --process, or with RERENDER_RUNTIME_DIR, such as "
            + Printable.text(first.path)
        return [.ok("commands", directories.count == 1 ? one : several)]
    }
}
