// SPDX-License-Identifier: MIT
// Checks the daemon, the processes that are connected to it, and the priority of its watchdog.

import RerenderDaemon
import RerenderShow

/// Looks at the daemon.
struct DaemonChecks: Sendable {
    let system: any DoctorSystem
    let client: any QueryClient
    let now: Timestamp
    /// The version of the push protocol that this speaks.
    let protocolVersion: Int
    /// Where the user has no daemon, and a command's private one is asked instead; nil where the user's is.
    var inPlaceOf: RuntimeDirectory?

    /// The check that fails where no daemon says how it is.
    static let name = "daemon"

    /// Everything about the daemon.
    func findings() async -> [Finding] {
        do {
            let report = try await client.health()
            let note = await ofCommand(report)
            let health = note + [alive(report), spoken(report), drops(report), hangs(report)]
            let sockets: UnitChecks.Daemon = report.sockets == "systemd" ? .ofUnits : .ofItsOwn
            return await health + UnitChecks(system: system, daemon: sockets).findings() + processes()
        } catch {
            let failure = error as? ToolFailure
            let isThere = failure?.isUnreachable != true
            let units = UnitChecks(system: system, daemon: isThere ? .silent : .none)
            return await [fault(failure, error)] + units.findings()
        }
    }

    /// That none runs for long, and that this is no fault; with the units that are broken.
    static func absent(_ system: any DoctorSystem) async -> [Finding] {
        let text = "none runs permanently, which is optional: `run` starts one for each command"
        let none = Finding(check: name, status: .ok, text: text, advice: Guidance.permanentDaemon(system.directories))
        return [none] + (await UnitChecks(system: system, daemon: .none).faults())
    }

    /// That a command has a daemon of its own, which is enough for it.
    private func ofCommand(_ report: HealthReport) async -> [Finding] {
        guard let inPlaceOf else { return [] }
        let stores = try? await client.processes()
        let names = Set((stores ?? []).map { Printable.text($0.name) }).sorted()
        let programs = names.isEmpty ? "" : " for " + names.prefix(3).joined(separator: ", ")
        return [
            .ok(
                Self.name,
                "no daemon of yours runs in \(Printable.text(inPlaceOf.path)); a command has its own: "
                    + "rerenderctl[\(report.pid)]\(programs)")
        ]
    }

    /// Why the daemon did not say how it is.
    private func fault(_ failure: ToolFailure?, _ error: any Error) -> Finding {
        .fail(Self.name, failure?.firstLine ?? "\(error)", advice(failure))
    }

    private func advice(_ failure: ToolFailure?) -> String {
        if failure?.isUnreachable == true { return Guidance.startDaemon(system.directories) }
        if failure?.status == ExitStatus.unreadable {
            return "Install rerenderd and rerenderctl of one version, then restart the daemon: \(anyRestart)"
        }
        return "If Ctrl-Z stopped it, continue it with: fg. Otherwise restart it: \(anyRestart)"
    }

    /// How to restart a daemon that does not say whether systemd started it.
    private var anyRestart: String {
        (Guidance.isBesideUnits(system.directories) ? "" : "systemctl --user restart rerenderd.service, or ")
            + "stop it and start: rerenderd --foreground"
    }

    private static func restart(_ report: HealthReport) -> String {
        report.sockets == "systemd"
            ? "systemctl --user restart rerenderd.service"
            : "kill \(report.pid), and start it again: rerenderd --foreground"
    }

    private func alive(_ report: HealthReport) -> Finding {
        // The question itself starts a daemon that waits for its first.
        let nanoseconds = max(0, now.nanoseconds(since: report.startedAt))
        let up = nanoseconds == 0 ? "just started" : "up \(DurationText.short(UInt64(nanoseconds)))"
        let parts = [
            "pid \(report.pid), \(up) with sockets from \(report.sockets == "systemd" ? "systemd" : "itself")",
            "\(Counted.text(report.connections, "app")) connected, \(report.endedProcesses) ended",
            "\(Counted.text(report.views, "view")), \(Counted.text(report.totalsReceived, "total")) received",
        ]
        return .ok(Self.name, parts.joined(separator: "; "))
    }

    private func spoken(_ report: HealthReport) -> Finding {
        let name = "push protocol"
        guard report.protocolVersion != protocolVersion else {
            return Self.older(report) ?? .ok(name, "version \(protocolVersion) on both sides")
        }
        return .fail(
            name, "the daemon speaks version \(report.protocolVersion), rerenderctl version \(protocolVersion)",
            "Install rerenderd and rerenderctl of one version, then: \(Self.restart(report))")
    }

    /// A daemon that was started before an update of the programs: it runs on from its old file.
    private static func older(_ report: HealthReport) -> Finding? {
        guard let version = report.daemonVersion, version != RerenderVersion.current else { return nil }
        return .warn(
            "push protocol",
            "the daemon that runs is release \(version), rerenderctl is \(RerenderVersion.current); they understand each other",
            "To run the new daemon: \(restart(report))")
    }

