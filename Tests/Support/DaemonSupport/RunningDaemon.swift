// SPDX-License-Identifier: MIT
// A daemon in the test's own process, with a directory of its own.

import Logging
import RerenderDaemon
import RerenderModel
import RerenderWire
import Synchronization
import TestSupport

/// A daemon that runs until ``stop()``.
final class RunningDaemon {
    let directory: RuntimeDirectory
    let daemon: Daemon
    let log: CapturedLog
    private let task: Task<Void, any Error>

    var http: UnixHTTP { UnixHTTP(directory.querySocket) }

    static func start(
        _ change: (inout DaemonConfiguration) -> Void = { _ in }, directory: RuntimeDirectory? = nil
    ) async throws -> RunningDaemon {
        let running = RunningDaemon(try directory ?? RuntimeDirectory(path: TestFile.makeDirectory()), change)
        try await running.daemon.waitUntilReady()
        return running
    }

    private init(_ directory: RuntimeDirectory, _ change: (inout DaemonConfiguration) -> Void) {
        var configuration = DaemonConfiguration(runtimeDirectory: directory)
        change(&configuration)
        let log = CapturedLog()
        let daemon = Daemon(configuration: configuration, log: log.logger)
        self.directory = directory
        self.log = log
        self.daemon = daemon
        task = Task { try await daemon.run() }
    }

    func stop() async throws {
        daemon.stop()
        try await task.value
    }

    /// Ends it as a task that is not wanted any more.
    func cancel() async throws {
        task.cancel()
        try await task.value
    }

    func app() throws -> FakeApp {
        try FakeApp(directory.pushSocket)
    }

    func stats(_ parameters: String = "") throws -> StatsExport {
        try http.get("/v1/stats" + parameters).json(StatsExport.self)
    }

    func health() throws -> HealthReport {
        try http.get("/v1/health").json(HealthReport.self)
    }

    /// Waits until the export fits.
    func eventually(_ what: String, _ fits: @escaping (StatsExport) -> Bool) async throws {
        try await http.eventually(what, seen: { try self.stats().processes }) {
            try fits(self.stats()) ? () : nil
        }
    }
}

/// Lines of a log, kept.
final class CapturedLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in
            DaemonLog(style: .journal, level: .debug) { line in self.kept.withLock { $0.append(line) } }
        }
    }
}

extension FakeApp {
    /// Connects as far as the daemon's welcome.
    func greet(
        name: String = "shop", startTicks: UInt64 = 1, copy: UInt32? = 0, page: CInt? = nil
    ) throws -> DaemonMessage? {
        try hello(name: name, startTicks: startTicks, copy: copy, page: page)
        return try receive()
    }
}
