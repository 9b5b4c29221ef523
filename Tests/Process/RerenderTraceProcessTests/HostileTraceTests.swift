// SPDX-License-Identifier: MIT
// Directories that are no trace, and traces that are damaged: errors that say what to do, and no crash.

import Foundation
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

@Suite("Hostile traces")
struct HostileTraceTests {
    /// Why a path cannot be reported on; nil if it can.
    private func fault(of path: String) -> TraceError? {
        do {
            _ = try TraceReport.read(path: path)
            return nil
        } catch {
            return error as? TraceError ?? TraceError(.reader, "\(error)")
        }
    }

    private func code(of path: String) -> TraceError.Code? { fault(of: path)?.code }

    @Test(
        "a damaged recording is an error with what to do next, or is read; never a crash",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
    func damaged() async throws {
        try await Recording.of(product: "counting") { app in
            #expect(try await app.nextLine() == "ready")
            _ = try await app.ask("run 500")
        } read: { directory, _ in
            let files = try Self.files(below: directory)
            let streams = files.filter { $0.contains("/ch_") && !$0.contains("/index/") }
            let metadata = try #require(files.first { $0.hasSuffix("/metadata") })
            #expect(code(of: directory) == nil && !streams.isEmpty)
            let events = try await LTTngTrace.read(directory).count
            #expect(try EventCount(of: directory, most: UInt64(events)).text == "\(events)")
            #expect(try EventCount(of: directory, most: UInt64(events - 1)).text == "\(events - 1)+")
            #expect(EventCount(text: "7+")?.isWhole == false && EventCount(text: "+") == nil)
            let stream = try #require(streams.max { Self.size($0) < Self.size($1) })
            for part in [0.999, 0.5, 0.01] { try damage(stream, in: directory, keeping: part) }
            for part in [0.9, 0.5, 0.1] { try damage(metadata, in: directory, keeping: part) }
            var generator = SeededGenerator(seed: 6)
            for file in [stream, metadata] {
                for _ in 0..<40 { try flip(file, in: directory, &generator) }
            }
            // A stream that is cut in the middle of a packet is no shorter recording.
            let whole = try Data(contentsOf: URL(fileURLWithPath: stream))
            try whole.dropLast(whole.count / 2 + 1).write(to: URL(fileURLWithPath: stream))
            let error = try #require(fault(of: directory))
            #expect(error.code == .unreadable)
            #expect(error.description.contains("lttng destroy") && error.description.contains(directory))
        }
    }

    @Test(
        "a recording without events says what to look at",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
    func empty() async throws {
        try await Recording.of(product: "counting", [], LTTngRecording("com.example.none:*")) { app in
            _ = try await app.nextLine()
        } read: { directory, _ in
            let error = try #require(fault(of: directory))
            #expect([.empty, .notATrace].contains(error.code) && error.description.contains("rerenderctl"))
            if error.code == .empty { #expect(try EventCount(of: directory).text == "0") }
        }
    }

    /// Two traces, one of long before 1970 and one of long after: no clock alone spans as much.
    private func farApart(_ before: [CraftedTrace.Event], _ after: [CraftedTrace.Event]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try CraftedTrace(before, origin: -CraftedTrace.farSeconds).write(to: directory.url.appending(path: "before"))
        try CraftedTrace(after, origin: CraftedTrace.farSeconds).write(to: directory.url.appending(path: "after"))
        return directory
    }

    @Test("times that lie as far apart as clocks can say are read in every form")
    func absurdTimes() async throws {
        let directory = try farApart(
            [.turn(begins: true, at: 0), .hang(begins: true, of: 0, at: 1), .hang(begins: false, of: .max, at: 2)],
            [.turn(begins: false, at: 0), .turn(begins: true, at: 1), .hang(begins: true, of: 0, at: 2)])
        let report = try TraceReport.read(path: directory.path)
        #expect(report.began.nanosecondsSince1970 == -CraftedTrace.farSeconds * 1_000_000_000)
        #expect(report.ended.nanosecondsSince1970 == CraftedTrace.farSeconds * 1_000_000_000 + 2)
        #expect(report.hangs.map(\.durationNanoseconds) == [0, .max])
        #expect(try PageBuilder.read(path: directory.path, tool: "test").page.totals.turns == 1)
        for arguments in [[], ["--format", "chrome"], ["--format", "folded"], ["--json"]] {
            let output = try await ChildProcess.run(
                [ChildProcess.product("rerenderctl"), "report", directory.path] + arguments, seconds: 120)
            #expect(output.exit == .status(0), "\(arguments): \(output)")
        }
    }

    private func damage(_ file: String, in directory: String, keeping part: Double) throws {
        try with(file) { bytes in
            bytes.removeLast(bytes.count - Int(Double(bytes.count) * part))
        } read: {
            _ = code(of: directory)
        }
    }

    private func flip(_ file: String, in directory: String, _ generator: inout SeededGenerator) throws {
        let (place, bit) = (Double.random(in: 0..<1, using: &generator), UInt8.random(in: 0..<8, using: &generator))
        try with(file) { bytes in
            bytes[Int(Double(bytes.count) * place)] ^= 1 << bit
        } read: {
            _ = code(of: directory)
        }
    }

    private func with(_ file: String, _ change: (inout [UInt8]) -> Void, read: () -> Void) throws {
        let url = URL(fileURLWithPath: file)
        let whole = try Data(contentsOf: url)
        var bytes = Array(whole)
        change(&bytes)
        try Data(bytes).write(to: url)
        read()
        try whole.write(to: url)
    }

    private static func files(below directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).map { "\(directory)/\($0)" }
    }

    private static func size(_ path: String) -> Int {
        (try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? 0
    }
}
