// SPDX-License-Identifier: MIT
// A directory with a daemon, in which apps end one after the other.

import Foundation
import Glibc
import RerenderModel
import TestSupport

/// Where ends happen. Each has a daemon of its own, so that many go on side by side.
final class ChaosWorld {
    /// The directory of sockets and pages, and of the state: on a small disk of its own where there may be one.
    let directory: String
    private let home: String
    private let start: Start
    private let isMounted: Bool
    private let clock: String
    private var daemon: PlainChild?
    private var isStopped = false
    /// What daemons said that have ended.
    private var logs = ""
    private var children = 0

    private static let diskBytes = 1 << 20

    /// How programs are started here.
    struct Start {
        var environment: [String: String] = [:]
        /// The evaluations that each app counts and that there never were.
        var defects: UInt64 = 0
        /// A library that steps the wall clock.
        var shim: String?
        /// The command of a program of ours: its name, its arguments, and the variables that it gets.
        var command: (String, [String], [String: String]) throws -> [String] = { name, arguments, variables in
            ["/usr/bin/env"] + variables.map { "\($0.key)=\($0.value)" } + [ChildProcess.product(name)] + arguments
        }
    }

    /// - Parameter home: The directory in which it is made; it belongs to the user of the programs.
    init(in home: String, mounts: Bool, _ start: Start = Start()) throws {
        self.home = home
        self.start = start
        directory = home + "/disk"
        clock = home + "/clock"
        guard mkdir(directory, 0o700) == 0 else { throw ChildProcess.Failure("cannot mkdir \(directory)") }
        var status = stat()
        if stat(home, &status) == 0 { chown(directory, status.st_uid, status.st_gid) }
        try TestFile.write([UInt8](repeating: 0, count: 8), to: clock)
        isMounted = mounts && mount("tmpfs", directory, "tmpfs", 0, "size=\(Self.diskBytes),mode=700") == 0
    }

    deinit { if isMounted { umount2(directory, CInt(MNT_DETACH)) } }

    /// Whether a file system can be mounted here, found out by doing it.
    static let canMount: Bool = {
        guard let directory = try? TestFile.makeDirectory(), mount("tmpfs", directory, "tmpfs", 0, "size=64k") == 0
        else { return false }
        return umount(directory) == 0
    }()

    private var http: UnixHTTP { UnixHTTP(directory + "/query.sock") }

    // MARK: The daemon

    /// Starts a daemon unless one runs; and one that was stopped goes on.
    func needDaemon() async throws {
        goOn()
        guard daemon == nil else { return }
        let next = try child(
            "rerenderd",
            ["--foreground", "--runtime-dir", directory, "--state-dir", directory + "/state", "--keep", "300d"])
        daemon = next
        try await next.waitFor(" ready ")
    }

    func killDaemon(_ signal: Int32) { daemon?.send(signal) }

    func stopDaemon() {
        daemon?.send(SIGSTOP)
        isStopped = true
    }

    private func goOn() {
        if isStopped { daemon?.send(SIGCONT) }
        isStopped = false
    }

    /// Returns once the daemon has ended that was sent a signal.
    func waitForDaemon() async throws {
        goOn()
        guard let daemon else { return }
        try await daemon.waitForEnd(within: 60)
        logs += daemon.output
        self.daemon = nil
    }

    // MARK: Apps

    func makeApp(_ threads: Int) async throws -> ChaosApp {
        let ledger = home + "/ledger-\(children)"
        try ChaosApp.makeLedger(ledger)
        return try await ChaosApp(child("counting", ["chaos", ledger, "\(threads)"]), ledger: ledger)
    }

    private func child(_ name: String, _ arguments: [String]) throws -> PlainChild {
        children += 1
        var variables = start.environment
        variables["RERENDER_RUNTIME_DIR"] = directory
        if let shim = start.shim { variables.merge(["LD_PRELOAD": shim, "CHAOS_CLOCK": clock]) { $1 } }
        return try PlainChild(
            try start.command(name, arguments, variables), environment: [:], output: home + "/output-\(children)")
    }

