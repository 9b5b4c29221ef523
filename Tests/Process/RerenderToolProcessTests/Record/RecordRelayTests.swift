// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite(
    "rerenderctl record --to",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct RecordRelayTests {
    @Test("a recording arrives whole at a real lttng-relayd", arguments: [false, true])
    func relay(isSnapshot: Bool) async throws {
        try await RecordBench.with { bench in
            let (relay, ports) = try await bench.startRelay()
            let url = "net://127.0.0.1:\(ports[0]):\(ports[1])"
            let process = try await bench.recordAll(["--to", url] + (isSnapshot ? ["--snapshot"] : []))
            try await bench.probe("body 250")
            process.kill(SIGINT)
            let output = await process.finish()
            #expect(output.exit == .status(0), "\(output)")
            // A relay may keep the files of a snapshot open until it ends.
            relay.kill(SIGTERM)
            await relay.waitForExit()
            let events = try await bench.events("relay/\(ProcessInfo.processInfo.hostName)")
            #expect(events.count { $0.name == "com.rerender.BodyEval:end" } == 250)
            #expect(output.standardOutput.contains(isSnapshot ? "saved the latest" : "no event was lost"))
            #expect(output.standardOutput.contains("sent to the relay"))
            let hint =
                "rerenderctl report ~/lttng-traces/\(ProcessInfo.processInfo.hostName)/rerender-record-\(process.processID)-"
            #expect(output.standardOutput.contains(hint))
            #expect(
                try FileManager.default.contentsOfDirectory(
                    atPath: bench.home + "/relay/\(ProcessInfo.processInfo.hostName)"
                )
                .allSatisfy { $0.hasPrefix("rerender-record-\(process.processID)-") })
        }
    }

    @Test("where no relay answers it says so, and nothing is left")
    func noRelay() async throws {
        try await RecordBench.with { bench in
            // Held, so that no relay of another test comes to listen there.
            let ports = try FreePorts(2, areHeld: true)
            let output = await (try await bench.record(["--to", "net://127.0.0.1:\(ports[0]):\(ports[1])"])).finish()
            #expect(output.exit == .status(71))
            #expect(output.hasError("Check that lttng-relayd is running there"))
            #expect(try await bench.lttng("list").contains("Currently no"))
            withExtendedLifetime(ports) {}
        }
    }
}

/// TCP ports of this machine that nobody listened on a moment ago, or that nobody can listen on while this lives.
final class FreePorts: Sendable {
    private let ports: [UInt16]
    private let held: [Int32]

    subscript(index: Int) -> UInt16 { ports[index] }

    init(_ count: Int, areHeld: Bool = false) throws {
        var ports: [UInt16] = []
        var sockets: [Int32] = []
        defer { if !areHeld { for file in sockets { close(file) } } }
        for _ in 0..<count {
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            sockets.append(file)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(file, $0, size) == 0 && getsockname(file, $0, &size) == 0
                }
            }
            guard isBound else { throw TestSupport.ChildProcess.Failure("no free port: \(errno)") }
            ports.append(UInt16(bigEndian: address.sin_port))
        }
        self.ports = ports
        held = areHeld ? sockets : []
    }

    deinit { for file in held { close(file) } }
}

extension RecordBench {
    /// Starts an `lttng-relayd` of the user's on loopback and waits until it listens.
    ///
    /// Somebody else may take a port before the relay does, which ends then: it is started anew with others.
    func startRelay() async throws -> (relay: TestSupport.ChildProcess, ports: FreePorts) {
        try await eventually("a relay") {
            let ports = try FreePorts(3)
            return try await startRelay(ports).map { ($0, ports) }
        }
    }

    /// Nil where it ended.
    private func startRelay(_ ports: FreePorts) async throws -> TestSupport.ChildProcess? {
        let relay = try daemon.start([
            "lttng-relayd", "--output=\(home)/relay", "--control-port=tcp://127.0.0.1:\(ports[0])",
            "--data-port=tcp://127.0.0.1:\(ports[1])", "--live-port=tcp://127.0.0.1:\(ports[2])",
        ])
        // As the kernel lists a socket of 127.0.0.1 that listens (state 0A).
        let wanted: [String] = (0..<3).map { index in
            let port = String(ports[index], radix: 16, uppercase: true)
            return " 0100007F:\(port.leftPadded(4)) 00000000:0000 0A "
        }
        return try await eventually("the relay's ports") { () -> TestSupport.ChildProcess?? in
            guard access("/proc/\(relay.processID)", F_OK) == 0 else { return .some(nil) }
            let list = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
            return wanted.allSatisfy { list.contains($0) } ? relay : nil
        }
    }
}

extension String {
    fileprivate func leftPadded(_ count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}
