// SPDX-License-Identifier: MIT
// A real `rerenderctl record` of a user that exists for one test, with LTTng's daemons and apps of the same user.

import Foundation
import RerenderModel
import RerenderShow
@testable import RerenderTool
import TestSupport
@testable import ToolSupport

/// Starts recordings and reads what they left, by babeltrace2 and not by what they say.
struct RecordBench: Sendable {
    let daemon: LTTngDaemon
    var home: String { daemon.home }

    static func with<T>(_ body: (RecordBench) async throws -> T) async throws -> T {
        try await LTTngDaemon.with(.ordinary) { try await body(RecordBench(daemon: $0)) }
    }

    /// Starts `rerenderctl record`.
    func record(_ arguments: [String], environment: [String: String] = [:]) async throws -> TestSupport.ChildProcess {
        try await daemon.start(
            product: "rerenderctl", ["record"] + arguments,
            environment: [
                "RERENDER_RUNTIME_DIR": home + "/runtime", "RERENDER_WAIT_FOR_TRACER": "60000",
            ].merging(environment) { $1 })
    }

    /// Starts one of everything, and returns when it records.
    func recordAll(_ arguments: [String]) async throws -> TestSupport.ChildProcess {
        let process = try await record(arguments)
        let line = try await process.nextLine()
        guard line.contains("(Ctrl-C ends it)") else { throw TestSupport.ChildProcess.Failure("it said: \(line)") }
        return process
    }

    /// A copy of a product that the user may run.
    func program(_ product: String) async throws -> String {
        let place = home + "/" + product
        if !FileManager.default.fileExists(atPath: place) {
            try await TestSupport.ChildProcess.copyProgram(TestSupport.ChildProcess.product(product), to: place)
        }
        return place
    }

    /// Runs an app that evaluates `count` bodies once it is traced, and waits until it has ended.
    func probe(_ orders: String...) async throws {
        let app = try await daemon.start(product: "signpost-probe")
        for order in ["wait 60000"] + orders { try await app.ask(order) }
        _ = await app.finish()
    }

    /// What babeltrace2 reads in a directory below the home.
    func events(_ directory: String) async throws -> [LTTngEvent] {
        try await LTTngTrace.read(home + "/" + directory)
    }

    /// LTTng's own word.
    func lttng(_ words: String...) async throws -> String {
        try await daemon.command(["lttng", "--no-sessiond"] + words)
    }

    /// Waits until the daemon of a recording can emit hangs: it brings up its tracer when the first app comes.
    func waitForHangSignposts() async throws {
        try await eventually("the daemon's events") {
            try await lttng("list", "--userspace").contains("com.rerender.Hang:begin") ? () : nil
        }
    }

    /// What a recording says of so many events: it counts at most a hundred thousand.
    static func count(_ events: Int) -> String {
        events > 100_000 ? "more than 100,000 events" : Counted.text(events, "event")
    }

    /// Whether a session daemon of the user answers.
    func hasSessionDaemon() async -> Bool { (try? await lttng("list")) != nil }
}

extension TestSupport.ChildProcess.Output {
    /// A line of standard error.
    func hasError(_ text: String) -> Bool { standardError.contains(text) }
}