    // MARK: Disturbances

    /// Fills the disk, or makes room again. Only a small disk of this world's own: never the machine's.
    func fillDisk(_ isFull: Bool) {
        guard isMounted else { return }
        let path = directory + "/filler"
        guard isFull else {
            unlink(path)
            return
        }
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let bytes = [UInt8](repeating: 1, count: 4_096)
        var rest = 2 * Self.diskBytes / bytes.count
        while rest > 0, write(file, bytes, bytes.count) > 0 { rest -= 1 }
    }

    func stepClock(by seconds: Int) throws {
        let file = open(clock, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw ChildProcess.Failure("cannot open \(clock)") }
        defer { close(file) }
        var step = Int64(seconds) * 1_000_000_000
        pwrite(file, &step, 8, 0)
    }

    // MARK: What the daemon says

    /// What it says of a process, once that is as much as the process counted itself but for its defects, or after a while.
    func outcome(_ plan: ChaosPlan, of app: ChaosApp) async throws -> ChaosOutcome {
        let own = try app.own()
        func look() throws -> ChaosOutcome? {
            let stores = try stores(of: app.process.pid)
            return stores.contains(where: \.connected) ? nil : outcome(plan, own, stores, of: app)
        }
        var latest: UInt64?
        let last = try? await eventually("the count") { () -> ChaosOutcome? in
            guard let outcome = try look(), outcome.unaccounted <= start.defects else { return nil }
            // Nothing may be known of it yet.
            guard outcome.said > 0, outcome.said != latest else { return outcome }
            latest = outcome.said
            try await Task.sleep(for: .milliseconds(200))
            return nil
        }
        if let last { return last }
        return outcome(plan, own, try stores(of: app.process.pid), of: app)
    }

    /// Waits until the daemon knows an app. One of the two that is stopped goes on.
    ///
    /// - Parameter programs: How many programs of that process it knows then: stores of each have the same numbers.
    func waitForConnection(of app: ChaosApp, programs: Int = 1) async throws {
        goOn()
        app.process.send(SIGCONT)
        _ = try await eventually("the connection of \(app.process.pid)", seen: { log }) {
            let numbers = try stores(of: app.process.pid).map(\.storeNumber)
            return numbers.contains { number in numbers.count { $0 == number } >= programs } ? () : nil
        }
    }

    private func outcome(
        _ plan: ChaosPlan, _ own: (begun: UInt64, ended: UInt64), _ stores: [ProcessStats], of app: ChaosApp
    ) -> ChaosOutcome {
        let lost = stores.reduce(UInt64(0)) { $0 + $1.lost }
        let all = stores.reduce(UInt64(0)) { $0 + $1.evaluations }
        return ChaosOutcome(
            plan: plan, begun: own.begun, ended: own.ended, counted: all - lost, lost: lost,
            isSaid: stores.isEmpty || isNamed(app.process.pid))
    }

    private func stores(of pid: Int32) throws -> [ProcessStats] {
        try http.get("/v1/stats?limit=1").json(StatsExport.self).processes.filter { $0.pid == pid }
    }

    /// Whether a daemon said that the process ended while no daemon held its page.
    private func isNamed(_ pid: Int32) -> Bool {
        (logs + (daemon?.output ?? "")).split(separator: "\n").contains { line in
            line.contains("(\(pid)) ended while no daemon held its flight page")
        }
    }

    /// What the daemons said, for the message of a failure.
    var log: String { logs + (daemon?.output ?? "") }

    /// What they said of a process, and when they began and ended.
    func log(of pid: Int32) -> String {
        log.split(separator: "\n").filter { $0.contains("\(pid)") || !$0.contains("counting (") }.joined(
            separator: "\n")
    }
}
