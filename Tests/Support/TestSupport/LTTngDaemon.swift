// SPDX-License-Identifier: MIT
// A session daemon for a test: a private one for a throw-away ordinary user, or the root user's shared one.

import Foundation

/// Who traces and is traced.
package enum LTTngUser: String, Sendable, CaseIterable {
    /// A user that exists for one test, with a HOME and a session daemon of its own. When the tests do not run as
    /// root: the same user with another HOME.
    case ordinary
    /// Root with the system's daemon, which is shared with whoever else uses it (there can be only one).
    case root

}

/// A running session daemon, and the right way to start processes that it can trace.
package final class LTTngDaemon: Sendable {
    /// Whether recordings can be made here; a condition for tests.
    package static var isInstalled: Bool {
        ["lttng", "lttng-sessiond", "babeltrace2", "setpriv"].allSatisfy { ChildProcess.path(of: $0) != nil }
    }

    package static var isRoot: Bool { geteuid() == 0 }

    /// The users whose tests can run here.
    package static var users: [LTTngUser] { isRoot ? LTTngUser.allCases : [.ordinary] }

    /// A directory of the user's own, gone after the test.
    package let home: String
    private let userID: UInt32
    private let processID: Int32?

    private init(home: String, userID: UInt32, processID: Int32?) {
        self.home = home
        self.userID = userID
        self.processID = processID
    }

    /// Runs `body` with a daemon for `user` and takes away afterwards what was started, and nothing else.
    package static func with<T>(_ user: LTTngUser, _ body: (LTTngDaemon) async throws -> T) async throws -> T {
        // Each brings a dozen processes: all tests at once would time out on a small machine.
        await Gate.shared.enter()
        do {
            let daemon = try await start(user)
            do {
                let result = try await body(daemon)
                try await daemon.stop(user)
                await Gate.shared.leave()
                return result
            } catch {
                try? await daemon.stop(user)
                throw error
            }
        } catch {
            await Gate.shared.leave()
            throw error
        }
    }

    private static func start(_ user: LTTngUser) async throws -> LTTngDaemon {
        let userID = user == .root || !isRoot ? geteuid() : UInt32.random(in: 61_000...64_999)
        let home = "/tmp/lttng-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        chmod(home, 0o755)
        chown(home, userID, userID)
        let daemon = LTTngDaemon(home: home, userID: userID, processID: nil)
        if user == .root {
            try await RootDaemon.shared.acquire()
            return daemon
        }
        try await daemon.command(["lttng-sessiond", "--daemonize", "--no-kernel"])
        let pidFile = "\(home)/.lttng/lttng-sessiond.pid"
        guard let pid = (try? String(contentsOfFile: pidFile, encoding: .utf8)).flatMap(pid(inFile:)) else {
            throw ChildProcess.Failure("lttng-sessiond left no \(pidFile)")
        }
        try await LTTngSocket.waitForApplications(in: "\(home)/.lttng")
        return LTTngDaemon(home: home, userID: userID, processID: pid)
    }

    private func stop(_ user: LTTngUser) async throws {
        if user == .root { await RootDaemon.shared.release() }
        if let processID { try await Self.end(processID, SIGTERM) }
        try? FileManager.default.removeItem(atPath: home)
        guard Self.isRoot, userID != geteuid() else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? [] {
            if name.hasPrefix("lttng-ust-wait-"), name.hasSuffix("-\(userID)") { unlink("/dev/shm/\(name)") }
        }
    }

    /// False after ``crash()``.
    var isAlive: Bool { processID.map { kill($0, 0) == 0 && !Self.isZombie($0) } ?? true }

    /// Kills the daemon as a crash would. Only for a private one.
    package func crash() async throws {
        guard let processID else { throw ChildProcess.Failure("the shared daemon is not ours to kill") }
        try await Self.end(processID, SIGKILL)
    }

    /// Stops the daemon's threads, as if it hung; ``thaw()`` must follow. Only for a private one.
    package func freeze() throws { try signal(SIGSTOP) }

    package func thaw() throws { try signal(SIGCONT) }

    private func signal(_ number: Int32) throws {
        guard let processID, kill(processID, number) == 0 else {
            throw ChildProcess.Failure("the shared daemon is not ours to stop")
        }
    }

    /// Not our child, so there is no event for its end: poll.
    static func end(_ pid: Int32, _ signal: Int32) async throws {
        kill(pid, signal)
        try await eventually("the end of process \(pid)") { kill(pid, 0) == 0 && !isZombie(pid) ? nil : () }
    }

    /// The first thread of a killed process is one while the others still hold its sockets.
    private static func isZombie(_ pid: Int32) -> Bool {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        if threads?.count ?? 0 > 1 { return false }
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return true }
        return stat.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    /// A command line that runs `command` as this daemon's user.
    package func asUser(_ command: [String]) throws -> [String] {
        guard let program = command[0].hasPrefix("/") ? command[0] : ChildProcess.path(of: command[0]) else {
            throw ChildProcess.Failure("\(command[0]) is not installed")
        }
        let line = [program] + command.dropFirst()
        guard userID != geteuid(), let setpriv = ChildProcess.path(of: "setpriv") else { return line }
        return [setpriv, "--reuid=\(userID)", "--regid=\(userID)", "--clear-groups", "--"] + line
    }

    /// The variables of this daemon's user.
    package var environment: [String: String] {
        [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home,
            // Waiting for a session daemon that is slow under load beats giving up after LTTng's three seconds.
            "LTTNG_UST_REGISTER_TIMEOUT": "60000",
        ]
    }

    /// Runs an LTTng command to its end; fails if it fails.
    @discardableResult
    package func command(_ command: [String]) async throws -> String {
        let output = try await ChildProcess.run(try asUser(command), environment: environment)
        guard output.succeeded else {
            throw ChildProcess.Failure(
                "\(command.joined(separator: " ")): \(output.standardOutput)\(output.standardError)")
        }
        return output.standardOutput
    }

    /// Starts a program of the system as this daemon's user.
    package func start(_ command: [String], seconds: Double = 2 * WaitLimit.seconds) throws -> ChildProcess {
        try ChildProcess(try asUser(command), environment: environment, seconds: seconds)
    }

    /// The process that writes this user's traces, once one is written. Only for a private daemon.
    package var consumer: Int32? {
        guard userID != 0 else { return nil }
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.lazy.compactMap { Int32($0) }.first { pid in
            let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
            return status.hasPrefix("Name:\tlttng-consumerd\n") && status.contains("\nUid:\t\(userID)\t")
        }
    }

    /// Starts a product of this package as this daemon's user.
    package func start(
        product: String, _ arguments: [String] = [], environment more: [String: String] = [:],
        seconds: Double = 2 * WaitLimit.seconds
    ) async throws -> ChildProcess {
        let place = "\(home)/\(product)"
        if !FileManager.default.fileExists(atPath: place) {
            // A copy, because the user may not be allowed where the package is built.
            try await ChildProcess.copyProgram(ChildProcess.product(product), to: place)
        }
        // By `env`, so that a preloaded library is not loaded into `setpriv` too.
        let variables = more.map { "\($0.key)=\($0.value)" }
        return try ChildProcess(
            try asUser(["env"] + variables + [place] + arguments), environment: environment, seconds: seconds)
    }
}

