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
}
