// SPDX-License-Identifier: MIT
// What a program with very many widgets, and one under Valgrind, show of the counting itself.

import Foundation
import TestSupport
import Testing

@Suite(
    "The memory of a counted program",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct WidgetMemoryTests {
    /// A debug build draws about ten of these frames a second, so that a minute has 600. They are counted, and not the time. By hand, 600
    /// were drawn, which took a minute: from frame 100 to the last one memory grew by 76 kB.
    ///
    /// The heap's size alone says too little: on a loaded machine one more tree of render nodes lives for a while, and leaves a hole of 7 MB
    /// behind. That happens in one of these stretches; what is kept of each snapshot grows in all.
    @Test("ten thousand widgets that are drawn again and again take no more memory after a million snapshots")
    func flat() async throws {
        try await Fixture.preload()
        let (server, frames) = (try await XServer(), stride(from: 20, through: 120, by: 25).map(String.init))
        let run = try await InjectedRun.run(
            [try await Fixture.made("c/many"), "10000"] + frames, environment: server.environment)
        #expect(run.truth["Cell"] == 1_200_000 && run.stores["widgets"]?["Cell"]?.count == 1_200_000)
        let heap = try frames.map { try #require(run.truth["heap\($0)"]) }
        let memory = try frames.map { Int64(try #require(run.truth["memory\($0)"])) }
        // One byte for each snapshot were 977.
        #expect(heap[0] > 10_000 && heap[4] < heap[0] + 100, "\(heap) kB")
        // One byte for each were 244.
        let growth = zip(memory.dropFirst(), memory).map { $0 - $1 }
        let least = try #require(growth.min())
        Figure.note("growth of a GTK program in 250,000 snapshots", least, "kB")
        #expect(least < 100, "\(memory) kB")
        withExtendedLifetime(server) {}
    }

    /// The errors that memcheck tells of a run: those with us on the stack. How many a program has of its own differs from run to run.
    private func errors(_ preload: String?) async throws -> (ours: [Substring], program: String) {
        let (server, directory) = (try await XServer(), try TemporaryDirectory())
        let log = directory.path + "/memcheck", report = directory.path + "/report"
        #expect(FileManager.default.createFile(atPath: report, contents: nil))
        let environment = server.whole([
            "RERENDER_RUNTIME_DIR": directory.path, "RERENDER_INJECT_REPORT": report, "RERENDER_HUD": "1",
            "LD_PRELOAD": preload ?? "",
        ])
        let output = try await ChildProcess.run(
            [
                try ReleaseCost.path("valgrind"), "--tool=memcheck", "--leak-check=full", "--show-leak-kinds=definite",
                "--errors-for-leak-kinds=none", "--num-callers=40", "--log-file=\(log)",
                try await Fixture.made("c/widgets"), "property", "class", "size", "popover", "window",
            ], environment: environment)
        #expect(output.exit == .status(0), "\(output)")
        let text = try String(contentsOfFile: log, encoding: .utf8).replacing(#/(?m)^==\d+== ?/#, with: "")
        #expect(text.contains("ERROR SUMMARY: "), "\(text)")
        // Of a library that the loader reads, the loader itself loses a list. What fontconfig keeps it reaches by offsets, which memcheck
        // does not follow.
        let others = ["_dl_map_object_deps", "libfontconfig.so"]
        let ours = text.split(separator: "\n\n").filter { block in
            block.contains("librerender-") && block.contains(" at 0x") && !others.contains { block.contains($0) }
        }
        let isCounted = try String(contentsOfFile: report, encoding: .utf8).contains("widgets begun")
        #expect(isCounted == (preload != nil))
        withExtendedLifetime(server) {}
        return (ours, output.standardOutput)
    }

    @Test(
        "memcheck finds no error and no lost block with us on the stack",
        .enabled(if: ChildProcess.path(of: "valgrind") != nil, "valgrind is not installed"))
    func memcheck() async throws {
        let plain = try await errors(nil)
        let ours = try await errors(Fixture.preload())
        #expect(ours.ours.isEmpty, "\(ours.ours.joined(separator: "\n\n"))")
        #expect(ours.program == plain.program)
    }
}