/// Lets two tests in at a time.
private actor Gate {
    static let shared = Gate()
    private var free = 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

/// The one daemon that root can have: shared if it runs, else started by the first test and stopped after the last.
private actor RootDaemon {
    static let shared = RootDaemon()
    private var users = 0
    private var started: Int32?
    private var starting: Task<Int32?, any Error>?
    private var stopping: Task<Void, Never>?

    func acquire() async throws {
        users += 1
        // One that is being ended still answers.
        await stopping?.value
        let task = starting ?? Task { try await Self.startIfNone() }
        starting = task
        do {
            started = try await task.value
            try await LTTngSocket.waitForApplications(in: "/var/run/lttng")
        } catch {
            users -= 1
            starting = nil
            throw error
        }
    }

    private static func startIfNone() async throws -> Int32? {
        let pidFile = "/var/run/lttng/lttng-sessiond.pid"
        guard let lttng = ChildProcess.path(of: "lttng"), let sessiond = ChildProcess.path(of: "lttng-sessiond") else {
            throw ChildProcess.Failure("lttng is not installed")
        }
        if try await ChildProcess.run([lttng, "--no-sessiond", "list"]).succeeded { return nil }
        let output = try await ChildProcess.run([sessiond, "--daemonize", "--no-kernel"])
        // Someone else may have been quicker: then it is theirs.
        guard output.succeeded else {
            if try await ChildProcess.run([lttng, "--no-sessiond", "list"]).succeeded { return nil }
            throw ChildProcess.Failure("lttng-sessiond: \(output.standardError)")
        }
        return (try? String(contentsOfFile: pidFile, encoding: .utf8)).flatMap(pid(inFile:))
    }

    func release() async {
        users -= 1
        guard users == 0 else { return }
        starting = nil
        guard let pid = started, let lttng = ChildProcess.path(of: "lttng") else { return }
        started = nil
        // Others may have begun to use what we started: then it stays.
        let list = try? await ChildProcess.run([lttng, "--no-sessiond", "list"])
        guard users == 0, list?.standardOutput.contains("Currently no") ?? false else { return }
        let task = Task { _ = try? await LTTngDaemon.end(pid, SIGTERM) }
        stopping = task
        await task.value
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// The pid in LTTng's pid file. A daemon writes over the pid of the one before, and leaves the rest of it on the next line.
private func pid(inFile text: String) -> Int32? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int32($0) }
}
