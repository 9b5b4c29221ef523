// SPDX-License-Identifier: MIT
// What is left of a command's run where nobody reads standard error.

import Foundation
import RerenderModel
@testable import RerenderTool
import TestTraits
import Testing
@testable import ToolSupport

@Suite("Beside a command, where nobody reads standard error")
struct UnheardTests {
    /// Ways to start a program so that it cannot write to standard error.
    private static let ways = [
        ["/bin/sh", "-c", "exec \"$@\" 2>/dev/full", "sh"], ["/bin/sh", "-c", "exec \"$@\" 2>&-", "sh"],
        ["/bin/sh", "-c", "exec \"$@\" 2</dev/null", "sh"],
        ["/usr/bin/perl", "-e", "pipe R, W; close R; open STDERR, '>&', \\*W; exec @ARGV"],
    ]

    private let bench: Bench
    private let file: String

    init() throws {
        bench = try Bench()
        file = bench.path + "/file"
    }

    private func start(_ way: [String], _ arguments: [String], _ command: [String]) throws -> Spawned {
        try Spawned(
            way + [Program.rerenderctl] + arguments + ["--"] + command, environment: bench.environment())
    }

    private func budget(_ evaluations: Int) throws -> String {
        let path = bench.path + "/rerender.json"
        try "{\"version\": 1, \"total\": {\"evaluations\": \(evaluations)}}".write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }

    @Test("run keeps the export, and ends as the command does", .promise, arguments: ways)
    func export(way: [String]) async throws {
        let process = try start(way, ["run", "--json", "-o", file], [Program.counting])
        process.type("run 40\nexit\n")
        #expect(try await process.wait() == .exited(0))
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(try text.utf8))
        #expect(export.processes.reduce(0) { $0 + $1.evaluations } == 40)
    }

    @Test("a command finds standard error as closed as it was", arguments: [0, 1, 2])
    func closed(descriptor: Int) async throws {
        let look = "[ -e /proc/$$/fd/\(descriptor) ]; echo $? > \(file)"
        let way = ["/bin/sh", "-c", "exec \"$@\" \(descriptor)>&-", "sh"]
        let process = try start(way, ["run"], ["/bin/sh", "-c", look])
        #expect(try await process.wait() == .exited(0))
        #expect(try text == "1\n")
    }

    @Test("check writes its files, and a command that fails is the status", arguments: ways)
    func failing(way: [String]) async throws {
        let process = try start(
            way, ["check", "--budget", budget(0), "--junit", file], ["/bin/sh", "-c", "exit 7"])
        #expect(try await process.wait() == .exited(7))
        #expect(try text.contains("no instrumented process"))
    }

    @Test("check says by its status whether the budget holds", arguments: ways)
    func status(way: [String]) async throws {
        for (allowed, status) in [(40, Int32(0)), (39, 1)] {
            let process = try start(
                way, ["check", "--budget", budget(allowed), "--markdown", "--output", file], [Program.counting])
            process.type("run 40\nexit\n")
            #expect(try await process.wait() == .exited(status))
            #expect(try text.contains("Render budget"))
        }
        // A check that writes a budget ends well.
        let written = bench.path + "/written.json"
        let process = try start(way, ["check", "--budget", written, "--update"], [Program.counting])
        process.type("run 40\nexit\n")
        #expect(try await process.wait() == .exited(0))
        #expect(try String(contentsOfFile: written, encoding: .utf8).contains("\"evaluations\""))
    }

    @Test("a report that cannot be written is not the status of a command that failed")
    func fullDisk() async throws {
        let process = try start(
            [], ["check", "--budget", budget(0), "--junit", "/dev/full"], ["/bin/sh", "-c", "exit 7"])
        #expect(try await process.wait() == .exited(7))
        #expect(process.standardError.contains("cannot write") && process.standardError.contains("with status 7"))
    }
}
