// SPDX-License-Identifier: MIT
// The programs of this build, and a runtime directory for each test.

import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport

/// Executables of this build.
enum Program {
    static let rerenderctl = ChildProcess.product("rerenderctl")
    static let rerenderd = ChildProcess.product("rerenderd")
    static let counting = ChildProcess.product("counting")
    static let wireApp = [ChildProcess.product("daemon-lab"), "wire"]
}

extension UnixHTTP {
    /// The daemon that a command has for itself, whose `RERENDER_RUNTIME_DIR` names the directory.
    static func ofCommand(beside directory: String) throws -> UnixHTTP {
        let own = RunDirectories.all(beside: RuntimeDirectory(path: directory))
            .first { RunDirectories.user(of: $0) == directory }
        guard let own else { throw NeverHappened(description: "no command has a daemon beside \(directory)") }
        return UnixHTTP(own.querySocket)
    }
}

/// What a run of a program left behind.
struct Outcome: Sendable {
    let ending: Spawned.Ending
    let output: String
    let errors: String
}

/// A runtime directory with, perhaps, a real daemon and real apps.
final class Bench: Sendable {
    let scratch: TemporaryDirectory
    let daemon: Spawned?

    var path: String { scratch.path }
    var querySocket: String { path + "/query.sock" }

    /// A directory without a daemon.
    init() throws {
        scratch = try TemporaryDirectory()
        daemon = nil
    }

    /// A directory with a daemon that is ready.
    init(withDaemon: Void) async throws {
        scratch = try TemporaryDirectory()
        let daemon = try Spawned(
            [Program.rerenderd, "--foreground", "--runtime-dir", scratch.path], environment: DaemonProcess.patience)
        self.daemon = daemon
        try await daemon.expectError(" ready ")
    }

    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["RERENDER_RUNTIME_DIR": path].merging(more) { $1 }
    }

    /// Runs rerenderctl to its end.
    func ctl(_ arguments: String..., environment more: [String: String] = [:]) async throws -> Outcome {
        let process = try start(arguments, environment: more)
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }

    /// Starts rerenderctl.
    func start(
        _ arguments: [String], environment more: [String: String] = [:], terminal: Spawned.Size? = nil
    ) throws -> Spawned {
        try Spawned([Program.rerenderctl] + arguments, environment: environment(more), terminal: terminal)
    }

    /// Starts an instrumented process that takes orders, and waits until it has evaluated `count` bodies that the daemon
    /// knows of.
    func app(evaluating count: Int) async throws -> Spawned {
        let app = try Spawned([Program.counting], environment: environment())
        try await app.expect("ready")
        app.type("run \(count)\n")
        try await app.expect("done")
        try await seenAll(count, of: app.pid)
        return app
    }

    /// Starts a process that pushes totals of one wasteful view, with writers and chains, and waits until the daemon has
    /// them.
    func wasteful(evaluating count: Int) async throws -> Spawned {
        let app = try Spawned(Program.wireApp + [path, "\(count)", "0"])
        try await app.expect("ready")
        try await seenAll(count, of: app.pid)
        return app
    }

    /// Waits until the daemon has so many evaluations of a process, view by view: the sums of its stores can be there before.
    private func seenAll(_ count: Int, of pid: Int32) async throws {
        try await seen("\(count) evaluations of \(pid)", in: "/v1/stats") {
            $0.evaluations(of: pid) == count && $0.viewEvaluations(of: pid) == count
        }
    }

    /// Waits until an answer of the daemon, its list of processes if no other is named, is as wanted.
    func seen(_ what: String, in target: String = "/v1/processes", _ isMet: (RawHTTP.Answer) -> Bool) async throws {
        try await UnixHTTP(querySocket).eventually(what, seen: { try await RawHTTP.get(target, querySocket) }) {
            isMet(try await RawHTTP.get(target, querySocket)) ? () : nil
        }
    }
}
