// SPDX-License-Identifier: MIT
// Checks the daemon's systemd units.

import RerenderDaemon
import RerenderShow

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
