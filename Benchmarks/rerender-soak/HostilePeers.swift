// SPDX-License-Identifier: MIT
// Connections that mean no good, on both sockets, and what honest queries wait beside them.

import Foundation
import Glibc
import RerenderModel
import Synchronization
import TestSupport

/// Makes hostile connections, one after the other, on a thread of its own.
final class HostilePeers: Sendable {
    private static let kept = 300
    private let directory: String
    private let pause: UInt32
    private let made = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    var count: Int { made.load(ordering: .relaxed) }

    /// - Parameter pause: Microseconds between two of them.
    init(_ directory: String, pause: UInt32) {
        self.directory = directory
        self.pause = pause
        Thread.detachNewThread { [self] in run() }
    }

    func stop() { isOver.store(true, ordering: .relaxed) }

    private func run() {
        var open: [CInt] = []
        var number = 0
        while !isOver.load(ordering: .relaxed) {
            let (socket, bytes) = Self.kinds[number % Self.kinds.count]
            number += 1
            if let connection = try? UnixStream.connect("\(directory)/\(socket)") {
                // Without waiting: a peer that is not read is closed in its turn.
                _ = send(connection, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
                made.add(1, ordering: .relaxed)
                open.append(connection)
                if open.count > Self.kept { close(open.removeFirst()) }
            }
            if pause > 0 { usleep(pause) }
        }
        for connection in open { close(connection) }
    }

    /// A socket, and what is sent to it.
    private static let kinds: [(String, [UInt8])] = {
        var generator = SeededGenerator(seed: 11)
        let garbage = (0..<4_096).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let get = "GET /v1/stats HTTP/1.1\r\nHost: x\r\n"
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        return [
            ("push.sock", garbage), ("query.sock", garbage),
            // Half a frame; nothing at all; the beginning of a request, and no more.
            ("push.sock", [0x00, 0xFF, 0x00, 0x00, 1]), ("push.sock", []), ("query.sock", text(get + "X-Slow: ")),
            // Headers without end; requests whose answers are not read; a body that does not come; nothing.
            ("query.sock", text(get) + [UInt8](repeating: 0x61, count: 60_000)),
            ("query.sock", text(String(repeating: get + "\r\n", count: 50))),
            ("query.sock", text("POST /v1/config HTTP/1.1\r\nHost: x\r\nContent-Length: 16000\r\n\r\n{")),
            ("query.sock", []),
        ]
    }()
}

/// Honest queries and how long each took.
struct HonestQueries {
    /// The most that they should take, in milliseconds.
    private static let (most99, most) = (20.0, 100.0)
    /// The same where everybody waits for a processor: `top` asks once a second, and the tool gives up after ten.
    private static let (patience99, patience) = (1_000.0, 10_000.0)

    private var milliseconds: [Double] = []
    /// The same without the time for which this thread or the daemon's was ready to run, and the kernel ran others.
    private var unhindered: [Double] = []
    private var failures: [String] = []
    private let loop: ProcessorWait?

    /// - Parameter daemon: Whose waiting for a processor is to be known.
    init(of daemon: Int32? = nil) throws {
        loop = try daemon.map { try ProcessorWait(ofThread: "NIO-ELT", of: $0) }
    }

    mutating func ask(_ http: UnixHTTP) {
        let begin = ContinuousClock.now
        let waited = waitedMilliseconds
        do {
            let status = try http.get("/v1/stats?limit=50").status
            if status != 200 { failures.append("status \(status)") }
        } catch {
            failures.append("\(error)")
        }
        let components = (ContinuousClock.now - begin).components
        let time = Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
        milliseconds.append(time)
        unhindered.append(max(0, time - (waitedMilliseconds - waited)))
    }

    private var waitedMilliseconds: Double { ProcessorWait.ofThisThread.milliseconds + (loop?.milliseconds ?? 0) }

    /// On a machine whose processors are all in use.
    func tellWaiting(_ what: String, _ report: inout Report) {
        tell(what, Self.patience99, Self.patience, &report)
        report.note("\(what): of that not waiting for a processor, in ms \(Spread(unhindered).text)")
        tellFailures(what, &report)
    }

    func tell(_ what: String, _ report: inout Report) {
        tell(what, Self.most99, Self.most, &report)
        tellFailures(what, &report)
    }

    private func tell(_ what: String, _ most99: Double, _ most: Double, _ report: inout Report) {
        let spread = Spread(milliseconds)
        report.line(
            "\(what): an honest query takes in ms \(spread.text); to reach: p99 \(Int(most99)), max \(Int(most))",
            spread.quantile(0.99) <= most99 && spread.quantile(1) <= most)
    }

    private func tellFailures(_ what: String, _ report: inout Report) {
        report.line(
            "\(what): \(failures.count) honest queries failed \(failures.first ?? ""); to reach: 0", failures.isEmpty)
    }
}

enum HostileSoak {
    /// The sum of the daemon's limits in docs/reference/limits.md, in MiB.
    static let mostMebibytes = 334.8

    static func run(connections: Int, _ report: inout Report) async throws {
        let daemon = try await DaemonProcess()
        let busy = try (0..<10).map { _ in
            try ChildProcess(
                [ChildProcess.product("daemon-lab"), "wire", "fleet", daemon.pushSocket, "100", "200"], seconds: 600)
        }
        for app in busy { _ = try await app.nextLine() }
        var alone = try HonestQueries()
        for _ in 0..<200 {
            alone.ask(daemon.http)
            try await Task.sleep(for: .milliseconds(5))
        }
        alone.tell("without hostile peers", &report)
        let peers = HostilePeers(daemon.directory, pause: 1_000)
        var beside = try HonestQueries()
        while peers.count < connections {
            beside.ask(daemon.http)
            try await Task.sleep(for: .milliseconds(5))
        }
        peers.stop()
        beside.tell("beside \(peers.count) hostile connections", &report)
        let peak = try kibibytes(of: daemon.process.pid, "VmHWM") / 1_024
        report.line(
            "the daemon had \(Int(peak.rounded())) MiB at most; to reach: \(mostMebibytes), the sum of its limits",
            peak <= mostMebibytes)
        let isWell = try daemon.http.get("/v1/health").json(HealthReport.self).connections >= busy.count
        report.line("the honest apps are still connected", isWell)
    }
}

/// How long a thread was ready to run while the kernel ran others.
struct ProcessorWait {
    private let file: String

    static let ofThisThread = ProcessorWait(file: "/proc/thread-self/schedstat")

    private init(file: String) { self.file = file }

    /// That of a process's thread whose name begins so.
    init(ofThread name: String, of pid: Int32) throws {
        let tasks = "/proc/\(pid)/task"
        let thread = try FileManager.default.contentsOfDirectory(atPath: tasks).first {
            try TestFile.text("\(tasks)/\($0)/comm").hasPrefix(name)
        }
        guard let thread else { throw ChildProcess.Failure("process \(pid) has no thread \(name)") }
        file = "\(tasks)/\(thread)/schedstat"
    }

    /// Since the thread began.
    var milliseconds: Double {
        let fields = (try? TestFile.text(file))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Double(fields[1]) ?? 0) / 1e6 : 0
    }
}

/// A line of `/proc/PID/status`, in KiB.
func kibibytes(of pid: Int32, _ field: String) throws -> Double {
    let status = try TestFile.text("/proc/\(pid)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) else {
        throw ChildProcess.Failure("no \(field) of process \(pid)")
    }
    return value
}
