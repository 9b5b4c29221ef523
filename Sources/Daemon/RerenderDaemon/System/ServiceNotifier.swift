// SPDX-License-Identifier: MIT
// Messages to the service manager: sd_notify(3) without its library.

package import Glibc
package import NIOCore
import RerenderModel

/// Sends state to the service manager; does nothing where there is none.
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
