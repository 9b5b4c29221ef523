// SPDX-License-Identifier: MIT
// Checks of the daemon: how it is, what is connected to it, and its units.

import RerenderModel

/// Looks at the daemon.
struct DaemonChecks: Sendable {
    let system: any DoctorSystem
    let client: any QueryClient
    let now: Timestamp
    /// The version of the push protocol that this package speaks.
    let protocolVersion: Int

    /// Everything about the daemon.
    func findings() async -> [Finding] {
        let health = await health()
        let runs = !health.contains { $0.status == .fail }
        return await health + units(daemonRuns: runs) + processes()
    }

    private func health() async -> [Finding] {
        do {
            let report = try await client.document(.get(.health), as: HealthReport.self)
            return [alive(report), spoken(report), drops(report)]
        } catch {
            let text = (error as? ToolFailure)?.message ?? "\(error)"
            let first = text.split(separator: "\n").first.map { String($0) } ?? text
            return [.fail("daemon", first, Guidance.startDaemon(system.directories))]
        }
    }

    private func alive(_ report: HealthReport) -> Finding {
        let nanoseconds = max(0, now.nanoseconds(since: report.startedAt))
        let up = DurationText.short(UInt64(nanoseconds))
        let parts = [
            "pid \(report.pid), up \(up), sockets made by \(report.sockets == "systemd" ? "systemd" : "itself")",
            "\(Counted.text(report.connections, "app")) connected, \(report.endedProcesses) ended",
            "\(Counted.text(report.views, "view")), \(Counted.text(report.totalsReceived, "total")) received",
        ]
        return .ok("daemon", parts.joined(separator: "; "))
    }

    private func spoken(_ report: HealthReport) -> Finding {
        let name = "push protocol"
        guard report.protocolVersion != protocolVersion else {
            return .ok(name, "version \(protocolVersion) on both sides")
        }
        return .fail(
            name, "the daemon speaks version \(report.protocolVersion), this package version \(protocolVersion)",
            "Install rerenderd and rerenderctl of one version, then: systemctl --user restart rerenderd.service")
    }

    private func drops(_ report: HealthReport) -> Finding {
        let causes = report.dropped.causes
        guard !causes.isEmpty else { return .ok("dropped data", "none since the daemon started") }
        return .warn(
            "dropped data", causes.joined(separator: ", ") + " since the daemon started",
            "What was dropped is in no row. See the daemon's log: journalctl --user -u rerenderd.service")
    }

    private func processes() async -> [Finding] {
        guard let list = try? await client.document(.get(.processes), as: ProcessList.self) else { return [] }
        let connected = list.processes.filter(\.connected)
        guard !connected.isEmpty else {
            return [
                .warn(
                    "processes", "no instrumented process is connected",
                    "Depend on the product \"Rerender\", wrap a body in store.evaluate(\"CartTotal\") { view.body }, and "
                        + "start the debug build; or: rerenderctl run -- ./my-app")
            ]
        }
        let names = connected.prefix(8).map(StoreLabels.full)
        let more = connected.count > names.count ? " and \(connected.count - names.count) more" : ""
        return [.ok("processes", names.joined(separator: ", ") + more)]
    }

    private func units(daemonRuns: Bool) async -> [Finding] {
        let names = ["rerenderd-push.socket", "rerenderd-query.socket", "rerenderd.service"]
        let command = ["systemctl", "--user", "--no-pager", "show", "--property=Id,LoadState,ActiveState"] + names
        guard let text = await system.output(of: command), !text.isEmpty else {
            if daemonRuns { return [.ok("systemd units", "no user manager answers; the daemon runs without one")] }
            return [
                .warn(
                    "systemd units", "no systemd user manager answers",
                    "Without one start the daemon by hand: rerenderd --foreground")
            ]
        }
        return UnitState.parse(text).map(Self.finding)
    }

    private static func finding(_ unit: UnitState) -> Finding {
        let isSocket = unit.id.hasSuffix(".socket")
        switch (unit.load, unit.active) {
        case ("loaded", "active"): return .ok("systemd unit", "\(unit.id) is active")
        case ("loaded", "inactive") where !isSocket: return .ok("systemd unit", "\(unit.id) starts when it is needed")
        case ("loaded", _):
            return .warn(
                "systemd unit", "\(unit.id) is \(unit.active)",
                isSocket
                    ? "Run: systemctl --user enable --now \(unit.id)" : "See: journalctl --user -u \(unit.id)")
        default: return .warn("systemd unit", "\(unit.id) is not installed", "Run Scripts/install of the package")
        }
    }
}

/// A unit as `systemctl show` tells of it.
struct UnitState: Hashable, Sendable {
    var id = ""
    var load = ""
    var active = ""

    /// Reads `Name=value` lines; a blank line stands between two units.
    static func parse(_ text: String) -> [UnitState] {
        var units: [UnitState] = []
        var unit = UnitState()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines + [Substring()] {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                if !unit.id.isEmpty { units.append(unit) }
                unit = UnitState()
                continue
            }
            switch parts[0] {
            case "Id": unit.id = Printable.text(String(parts[1]))
            case "LoadState": unit.load = String(parts[1])
            case "ActiveState": unit.active = Printable.text(String(parts[1]))
            default: break
            }
        }
        return units
    }
}
