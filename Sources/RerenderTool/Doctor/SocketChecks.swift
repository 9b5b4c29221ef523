// SPDX-License-Identifier: MIT
// Checks of the runtime directory and of the sockets in it.

import RerenderModel

/// Looks at where the app, the daemon and we meet.
struct SocketChecks: Sendable {
    let system: any DoctorSystem

    /// The longest path that the kernel takes for a socket: `sun_path` with its final zero.
    static let longestPath = 107

    /// Everything about the directory and the two sockets.
    func findings() async -> [Finding] {
        guard let inUse = system.directories.first else { return [] }
        var findings = environment + directories(inUse)
        for (name, path) in [("push socket", inUse.pushSocket), ("query socket", inUse.querySocket)] {
            findings.append(await socket(name, path))
        }
        return findings
    }

    private var environment: [Finding] {
        guard system.environment("RERENDER") == "0" else { return [] }
        return [
            .warn("environment", "RERENDER=0 is set, so apps started from here count nothing", "Run: unset RERENDER")
        ]
    }

    /// One finding for each place that is looked at, in the order in which that happens.
    private func directories(_ inUse: RuntimeDirectory) -> [Finding] {
        let named = system.directories.filter { $0.origin == .explicit }.map { place($0, inUse) }
        let places: [RuntimeDirectory.Origin] = [.environment, .xdg, .runUser, .temporary]
        return named
            + places.map { origin in
                system.directories.first { $0.origin == origin }.map { place($0, inUse) } ?? absent(origin)
            }
    }

    private func place(_ directory: RuntimeDirectory, _ inUse: RuntimeDirectory) -> Finding {
        directory == inUse ? used(directory) : unused(directory, inUse)
    }

    /// Why a place gave no directory.
    private func absent(_ origin: RuntimeDirectory.Origin) -> Finding {
        let name = "runtime directory"
        switch origin {
        case .environment: return variable("RERENDER_RUNTIME_DIR")
        case .xdg: return variable("XDG_RUNTIME_DIR")
        case .runUser:
            let path = "/run/user/\(system.uid)"
            let reason = system.file(path).map { "belongs to user \($0.owner)" } ?? "does not exist"
            return .ok(name, "\(path) \(reason), so nothing is looked for in it")
        case .temporary, .explicit: return .ok(name, "/tmp is not looked at")
        }
    }

    private func variable(_ variable: String) -> Finding {
        guard let value = system.environment(variable), !value.isEmpty else {
            let state = system.environment(variable) == nil ? "not set" : "empty"
            return .ok("runtime directory", "$\(variable) is \(state)")
        }
        return .warn(
            "environment", "\(variable)=\(Printable.text(value)) is no absolute path and is not used",
            "Set it to a path that starts with /, or unset it")
    }

    /// What leads to a directory, as the reason for its use.
    private func reason(_ origin: RuntimeDirectory.Origin) -> String {
        switch origin {
        case .environment: "$RERENDER_RUNTIME_DIR names it"
        case .xdg: "$XDG_RUNTIME_DIR is set"
        case .runUser: "/run/user/\(system.uid) is yours"
        case .temporary: "there is no better place"
        case .explicit: "it was named"
        }
    }

    private func used(_ directory: RuntimeDirectory) -> Finding {
        let name = "runtime directory"
        let text = "\(Printable.text(directory.path)) is in use, because \(reason(directory.origin))"
        guard let facts = system.file(directory.path) else {
            return .warn(name, text + "; it does not exist yet", "The daemon makes it when it starts")
        }
        if facts.kind != .directory {
            return .fail(name, text + "; it is no directory", "Remove it, or set RERENDER_RUNTIME_DIR")
        }
        if facts.owner != system.uid {
            return .fail(
                name, text + "; it belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        guard facts.mode & 0o022 == 0 else {
            return .fail(name, text + "; others can write to it", "Run: chmod 700 \(ShellWord.path(directory.path))")
        }
        guard facts.mode & 0o077 == 0 else {
            return .warn(
                name, text + "; others can look into it", "Run: chmod 700 \(ShellWord.path(directory.path))")
        }
        return .ok(name, text)
    }

    private func unused(_ directory: RuntimeDirectory, _ inUse: RuntimeDirectory) -> Finding {
        let name = "runtime directory"
        let path = Printable.text(directory.path)
        let isListed = system.directories.prefix { $0 != directory }.contains { $0.path == directory.path }
        if isListed {
            return .ok(name, "\(path) is the same as above, found because \(reason(directory.origin))")
        }
        let hasSockets = system.file(directory.querySocket)?.kind == .socket
        guard hasSockets, system.file(inUse.querySocket) == nil else {
            return .ok(name, "\(path) is not used, because \(Printable.text(inUse.path)) comes first")
        }
        return .warn(
            name,
            "\(path) has sockets of a daemon and is not used, because \(Printable.text(inUse.path)) comes first",
            "To reach that daemon: export RERENDER_RUNTIME_DIR=\(ShellWord.path(directory.path))")
    }

    private func socket(_ name: String, _ path: String) async -> Finding {
        let shown = Printable.text(path)
        guard path.utf8.count <= Self.longestPath else {
            return .fail(
                name, "\(shown) is longer than the \(Self.longestPath) bytes that a socket's path may have",
                "Set RERENDER_RUNTIME_DIR to a shorter path")
        }
        guard let facts = system.file(path) else {
            return .fail(name, "\(shown) does not exist", Guidance.startDaemon(system.directories))
        }
        guard facts.kind == .socket else {
            return .fail(name, "\(shown) is no socket", "Remove it and start the daemon")
        }
        guard facts.owner == system.uid || system.uid == 0 else {
            return .fail(
                name, "\(shown) belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        if let fault = await system.connectionFault(path) {
            return .fail(
                name, "\(shown) exists and nobody answers (\(fault))", Guidance.startDaemon(system.directories))
        }
        guard facts.mode & 0o177 == 0 else {
            let mode = String(facts.mode, radix: 8)
            return .warn(name, "\(shown) answers; its mode is \(mode) and should be 600", "Run: chmod 600 \(ShellWord.path(path))")
        }
        return .ok(name, "\(shown) answers")
    }
}

extension ShellWord {
    /// A path in a command that is to be copied.
    static func path(_ path: String) -> String { quoted(Printable.text(path)) }
}
