// SPDX-License-Identifier: MIT
// What a real rerenderd takes in, how soon it answers, and what it needs for it.

import CBench
import Foundation
import RerenderModel
import TestSupport

/// A daemon that `Scripts/bench` started, with nothing in it yet.
struct DaemonBenchmarks {
    let directory: String
    let pid: Int32

    private var usage: ProcessUsage { ProcessUsage(pid: pid) }
    private var http: UnixHTTP { UnixHTTP(directory + "/query.sock") }

    /// View totals for each second of the daemon's processor time.
    func ingest() throws -> Row {
        let fleet = try Fleet(socket: directory + "/push.sock", apps: 100, views: 1_000)
        var (onOneCore, passed): ([Double], [Double]) = ([], [])
        for round in 0...20 {
            let frames = fleet.round(of: fleet.views)
            let totals = Double(fleet.apps * fleet.views)
            let (before, start) = (try usage.processorSeconds(), cbench_now())
            try fleet.send(frames)
            try waitUntilReceived(UInt64(fleet.apps * fleet.views * (round + 1)))
            guard round > 0 else { continue }
            onOneCore.append(totals / (try usage.processorSeconds() - before))
            passed.append(totals / (Double(cbench_now() - start) / 1e9))
        }
        try checkNothingDropped()
        try checkIsKnown(fleet)
        let spread = Spread(onOneCore)
        var row = Row(
            name: "daemon.ingest", unit: "totals/s of one core", ours: spread.median,
            target: "at least 1,000,000 a second on one core")
        row.more = [("min", spread.min), ("max", spread.max), ("byTheWallClock", Spread(passed).median)]
        return row
    }

    /// How soon the daemon answers what `rerenderctl stats` asks while 100 apps are busy.
    func query() throws -> Row {
        let fleet = try Fleet(socket: directory + "/push.sock", apps: 100, views: 1_000)
        try fleet.send(fleet.round(of: fleet.views))
        try waitUntilReceived(UInt64(fleet.apps * fleet.views))
        let load = Load(fleet)
        load.start()
        let times = try (0..<1_000).map { _ in
            usleep(5_000)
            return try milliseconds("/v1/stats?sort=count&limit=50", atLeast: 10_000).time
        }
        let exports = try (0..<3).map { _ in try milliseconds("/v1/stats", atLeast: 10_000_000) }
        try load.stop()
        try checkNothingDropped()
        let sorted = times.sorted()
        var row = Row(
            name: "daemon.query", unit: "ms (p99)", ours: sorted[sorted.count * 99 / 100],
            target: "p99 at most 60 ms, export at most 4 s, memory at most 200 MB")
        row.more = [
            ("p50Milliseconds", sorted[sorted.count / 2]), ("maxMilliseconds", sorted.last ?? 0),
            ("exportSeconds", Spread(exports.map(\.time)).max / 1_000),
            ("exportMegabytes", Double(exports.map(\.bytes).max() ?? 0) / 1e6),
            ("memoryMegabytes", try usage.peakMegabytes()), ("residentMegabytes", try usage.residentMegabytes()),
            ("roundsPerSecond", load.roundsPerSecond),
        ]
        return row
    }

    /// From the connection to the last byte of the answer.
    private func milliseconds(_ target: String, atLeast: Int) throws -> (time: Double, bytes: Int) {
        let start = cbench_now()
        let socket = try UnixStream.connect(directory + "/query.sock")
        defer { close(socket) }
        let request = "GET \(target) HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n"
        try UnixStream.send(Array(request.utf8), on: socket)
        var bytes = 0
        while true {
            let piece = try UnixStream.receive(on: socket, within: 30, limit: 1 << 18)
            if piece.isEmpty { break }
            if bytes == 0, !piece.starts(with: "HTTP/1.1 200".utf8) { throw Fault("\(target) is refused") }
            bytes += piece.count
        }
        let end = cbench_now()
        guard bytes >= atLeast else { throw Fault("\(target) answered \(bytes) bytes only") }
        return (Double(end - start) / 1e6, bytes)
    }

    private func waitUntilReceived(_ totals: UInt64) throws {
        try wait(for: "the daemon has taken in \(totals) totals") {
            try http.get("/v1/health").json(HealthReport.self).totalsReceived >= totals
        }
    }

    /// The daemon must not only have received: it must know.
    private func checkIsKnown(_ fleet: Fleet) throws {
        let export = try http.get("/v1/stats?sort=count&limit=1").json(StatsExport.self)
        let known = export.processes.flatMap(\.views).map(\.count).max()
        guard known == fleet.highestCount else {
            throw Fault("the daemon knows \(known ?? 0) as the highest count, and it is \(fleet.highestCount)")
        }
    }

    private func checkNothingDropped() throws {
        let dropped = try http.get("/v1/health").json(HealthReport.self).dropped
        guard dropped == HealthReport.Drops() else { throw Fault("the daemon dropped something: \(dropped)") }
    }
}

/// Five of a hundred views of each app change ten times a second, until it is stopped.
private final class Load: @unchecked Sendable {
    // Proof: `fleet`, `failure` and `rounds` belong to the thread from `start` until `stop` has joined it by `ended`;
    // the flag is read and written under the lock.
    private let fleet: Fleet
    private var failure: (any Error)?
    private var rounds = 0
    private var seconds = 0.0
    private let lock = NSLock()
    private var isStopping = false
    private let ended = DispatchSemaphore(value: 0)

    init(_ fleet: Fleet) {
        self.fleet = fleet
    }

    var roundsPerSecond: Double { Double(rounds) / seconds }

    func start() {
        Thread.detachNewThread { [self] in
            run()
            ended.signal()
        }
    }

    func stop() throws {
        lock.withLock { isStopping = true }
        ended.wait()
        if let failure { throw failure }
    }

    private func run() {
        let start = cbench_now()
        var due = start
        while !lock.withLock({ isStopping }) {
            do {
                try fleet.send(fleet.round(of: fleet.views / 20))
            } catch {
                failure = error
                break
            }
            rounds += 1
            due += 100_000_000
            let now = cbench_now()
            if due > now { usleep(UInt32((due - now) / 1_000)) }
        }
        seconds = Double(cbench_now() - start) / 1e9
    }
}