    private func drops(_ report: HealthReport) -> Finding {
        let causes = report.dropped.causes
        guard !causes.isEmpty else { return .ok("dropped data", "none since the daemon started") }
        let place =
            report.sockets == "systemd"
            ? "journalctl --user -u rerenderd.service" : "what rerenderd wrote to its standard error"
        return .warn(
            "dropped data", causes.joined(separator: ", ") + " since the daemon started",
            "What was dropped is in no table. See the daemon's log: \(place)")
    }

    /// Whether every long turn was looked at.
    private func hangs(_ report: HealthReport) -> Finding {
        guard let unwatched = report.watchdog.unwatchedTurns else {
            return .ok("hangs", "no long turn was missed since the daemon started")
        }
        return .warn(
            "hangs", unwatched + " since the daemon started",
            "Hangs may be missing. A late watchdog misses some; see its priority below")
    }

    private func processes() async -> [Finding] {
        guard let connected = try? await client.processes().filter(\.connected) else { return [] }
        guard !connected.isEmpty else {
            return [
                .warn(
                    "processes", "no instrumented process is connected",
                    "Depend on the product \"Rerender\", wrap a body in store.evaluate(\"CartTotal\") { view.body }, and "
                        + "start the debug build; or: rerenderctl run -- ./my-app")
            ]
        }
        let names = connected.prefix(8).map(StoreLabels(connected).full)
        let left = connected.count - names.count
        let more = left > 0 ? " " + Counted.rest(left, "store", see: "rerenderctl stats --json") : ""
        // A view, as the verdict is of all.
        let export = try? await client.export(StatsQuery(limit: 1))
        let gaps = Finding.shortfalls(GapText.lines(export?.processes.filter(\.connected) ?? []))
        return [.ok("processes", names.joined(separator: ", ") + more)] + gaps + Self.verdict(of: export)
    }

    /// What costs most in what runs. It is no fault of the set-up.
    private static func verdict(of export: StatsExport?) -> [Finding] {
        (export?.verdict?.findings ?? []).map {
            Finding(check: "verdict", status: .ok, text: $0.text, advice: $0.command?.text)
        }
    }
}

/// Looks at the priority that the running daemon's hang watchdog got, or could get where none runs.
///
/// It wants real-time priority, to be woken in time on a busy machine.
struct PriorityCheck: Sendable {
    let system: any DoctorSystem
    /// The daemon; nil where it is known not to answer.
    let client: (any QueryClient)?

    private static let name = "watchdog priority"

    /// Bit of the capability to set any priority, CAP_SYS_NICE.
    private static let niceCapability = 23

    /// What the daemon has; what the limits of this login allow where it does not say.
    func finding() async -> Finding {
        guard let report = try? await client?.health(),
            report.watchdog != HealthReport.Watchdog()
        else { return allowed }
        return Self.finding(of: report.watchdog)
    }

    private static func finding(of watchdog: HealthReport.Watchdog) -> Finding {
        if watchdog.realtimePriority > 0 {
            let way = Printable.text(watchdog.priority)
            return .ok(name, "the daemon's watchdog has real-time priority \(watchdog.realtimePriority) (\(way))")
        }
        let hindrance = Printable.text(watchdog.hindrance)
        return .warn(
            name, "the daemon's watchdog has normal priority: it can be late on a busy machine",
            hindrance.isEmpty ? ThreadPriority.advice : hindrance)
    }

    private var allowed: Finding {
        let name = Self.name
        if hasCapability { return .ok(name, "real-time priority is allowed (CAP_SYS_NICE)") }
        let limit = Self.limit(in: system.read("/proc/self/limits"))
        if limit > 0 { return .ok(name, "real-time priority up to \(limit) is allowed (RLIMIT_RTPRIO)") }
        if system.file("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service") != nil {
            return .ok(name, "the limit is 0 (RLIMIT_RTPRIO), but rtkit can grant real-time priority")
        }
        return .warn(
            name,
            "real-time priority is not allowed (RLIMIT_RTPRIO 0): the hang watchdog can be late on a busy machine",
            ThreadPriority.advice.replacing("USER -", with: "\(system.environment("USER") ?? "USER") -")
        )
    }

    private var hasCapability: Bool {
        let words = ProcStatus.words("CapEff", in: system.read("/proc/self/status"))
        guard let mask = words.first.flatMap({ UInt64($0, radix: 16) }) else { return false }
        return mask >> UInt64(Self.niceCapability) & 1 == 1
    }

    /// A soft limit in `/proc/self/limits`: `Max realtime priority     0     0`. 99 stands for none.
    static func limit(_ title: String = "Max realtime priority", in limits: String) -> Int {
        guard let line = limits.split(separator: "\n").first(where: { $0.hasPrefix(title) }) else { return 0 }
        let words = line.dropFirst(title.count).split(separator: " ")
        guard let first = words.first else { return 0 }
        return first == "unlimited" ? 99 : Int(first) ?? 0
    }
}

