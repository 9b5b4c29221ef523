// SPDX-License-Identifier: MIT
// Sockets of session daemons: whether one takes applications, since its readiness covers the `lttng` command only, and one without a daemon.

import Foundation

package enum LTTngSocket {
    /// Whether root's session daemon runs, which all programs of the machine find.
    package static var isRoots: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/var/run/lttng")) ?? []
        return names.contains { $0.hasPrefix("lttng-ust-sock-") }
    }

    /// Makes what looks like a session daemon's socket. A program with these variables loads LTTng, which nothing answers.
    package static func alone(in directory: String) throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: directory + "/.lttng", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: directory + "/.lttng/lttng-ust-sock-8"))
        return ["LTTNG_HOME": directory]
    }

    /// Waits until the daemon whose files are in `directory` listens for applications; there is no event for it.
    static func waitForApplications(in directory: String) async throws {
        try await eventually("the session daemon of \(directory) takes applications") {
            isListening(directory) ? () : nil
        }
    }

    private static func isListening(_ directory: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        guard let name = names.first(where: { $0.hasPrefix("lttng-ust-sock-") }) else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(directory)/\(name)".utf8.prefix(107)) }
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
