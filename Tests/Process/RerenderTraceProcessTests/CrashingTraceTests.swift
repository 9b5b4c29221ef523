// SPDX-License-Identifier: MIT
// Traces that end the process that reads them with libbabeltrace2.

import Foundation
import TestSupport
import TestTraits
import Testing
@testable import TraceSupport

@Suite("Traces that crash libbabeltrace2")
struct CrashingTraceTests {
    /// One trace, and a change of its metadata that libbabeltrace2 2.0.4 does not survive. Version 2.1 does not survive the trace as
    /// it is.
    enum Fault: CaseIterable, Sendable {
        case enumeration
        case array

        fileprivate func write(to directory: URL) throws {
            try CraftedTrace([.turn(begins: true, at: 1)]).write(to: directory)
            let file = directory.appending(path: "metadata")
            let whole = try String(contentsOf: file, encoding: .utf8)
            let field = "u64 turn; u64 evaluations;"
            let broken =
                switch self {
                case .enumeration: whole.replacing(field, with: "u64 turn; enum : u64 { a = 5 ... 2 } evaluations;")
                case .array: whole.replacing(field, with: "u64 turn; u64 s[18446744073709551615];")
                }
            try Data(broken.utf8).write(to: file)
        }
    }

    @Test("babeltrace2 itself does not survive them; if it does, others must be found", arguments: Fault.allCases)
    func library(fault: Fault) async throws {
        let trace = try TemporaryDirectory()
        try fault.write(to: trace.url)
        #expect(try await end(of: trace.path) != nil)
    }

    /// The name of the signal that ends babeltrace2 when it reads a trace; nil where it ends otherwise.
    private func end(of trace: String) async throws -> String? {
        let babeltrace = try #require(ChildProcess.path(of: "babeltrace2"))
        let names = [SIGABRT: "SIGABRT", SIGTRAP: "SIGTRAP"]
        guard case .signal(let signal) = try await ChildProcess.run([babeltrace, trace]).exit else { return nil }
        return names[signal]
    }

    @Test("each command that reads a trace ends with a message and status 65", .promise, arguments: Fault.allCases)
    func commands(fault: Fault) async throws {
        let (trace, files) = (try TemporaryDirectory(), try TemporaryDirectory())
        try fault.write(to: trace.url)
        let (path, file) = (trace.path, files.path + "/out")
        let signal = try #require(await end(of: path))
        let commands = [
            ["report", path], ["report", path, "--json"], ["report", path, "--html", file],
            ["report", path, "--format", "chrome", "-o", file], ["diff", path, path],
            ["check", "--budget", files.path + "/budget.json", "--update", "--export", path],
        ]
        for command in commands {
            let output = try await ChildProcess.run([ChildProcess.product("rerenderctl")] + command)
            #expect(output.exit == .status(65), "\(command): \(output)")
            #expect(output.standardError.contains("rerenderctl: reading the trace in \(path) ended with \(signal)"))
            #expect(output.standardOutput.isEmpty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [], "nothing is half written")
    }

    @Test("the count of a recording's events ends the same way, and not the recording", arguments: Fault.allCases)
    func counting(fault: Fault) async throws {
        let trace = try TemporaryDirectory()
        try fault.write(to: trace.url)
        let output = try await ChildProcess.run([ChildProcess.product("rerenderctl"), "count-events", trace.path])
        guard case .signal = output.exit else {
            Issue.record("\(output)")
            return
        }
    }
}
