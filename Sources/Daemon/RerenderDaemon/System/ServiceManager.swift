// SPDX-License-Identifier: MIT
// What the service manager gives to the daemon and hears from it: sockets, that the event loop runs, and what it serves.

package import Glibc
package import NIOCore
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

/// Sends state to the service manager; does nothing without one.
package struct ServiceNotifier: Hashable, Sendable {
    /// The manager's socket: a path, or an abstract name after `@`.
    package var socket: String?
    /// The manager restarts the daemon after this long without a ping.
    package var watchdog: TimeAmount?

    /// There is no service manager.
    package static let none = ServiceNotifier(socket: nil, watchdog: nil)

    /// What the service manager asked of this process by `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    package static func inherited(
        environment: (String) -> String? = { environmentVariable($0) }, pid: pid_t = getpid()
    ) -> ServiceNotifier {
        guard let socket = environment("NOTIFY_SOCKET"), let first = socket.first, "/@".contains(first) else {
            return .none
        }
        let isForUs = environment("WATCHDOG_PID").map { $0 == "\(pid)" } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
        return ServiceNotifier(
            socket: socket, watchdog: isForUs ? microseconds.map { .microseconds($0) } : nil)
    }

    /// Sends lines of `NAME=value`. Ignores a full or missing socket.
    package func send(_ lines: String...) {
        guard let socket else { return }
        _ = UnixSocket.send(lines.joined(separator: "\n"), to: socket)
    }
}

/// Pings the service manager's watchdog and sends status lines. Confined to the event loop.
final class ServiceStatus {
    private let notifier: ServiceNotifier
    private let loop: NIOIsolatedEventLoop
    private let describe: () -> String
    private var ping: Scheduled<Void>?
    private var isDue = false

    /// - Parameter describe: the status in a few words, asked for when it is sent.
    init(_ notifier: ServiceNotifier, loop: NIOIsolatedEventLoop, describe: @escaping () -> String) {
        self.notifier = notifier
        self.loop = loop
        self.describe = describe
    }

    /// Begins to ping the watchdog, from the loop that does the work: a loop that is stuck does not ping.
    func startPings() {
        guard let interval = notifier.watchdog else { return }
        notifier.send("WATCHDOG=1")
        ping = loop.scheduleTask(in: .nanoseconds(max(1, interval.nanoseconds / 2))) { self.startPings() }
    }

    /// Sends the status, at most once a second.
    func changed() {
        guard notifier.socket != nil, !isDue else { return }
        isDue = true
        loop.scheduleTask(in: .seconds(1)) { self.send() }
    }

    private func send() {
        isDue = false
        notifier.send("STATUS=" + describe())
    }

    /// Tells the service manager that the daemon stops, and ends the pings.
    func stop() {
        notifier.send("STOPPING=1")
        ping?.cancel()
    }
}
