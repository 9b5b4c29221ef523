// SPDX-License-Identifier: MIT
// The sockets that systemd passes to the daemon, found by name.

package import Glibc
import RerenderModel

/// Where the daemon's sockets come from.
package enum SocketSource: Hashable, Sendable {
    /// The daemon makes them in the runtime directory and removes them on stop.
    case own
    /// The service manager holds them; the daemon uses these descriptors and leaves the files alone.
    case systemd(push: CInt, query: CInt)

    /// What the service manager gave to this process: by `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`.
    ///
    /// ``own`` if it gave nothing. Throws ``DaemonError/activation(_:)`` if it gave sockets that are not ours.
    package static func inherited(
        environment: (String) -> String? = { environmentVariable($0) }, pid: pid_t = getpid()
    ) throws(DaemonError) -> SocketSource {
        guard let text = environment("LISTEN_FDS"), environment("LISTEN_PID") == "\(pid)" else { return .own }
        guard let count = Int32(text), (1...64).contains(count) else {
            throw .activation("LISTEN_FDS is \"\(Printable.text(text))\"")
        }
        let names = (environment("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let push = try descriptor("push", among: names, count: count)
        let query = try descriptor("query", among: names, count: count)
        return .systemd(push: push, query: query)
    }

    private static func descriptor(
        _ name: String, among names: [Substring], count: Int32
    ) throws(DaemonError) -> CInt {
        guard let index = names.firstIndex(of: Substring(name)), index < Int(count) else {
            throw .activation("systemd gave no socket named \"\(name)\"")
        }
        let descriptor = 3 + CInt(index)
        guard UnixSocket.isListeningStream(descriptor) else {
            throw .activation("what systemd named \"\(name)\" is not a listening Unix stream socket")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }
}
