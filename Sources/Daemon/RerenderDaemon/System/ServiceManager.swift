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

// Finds processes in /proc.

/// Identifies a client: a process, also when its number is used again later, and the copy of the library in it.
struct ProcessInstance: Hashable, Sendable {
    /// The kernel's number.
    var pid: Int32
    /// When it started, in clock ticks since boot.
    var startTicks: UInt64
    /// The number that the daemon gave the copy of the library; 0 is the first of the process. A program that the process becomes by
    /// `exec` has others.
    var copy: UInt32 = 0

    /// When it started by the monotonic clock, or earlier if the machine has slept since. For programs, Linux counts 100 ticks a
    /// second.
    var startedAt: UInt64 {
        let (sinceBoot, isHostile) = startTicks.multipliedReportingOverflow(by: 10_000_000)
        return isHostile ? 0 : sinceBoot.saturatingDifference(Clocks.bootAhead)
    }

    /// Whether both are copies in the same process.
    func isSameProcess(as other: ProcessInstance) -> Bool { pid == other.pid && startTicks == other.startTicks }
}

/// Looks processes up in `/proc`.
enum ProcessTable {
    /// When a process started, in clock ticks since boot; nil if there is none or it has ended.
    ///
    /// A zombie has ended: it keeps its number until its parent waits for it, which may be never.
    static func startTicks(of pid: Int32) -> UInt64? {
        stat(of: pid).flatMap { startTicks(inStat: $0) }
    }

    private static func stat(of pid: Int32) -> [UInt8]? {
        pid > 0 ? try? Descriptor(path: "/proc/\(pid)/stat", flags: O_RDONLY).read(limit: 1_024) : nil
    }

    /// Reads field 22 of a `stat` line, unless field 3 says that the process has ended.
    ///
    /// A first thread that has ended before others is a zombie, too: field 20 counts them, and they may still run.
    static func startTicks(inStat bytes: [UInt8]) -> UInt64? {
        guard let letter = field(3, inStat: bytes)?.first, !Array("Xx".utf8).contains(letter) else { return nil }
        guard letter != UInt8(ascii: "Z") || number(20, inStat: bytes) ?? 0 > 1 else { return nil }
        return number(22, inStat: bytes)
    }

    /// Whether no process of that number runs; false for 0, by which the kernel names a process of a foreign pid namespace.
    static func hasEnded(_ pid: Int32) -> Bool { pid > 0 && startTicks(of: pid) == nil }

    static func isAlive(_ identity: ProcessInstance) -> Bool {
        startTicks(of: identity.pid) == identity.startTicks
    }

    /// Where the code of a process's program lies; nil if that may not be read, or there is no such process.
    static func startCode(of pid: Int32) -> UInt64? { stat(of: pid).flatMap { startCode(inStat: $0) } }

    /// Reads field 26 of a `stat` line.
    static func startCode(inStat bytes: [UInt8]) -> UInt64? {
        // The kernel gives 0 or 1 for a process that is ending, or that may not be inspected.
        number(26, inStat: bytes).flatMap { $0 > 1 ? $0 : nil }
    }

    /// A field of a `stat` line by its number in proc(5), from 3 on.
    ///
    /// The second field is the name in parentheses, in which anything may stand, parentheses too.
    static func field(_ number: Int, inStat bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > number - 3 ? fields[number - 3] : nil
    }

    private static func number(_ number: Int, inStat bytes: [UInt8]) -> UInt64? {
        field(number, inStat: bytes).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// Identifies this run of the kernel, in which pids and ticks are valid; empty if unknown.
    static var bootID: String {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let bytes = try? Descriptor(path: path, flags: O_RDONLY).read(limit: 64) else { return "" }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }
}
