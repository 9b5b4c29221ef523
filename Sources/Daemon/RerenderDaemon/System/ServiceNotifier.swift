// SPDX-License-Identifier: MIT
// Tells the service manager how we are: sd_notify(3) without its library.

package import Glibc
package import NIOCore
import RerenderModel

/// Sends state to the service manager; does nothing where there is none.
package struct ServiceNotifier: Hashable, Sendable {
    /// The manager's socket: a path, or an abstract name after `@`.
    package var socket: String?
    /// The manager restarts us when it hears nothing for this long.
    package var watchdog: TimeAmount?

    /// Nobody is told anything.
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

    /// Sends lines of `NAME=value`; a full or missing socket is not our trouble.
    package func send(_ lines: String...) {
        guard let socket else { return }
        _ = UnixSocket.send(lines.joined(separator: "\n"), to: socket)
    }
}
