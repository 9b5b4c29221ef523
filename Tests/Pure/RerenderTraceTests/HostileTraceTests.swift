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

    @Test("a trace of CTF 2 is called that where it cannot be read")
    func version2() throws {
        let directory = try TemporaryDirectory()
        try Data("\u{1E}{\"type\": \"preamble\", \"version\": 2".utf8).write(
            to: directory.url.appending(path: "metadata"))
        let fault = fault(of: directory.path)
        #expect(
            fault?.code == .unreadable && fault?.description.contains("is of CTF 2") == true,
            "\(String(describing: fault))")
    }

    private func code(of path: String) -> TraceError.Code? { fault(of: path)?.code }

    @Test("nothing there, a file, and a directory without a trace are told apart")
    func noTrace() throws {
        let directory = try TemporaryDirectory()
        #expect(code(of: directory.path + "/none") == .missing)
        #expect(code(of: directory.path) == .notATrace)
        try Data("text".utf8).write(to: directory.url.appending(path: "file"))
        #expect(code(of: directory.path + "/file") == .notATrace)
    }

    @Test("metadata of garbage is unreadable", arguments: ["", "garbage", "/* CTF 1.8 */\ntrace {", "\u{0}\u{1}"])
    func garbage(text: String) throws {
        let directory = try TemporaryDirectory()
        try Data(text.utf8).write(to: directory.url.appending(path: "metadata"))
        #expect(code(of: directory.path) == .unreadable)
    }

    @Test("links that lead in a circle, and deep directories, end")
    func circle() throws {
        let directory = try TemporaryDirectory()
        let deep = directory.path + String(repeating: "/d", count: 40)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/d/up", withDestinationPath: directory.path)
        #expect(code(of: directory.path) == .notATrace)
    }

    /// Two traces, one of long before 1970 and one of long after: no clock alone spans as much.
    private func farApart(_ before: [CraftedTrace.Event], _ after: [CraftedTrace.Event]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try CraftedTrace(before, origin: -CraftedTrace.farSeconds).write(to: directory.url.appending(path: "before"))
        try CraftedTrace(after, origin: CraftedTrace.farSeconds).write(to: directory.url.appending(path: "after"))
        return directory
    }

    @Test("a turn that lasts longer than a signed number of nanoseconds is a hang")
    func endlessTurn() throws {
        let directory = try farApart([.turn(begins: true, at: 0)], [.turn(begins: false, at: 0)])
        let report = try TraceReport.read(path: directory.path)
        #expect(report.hangs.map(\.durationNanoseconds) == [UInt64(CraftedTrace.farSeconds) * 2_000_000_000])
    }

    @Test("of more kinds of events than are told apart the further ones are nobody's, and counted")
    func eventClasses() throws {
        let directory = try TemporaryDirectory()
        let classes = UInt64(TraceLimits.eventClasses)
        let events = (0..<classes + 10).map { CraftedTrace.Event.other($0, at: $0) }
        let turn = CraftedTrace.Event.turn(begins: true, at: classes + 10)
        try CraftedTrace(events + [turn], otherClasses: events.count).write(to: directory.url)
        let report = try TraceReport.read(path: directory.path)
        #expect(report.events == classes + 11 && report.otherEvents == classes + 11 && report.overflowed == 11)
        #expect(report.ended.nanosecondsSince1970 - report.began.nanosecondsSince1970 == Int64(classes) + 10)
    }

    @Test("times that lie as far apart as clocks can say are read in every form")
    func absurdTimes() throws {
        let directory = try farApart(
            [.turn(begins: true, at: 0), .hang(begins: true, of: 0, at: 1), .hang(begins: false, of: .max, at: 2)],
            [.turn(begins: false, at: 0), .turn(begins: true, at: 1), .hang(begins: true, of: 0, at: 2)])
        let report = try TraceReport.read(path: directory.path)
        #expect(report.began.nanosecondsSince1970 == -CraftedTrace.farSeconds * 1_000_000_000)
        #expect(report.ended.nanosecondsSince1970 == CraftedTrace.farSeconds * 1_000_000_000 + 2)
        #expect(report.hangs.map(\.durationNanoseconds) == [0, .max])
        #expect(report.hangs.allSatisfy { $0.attribution == .inBody && $0.verdict == .running })
        #expect(try PageBuilder.read(path: directory.path).page(tool: "test").totals.turns == 1)
        let (chrome, folded) = (Written(), Written())
        try ChromeFormat.write(path: directory.path, to: chrome.output)
        try FoldedFormat.write(path: directory.path, to: folded.output)
        #expect(try !ChromeTrace.check(chrome.text).isEmpty && folded.text.isEmpty)
        let document = try JSONDecoder().decode(StatsExport.self, from: report.export.json())
        #expect(document.processes == report.export.processes)
    }

    @Test("a trace without events says what to look at")
    func empty() throws {
        let directory = try TemporaryDirectory()
        try CraftedTrace([]).write(to: directory.url)
        let error = try #require(fault(of: directory.path))
        #expect(error.code == .empty && error.description.contains("rerenderctl"))
        #expect(try EventCount(of: directory.path).text == "0")
    }

    @Test("a damaged trace is an error with what to do next, or is read; never a crash")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let events = (0 as UInt64..<1_000).map { CraftedTrace.Event.turn(begins: $0 % 2 == 0, at: $0) }
        try CraftedTrace(events).write(to: directory.url)
        #expect(code(of: directory.path) == nil)
        #expect(try EventCount(of: directory.path, most: 1_000).text == "1000")
        #expect(try EventCount(of: directory.path, most: 999).text == "999+")
        #expect(EventCount(text: "7+")?.isWhole == false && EventCount(text: "+") == nil)
        var generator = SeededGenerator(seed: 6)
        for name in ["stream", "metadata"] {
            let file = directory.url.appending(path: name)
            let whole = Array(try Data(contentsOf: file))
            for part in [0.999, 0.9, 0.5, 0.1, 0.01] {
                try Data(whole.prefix(Int(Double(whole.count) * part))).write(to: file)
                _ = code(of: directory.path)
            }
            for _ in 0..<40 {
                var bytes = whole
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                try Data(bytes).write(to: file)
                _ = code(of: directory.path)
            }
            try Data(whole).write(to: file)
        }
        // A stream that is cut in the middle of an event is no shorter recording.
        let stream = directory.url.appending(path: "stream")
        let whole = try Data(contentsOf: stream)
        try whole.dropLast(whole.count / 2 + 1).write(to: stream)
        let error = try #require(fault(of: directory.path))
        #expect(error.code == .unreadable)
        #expect(error.description.contains("lttng destroy") && error.description.contains(directory.path))
    }
}
