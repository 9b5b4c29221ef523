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
        var findings: [Finding] = []
        if system.environment("RERENDER") == "0" {
            findings.append(
                .warn(
                    "environment", "RERENDER=0 is set, so apps started from here count nothing", "Run: unset RERENDER"))
        }
        if let path = system.environment("RERENDER_RUNTIME_DIR"), !path.hasPrefix("/") {
            findings.append(
                .warn(
                    "environment", "RERENDER_RUNTIME_DIR=\(Printable.text(path)) is no absolute path and is not used",
                    "Set it to a path that starts with /, or unset it"))
        }
        return findings
    }

    private func directories(_ inUse: RuntimeDirectory) -> [Finding] {
        system.directories.enumerated().map { index, directory in
            index == 0 ? used(directory) : unused(directory, inUse)
        }
    }

    private func used(_ directory: RuntimeDirectory) -> Finding {
        let name = "runtime directory"
        let text = "\(Printable.text(directory.path)) is in use (rule \(directory.origin.rawValue))"
        guard let facts = system.file(directory.path) else {
            return .warn(name, text + " and does not exist yet", "The daemon makes it when it starts")
        }
        if facts.kind != .directory {
            return .fail(name, text + " and is no directory", "Remove it, or set RERENDER_RUNTIME_DIR")
        }
        if facts.owner != system.uid {
            return .fail(
                name, text + " and belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        guard facts.mode & 0o022 == 0 else {
            return .fail(name, text + " and others can write to it", "Run: chmod 700 \(Printable.text(directory.path))")
        }
        guard facts.mode & 0o077 == 0 else {
            return .warn(
                name, text + " and others can look into it", "Run: chmod 700 \(Printable.text(directory.path))")
        }
        return .ok(name, text)
    }

    private func unused(_ directory: RuntimeDirectory, _ inUse: RuntimeDirectory) -> Finding {
        let name = "runtime directory"
        let path = Printable.text(directory.path)
        let rule = "rule \(directory.origin.rawValue)"
        if directory.path == inUse.path { return .ok(name, "\(path) is what \(rule) finds too") }
        let hasSockets = system.file(directory.querySocket)?.kind == .socket
        guard hasSockets, system.file(inUse.querySocket) == nil else {
            return .ok(name, "\(path) is not used (\(rule) comes later)")
        }
        return .warn(
            name, "\(path) has sockets of a daemon, and is not used (\(rule) comes later)",
            "To reach that daemon: export RERENDER_RUNTIME_DIR=\(path)")
    }

    private func socket(_ name: String, _ path: String) async -> Finding {
        let shown = Printable.text(path)
        guard path.utf8.count <= Self.longestPath else {
            return .fail(
                name, "\(shown) is longer than the \(Self.longestPath) bytes that a socket's path may have",
                "Set RERENDER_RUNTIME_DIR to a shorter path")
        }
        guard let facts = system.file(path) else { return .fail(name, "\(shown) does not exist", Guidance.startDaemon) }
        guard facts.kind == .socket else {
            return .fail(name, "\(shown) is no socket", "Remove it and start the daemon")
        }
        guard facts.owner == system.uid || system.uid == 0 else {
            return .fail(
                name, "\(shown) belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        if let fault = await system.connectionFault(path) {
            return .fail(name, "\(shown) exists and nobody answers (\(fault))", Guidance.startDaemon)
        }
        guard facts.mode & 0o177 == 0 else {
            let mode = String(facts.mode, radix: 8)
            return .warn(name, "\(shown) answers; its mode is \(mode) and should be 600", "Run: chmod 600 \(shown)")
        }
        return .ok(name, "\(shown) answers")
    }
}
