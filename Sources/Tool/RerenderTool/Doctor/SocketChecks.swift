// SPDX-License-Identifier: MIT
// Checks the sockets in the runtime directory.

import RerenderShow

/// Looks at where the app, the daemon and we meet.
struct SocketChecks: Sendable {
    let system: any DoctorSystem
    /// The directory of a command's private daemon, which is judged where the user has none.
    var ofCommand: RuntimeDirectory?

    /// Everything about the directory and the two sockets.
    func findings() async -> [Finding] {
        guard let inUse = system.directories.first else { return [] }
        var findings = DirectoryChecks(system: system).findings(inUse)
        let daemon = ofCommand ?? inUse
        for (name, path) in [("push socket", daemon.pushSocket), ("query socket", daemon.querySocket)] {
            findings.append(await socket(name, path))
        }
        return findings
    }

    private func socket(_ name: String, _ path: String) async -> Finding {
        let shown = Printable.text(path)
        guard path.utf8.count <= SocketQueryClient.longestPath else {
            return .fail(
                name,
                "\(shown) is longer than a socket's path may be (\(SocketQueryClient.longestPath) bytes)",
                "Set RERENDER_RUNTIME_DIR to a shorter path")
        }
        guard let facts = system.file(path) else {
            return .fail(name, "\(shown) does not exist", Guidance.startDaemon(system.directories))
        }
        guard facts.kind == .socket else {
            return .fail(name, "\(shown) is not a socket", "Remove it and start the daemon")
        }
        guard facts.owner == system.uid || system.uid == 0 else {
            return .fail(
                name, "\(shown) belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        if let fault = await system.connectionFault(path) {
            return .fail(
                name, "\(shown) exists but refuses connections (\(fault))",
                Guidance.startDaemon(system.directories))
        }
        guard facts.mode & 0o177 == 0 else {
            let mode = String(facts.mode, radix: 8)
            return .warn(
                name, "\(shown) accepts connections; its mode is \(mode) but should be 600",
                "Run: \("chmod 600 \(.path(path))" as ShellCommand)")
        }
        return .ok(name, "\(shown) accepts connections")
    }
}