// Checks the daemon's systemd units.

/// Looks at the units, in the light of what daemon there is.
struct UnitChecks: Sendable {
    /// The daemon of the directory in use.
    enum Daemon: Sendable {
        /// No process takes a connection.
        case none
        /// Somebody takes connections and does not say how it is.
        case silent
        /// One whose sockets systemd made.
        case ofUnits
        /// One that made its sockets itself.
        case ofItsOwn
    }

    let system: any DoctorSystem
    let daemon: Daemon

    private var name: String { "systemd unit" }
    private static let sockets = ["rerenderd-push.socket", "rerenderd-query.socket"]
    private static let service = "rerenderd.service"

    /// One finding for each unit; one for all where no manager tells of them.
    func findings() async -> [Finding] {
        let units = await states()
        guard !units.isEmpty else { return [noManager] }
        let hasSocket = units.contains { $0.isSocket && $0.isActive }
        return units.map { finding($0, hasSocket: hasSocket) }
    }

    /// The units that are neither as they should be, nor missing, nor merely not started.
    func faults() async -> [Finding] {
        await states().filter { unit in
            unit.load != "not-found" && !unit.load.isEmpty && !(unit.load == "loaded" && unit.active == "inactive")
        }.map { finding($0, hasSocket: false) }.filter { $0.status != .ok }
    }

    /// What the manager tells of the units; empty without a manager.
    private func states() async -> [UnitState] {
        let names = Self.sockets + [Self.service]
        let command = ["systemctl", "--user", "--no-pager", "show", "--property=Id,LoadState,ActiveState"] + names
        return UnitState.parse(await system.output(of: command) ?? "")
    }

    private var noManager: Finding {
        let name = "systemd units"
        guard case .none = daemon else { return .ok(name, "no user manager responds; the daemon does not need it") }
        return .warn(
            name, "no systemd user manager responds", "Start the daemon yourself: rerenderd --foreground")
    }

    private func finding(_ unit: UnitState, hasSocket: Bool) -> Finding {
        switch unit.load {
        case "loaded": return unit.isActive ? active(unit) : inactive(unit, hasSocket: hasSocket)
        case "not-found", "": return .warn(name, "\(unit.id) is not installed", "Run Scripts/install")
        case "masked":
            return .warn(name, "\(unit.id) is masked", "Run: \("systemctl --user unmask \(unit.id)" as ShellCommand)")
        default:
            let status: ShellCommand = "systemctl --user status \(unit.id)"
            return .warn(name, "\(unit.id) cannot be loaded (\(unit.load))", "See: \(status)")
        }
    }

    private func active(_ unit: UnitState) -> Finding {
        if isElsewhere { return .ok(name, "\(unit.id) is active for another directory") }
        guard case .none = daemon, unit.isSocket else { return .ok(name, "\(unit.id) is active") }
        return .warn(
            name, "\(unit.id) is active, but its daemon does not respond",
            "Run: \("systemctl --user restart \(names)" as ShellCommand)")
    }

    private func inactive(_ unit: UnitState, hasSocket: Bool) -> Finding {
        if unit.active == "inactive" {
            if !unit.isSocket, hasSocket { return .ok(name, "\(unit.id) starts on demand") }
            if let reason = notNeeded { return .ok(name, "\(unit.id) is inactive; \(reason)") }
        }
        return .warn(
            name, "\(unit.id) is \(unit.active)",
            unit.isSocket || unit.active == "inactive"
                ? "Run: \("systemctl --user enable --now \(names)" as ShellCommand)"
                : "See: \("journalctl --user -u \(unit.id)" as ShellCommand)")
    }

    /// Both sockets, because each needs the other.
    private var names: ShellCommand { .line(Self.sockets) }

    /// Why the units are not needed: starting them would take the paths from a running daemon, or have no effect.
    private var notNeeded: String? {
        if case .ofItsOwn = daemon { return "the daemon runs without it" }
        return isElsewhere ? "it would not serve the directory in use" : nil
    }

    private var isElsewhere: Bool { Guidance.isBesideUnits(system.directories) }
}

/// A unit as `systemctl show` tells of it.
struct UnitState: Hashable, Sendable {
    let id: String
    let load: String
    let active: String

    var isSocket: Bool { id.hasSuffix(".socket") }
    var isActive: Bool { active == "active" }

    /// Reads `Name=value` lines. A blank line separates units.
    static func parse(_ text: String) -> [UnitState] {
        text.split(separator: "\n\n").compactMap { unit in
            let pairs = unit.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
            let values = pairs.filter { $0.count == 2 }.map { ($0[0], Printable.text(String($0[1]))) }
            let named = Dictionary(values) { $1 }
            guard let id = named["Id"] else { return nil }
            return UnitState(id: id, load: named["LoadState"] ?? "", active: named["ActiveState"] ?? "")
        }
    }
}
