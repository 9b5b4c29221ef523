// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("An export in a file")
struct ExportFileTests {
    private func load(_ text: some Sequence<UInt8>) async throws -> StatsExport {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/export.json"
        try Data(text).write(to: URL(fileURLWithPath: path))
        return try ExportFile(path: path).read()
    }

    @Test("is what was written, with names that a later program may add")
    func reads() async throws {
        var export = Sample.export([Sample.shop, Sample.store("empty", pid: 3)])
        // Judged anew: nobody can be asked about a file.
        export.verdict = VerdictBuilder.verdict(of: export.processes, .ended, now: export.generatedAt)
        #expect(try await load(try export.json()) == export)
        let more = String(decoding: try export.json(), as: UTF8.self)
            .replacing("\"commits\"", with: "\"colour\" : [{}], \"commits\"")
        #expect(try await load(more.utf8) == export)
    }

    @Test("what had ended by itself when a living program was exported is no finding")
    func ended() async throws {
        func kind(millisecondsAgo: Int64) async throws -> Verdict.Kind? {
            var (store, totals) = (Sample.store(kind: .loop), LoopTotals())
            let end = Sample.now.nanosecondsSince1970 - millisecondsAgo * 1_000_000
            (totals.counted, totals.busy.latestAt) = (20_000_000_000, Timestamp(nanosecondsSince1970: end))
            (totals.busy.nanoseconds, totals.busy.processor) = (6_000_000_000, 3_000_000_000)
            store.loop = LoopStats(totals)
            return try await load(try Sample.export([store]).json()).verdict?.first?.kind
        }
        #expect(try await kind(millisecondsAgo: 2_000) == .busy)
        #expect(try await kind(millisecondsAgo: 2_001) == .nothing)
    }

    @Test("cut anywhere it is 65, and never half of an export")
    func cut() async throws {
        let bytes = Array(try Sample.export([Sample.shop]).json())
        for count in stride(from: 0, to: bytes.count, by: 97) {
            let failure = try await #require(throws: ToolFailure.self) { try await load(bytes.prefix(count)) }
            #expect(failure.status == 65 && failure.message.contains("rerenderctl export -o"), "\(failure)")
        }
    }

    @Test(
        "what is no export is 65 with the reason",
        arguments: [
            ("\"count\" : 312", "\"count\" : -1", "not valid"), ("\"count\" : 312", "\"count\" : \"x\"", "count"),
            ("\"count\" : 312", "\"coun\" : 312", "\"count\" is missing"),
            ("\"version\" : 1", "\"version\" : 9", "version 9"),
            ("\"key\" : \"Badge\"", "\"key\" : \"CartTotal\"", "twice"),
            ("\"count\" : 308", "\"count\" : 313", "more wasted evaluations than evaluations"),
            ("\"views\" :", "\"view\" :", "\"views\" is missing"),
            ("\"mainLoop\" : \"glib\"", "\"mainLoop\" : \"\\u001b\"", "mainLoop"),
        ])
    func refused(original: String, changed: String, reason: String) async throws {
        let text = String(decoding: try Sample.export([Sample.shop]).json(), as: UTF8.self)
        #expect(text.contains(original))
        let failure = try await #require(throws: ToolFailure.self) {
            try await load(text.replacing(original, with: changed).utf8)
        }
        #expect(failure.status == 65 && failure.message.contains(reason), "\(failure.message)")
        #expect(!failure.message.unicodeScalars.contains("\u{1B}"))
    }

    @Test("a directory without a trace is 65, and it is said what makes one")
    func directory() async throws {
        let directory = try TemporaryDirectory()
        let failure = try await #require(throws: ToolFailure.self) { try await ExportSource.load(directory.path) }
        #expect(failure.status == 65 && failure.message.contains("rerenderctl record"), "\(failure.message)")
    }

    @Test("no file and endless nothing are 65", arguments: ["/nonexistent/export.json", "/dev/zero"])
    func unreadable(path: String) async throws {
        let failure = try await #require(throws: ToolFailure.self) { try await ExportSource.load(path) }
        #expect(failure.status == 65 && failure.message.contains("cannot read \(path): "))
    }

    @Test("hostile nesting is 65")
    func nesting() async throws {
        for text in [String(repeating: "[", count: 5_000_000), String(repeating: "{\"views\":[", count: 100_000)] {
            let failure = try await #require(throws: ToolFailure.self) { try await load(text.utf8) }
            #expect(failure.status == 65)
        }
    }
}
