// SPDX-License-Identifier: MIT
// A machine and a daemon made up for the doctor.

import FoundationEssentials
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

/// A machine where only what is said exists.
struct FakeSystem: DoctorSystem {
    var uid: UInt32 = 1000
    var directories = [
        RuntimeDirectory(path: "/run/user/1000/rerender", origin: .xdg),
        RuntimeDirectory(path: "/tmp/rerender-1000", origin: .temporary),
    ]
    var variables: [String: String] = ["PATH": "/usr/bin", "HOME": "/home/u", "USER": "u"]
    var files: [String: FileFacts] = [:]
    var texts: [String: String] = [:]
    /// By the command's words.
    var outputs: [String: String] = [:]
    /// Sockets that nobody listens on.
    var deaf: Set<String> = []
    /// Directories that do not exist, or in which nothing can be made.
    var closed: Set<String> = []
    var canWatchFiles = true

    /// One where all is well.
    static var good: FakeSystem {
        var system = FakeSystem()
        let directory = "/run/user/1000/rerender"
        system.files[directory] = FileFacts(kind: .directory, mode: 0o700, owner: 1000)
        for name in ["push.sock", "query.sock"] {
            system.files["\(directory)/\(name)"] = FileFacts(kind: .socket, mode: 0o600, owner: 1000)
        }
        system.files["/usr/bin/apt-get"] = FileFacts(kind: .other, mode: 0o755, owner: 0)
        system.files["/usr/bin/lttng"] = FileFacts(kind: .other, mode: 0o755, owner: 0)
        system.texts["/proc/77/comm"] = "lttng-sessiond\n"
        system.texts["/home/u/.lttng/lttng-sessiond.pid"] = "77\n"
        system.texts["/proc/self/status"] = "CapEff:\t0000000000000000\n"
        system.texts["/proc/self/limits"] =
            "Limit                     Soft Limit           Hard Limit           Units\nMax realtime priority     10                   10\n"
        system.outputs["/sbin/ldconfig -p"] = """
            2 libs found in cache `/etc/ld.so.cache'
            \tliblttng-ust.so.1 (libc6) => /lib/i386-linux-gnu/liblttng-ust.so.1
            \tliblttng-ust.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/liblttng-ust.so.1
            \tliblttng-ust.so.1 (libc6,AArch64) => /lib/aarch64-linux-gnu/liblttng-ust.so.1
            """
        system.outputs[units] = unitStates()
        return system
    }

    static let units =
        "systemctl --user --no-pager show --property=Id,LoadState,ActiveState rerenderd-push.socket rerenderd-query.socket rerenderd.service"

    /// What `systemctl show` says; a state that no loaded unit has is a load state.
    static func unitStates(push: String = "active", query: String = "active", service: String = "inactive") -> String {
        [("rerenderd-push.socket", push), ("rerenderd-query.socket", query), ("rerenderd.service", service)]
            .map { id, state in
                let isLoaded = ["active", "inactive", "failed", "activating"].contains(state)
                return "Id=\(id)\nLoadState=\(isLoaded ? "loaded" : state)\n"
                    + "ActiveState=\(isLoaded ? state : "inactive")\n"
            }
            .joined(separator: "\n")
    }

    /// Everything that the doctor says of this machine and a daemon.
    func report(_ client: FakeClient) async -> DoctorReport {
        let daemon = DaemonChecks(system: self, client: client, now: Sample.now, protocolVersion: 1)
        return DoctorReport(
            checks: await SocketChecks(system: self).findings() + daemon.findings()
                + TracingChecks(system: self).findings() + [PriorityCheck(system: self, client: client).finding()])
    }

    func environment(_ name: String) -> String? { variables[name] }
    func file(_ path: String) -> FileFacts? { files[path] }
    func canMakeFiles(in directory: String) -> Bool { !closed.contains(directory) }
    func read(_ path: String) -> String { texts[path] ?? "" }
    func output(of arguments: [String]) async -> String? { outputs[arguments.joined(separator: " ")] }
    func connectionFault(_ path: String) async -> String? { deaf.contains(path) ? "Connection refused" : nil }
}

/// A daemon that answers from memory.
struct FakeClient: DaemonClient {
    /// By path; what is not here fails.
    var answers: [QueryPath: [UInt8]] = [:]
    var failure = ToolFailure.noDaemon(at: "/run/x/query.sock", because: "No such file or directory")

    static func healthy(_ stores: [ProcessStats] = [Sample.store()], change: (inout HealthReport) -> Void = { _ in })
        throws -> FakeClient
    {
        var health = HealthReport()
        health.pid = 42
        health.startedAt = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 90_000_000_000)
        health.protocolVersion = 1
        health.sockets = "systemd"
        health.connections = 2
        change(&health)
        let encoder = StatsExport.encoder()
        return FakeClient(answers: [
            .health: Array(try encoder.encode(health)),
            .processes: Array(try encoder.encode(ProcessList(processes: stores))),
        ])
    }

    func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
        guard let answer = answers[request.path] else { throw failure }
        try receive(answer)
    }
}

/// The first finding of a check with a status, on a machine that is well but for one change. Only a `fail` fails.
func finding(
    _ check: String, _ status: Finding.Status, _ client: FakeClient? = nil,
    _ change: (inout FakeSystem) -> Void = { _ in }
) async throws -> Finding? {
    var system = FakeSystem.good
    change(&system)
    let report = await system.report(try client ?? .healthy())
    #expect(report.hasFailed == (status == .fail), "\(report)")
    return report.checks.first { $0.check == check && $0.status == status }
}
