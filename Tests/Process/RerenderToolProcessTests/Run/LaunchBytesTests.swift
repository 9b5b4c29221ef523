// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestTraits
import Testing
@testable import ToolSupport

@Suite("A command's arguments and environment")
struct LaunchBytesTests {
    /// Runs a script of bash's, whose quotes can write any byte, and returns what came on standard output.
    private func shell(_ script: String, _ bench: Bench) async throws -> [UInt8] {
        let process = try Spawned(
            ["/bin/bash", "-c", script], environment: bench.environment(["PATH": "/usr/bin:/bin"]))
        process.closeInput()
        #expect(try await process.wait() == .exited(0), "\(process.standardError)")
        return process.outputBytes
    }

    @Test(
        "reach it byte for byte, UTF-8 or not", .promise,
        arguments: ["run --", "run", "run --limit 3 --", "check --budget B --update --"])
    func arguments(ours: String) async throws {
        let bench = try Bench()
        let command = ours.replacing("B", with: bench.path + "/none.json")
        let words = #"$'\xff\xfe name' $'caf\xc3\xa9' '' '--' $'\xed\xa0\x80'"#
        // check ends with its own status: nothing was counted.
        let bytes = try await shell(
            "\(Program.rerenderctl) \(command) /usr/bin/printf '<%s>' \(words) || true", bench)
        let expected: [[UInt8]] = [
            Array("<".utf8), [0xFF, 0xFE], Array(" name><café><><--><".utf8), [0xED, 0xA0, 0x80], Array(">".utf8),
        ]
        #expect(bytes == expected.flatMap(\.self))
    }

    @Test("of a program whose name is no UTF-8, too")
    func program() async throws {
        let bench = try Bench()
        let name = #"\#(bench.path)/$'\xff'"#
        let bytes = try await shell(
            "cp /usr/bin/printf \(name) && \(Program.rerenderctl) run -- \(name) ran", bench)
        #expect(bytes == Array("ran".utf8))
    }

    @Test("have variables as they were, but for ours", .promise)
    func environment() async throws {
        let bench = try Bench()
        let variables =
            #"ODD=$'\xff\xfe' EMPTY= RERENDER_WAIT_AT_EXIT=$'\xff' RERENDER_HANG_STACKS=0 RERENDER_RUNTIME_DIR=\#(bench.path)"#
        let look = "/usr/bin/env -0"
        let direct = try await shell("env -i \(variables) \(look)", bench)
        let through = try await shell("env -i \(variables) \(Program.rerenderctl) run -- \(look)", bench)
        func entries(_ bytes: [UInt8]) -> [[UInt8]] {
            bytes.split(separator: 0).map { Array($0) }.filter { !$0.starts(with: "RERENDER_RUNTIME_DIR=".utf8) }
        }
        #expect(entries(direct) == entries(through) && entries(direct).count == 4)
    }
}
