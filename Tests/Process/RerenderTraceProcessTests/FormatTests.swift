// SPDX-License-Identifier: MIT
// The formats against their own rules.

import Foundation
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

@Suite("Formats of a recording")
struct FormatTests {
    @Test(
        "of a real recording every format holds to its rules",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
    func real() async throws {
        let (chrome, folded, sysprof, report) = try await Recording.of(product: "counting") { app in
            #expect(try await app.nextLine() == "ready")
            for order in ["nest 50", "write 10", "hostile"] { _ = try await app.ask(order) }
        } read: { directory, _ in
            let (chrome, folded, sysprof) = (Written(), Written(), Written())
            try ChromeFormat.write(path: directory, to: chrome.output)
            try FoldedFormat.write(path: directory, to: folded.output)
            try SysprofFormat.write(path: directory, to: sysprof.output)
            return (chrome.text, folded.text, sysprof.bytes, try TraceReport.read(path: directory))
        }
        let events = try ChromeTrace.check(chrome)
        let evaluations = events.count { $0.cat == "evaluation" }
        // Times are microseconds of CLOCK_MONOTONIC, and the recording is of the last hour.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = (Double(time.tv_sec) + 1) * 1_000_000
        #expect(events.allSatisfy { $0.ph == "M" || (now - 3_600_000_000...now).contains($0.ts) })
        // Each arrow has a beginning and an end, and those from writes lead to what they caused.
        #expect(ChromeTrace.arrows(events).contains("Gauge.level → Left"), "\(ChromeTrace.arrows(events).prefix(5))")
        let views = report.export.processes.flatMap(\.views)
        #expect(UInt64(evaluations) == views.reduce(0) { $0 + $1.count })
        let marks = SysprofCapture(sysprof).marks
        #expect(marks.count { $0.group == "Rerender views" } == evaluations)
        let uptime = Int64(time.tv_sec + 1) * 1_000_000_000
        #expect(marks.allSatisfy { (uptime - 3_600_000_000_000...uptime).contains($0.time) })
        let own = folded.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }
        let outermost = views.filter { $0.key != "Middle" && $0.key != "Inner" }
        #expect(own.reduce(0, +) == outermost.reduce(0) { $0 + $1.body.totalNanoseconds })
        #expect(views.reduce(0) { $0 + ($1.selfNanoseconds ?? 0) } == own.reduce(0, +))
        #expect(folded.contains(";Outer;Middle;Inner "))
    }

    /// Twelve programs: two shops, and screens with what is done in them.
    private static let programs: [[String]] = [
        ["wasteful", "--ticks", "40"], ["isolated", "--ticks", "40"],
        ["showmax-1", "--script", "tap:heart,wait,tap:season"],
        ["showmax-4", "--script", "tap:heart,wait,tap:season"],
        ["dashboard-wasteful", "--script", "wait,tap:count,wait"],
        ["dashboard-optimised", "--script", "wait,tap:count,wait"],
        ["isolation-observable", "--script", "tap:skip,wait,tap:like"],
        ["isolation-object", "--script", "tap:skip,wait,tap:like"],
        ["form-wasteful", "--script", "wait,tap:save,wait"],
        ["form-isolated", "--script", "wait,tap:save,wait"], ["on-appear", "--script", "wait,tap:finish,wait"],
        ["flow-layout", "--script", "tap:grow,wait"],
    ]

    @Test(
        "of twelve programs, viewers have each evaluation once, by models of their rules",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"), arguments: programs)
    func viewers(program: [String]) async throws {
        let (chrome, folded, report) = try await Recording.of(
            product: "rerender-demo", ["--scenario"] + program
        ) { directory, _ in
            let (chrome, folded) = (Written(), Written())
            try ChromeFormat.write(path: directory, to: chrome.output)
            try FoldedFormat.write(path: directory, to: folded.output)
            return (chrome.text, folded.text, try TraceReport.read(path: directory))
        }
        let views = report.export.processes.flatMap(\.views)
        let count = Int(views.reduce(UInt64(0)) { $0 + $1.count })
        let markers = try FirefoxImport(chrome).markers.filter { $0.category == "evaluation" }
        #expect(markers.count == count && markers.allSatisfy { $0.detail != nil } && count > 0)
        let perfetto = try PerfettoImport(chrome)
        #expect(perfetto.errors == [:] && perfetto.slices.count { $0.category == "evaluation" } == count)
        let speedscope = try SpeedscopeImport(chrome)
        #expect(speedscope.warnings == [] && speedscope.frames.count { $0.category == "evaluation" } == count)
        let own = try FoldedImport(folded).stacks.reduce(UInt64(0)) { $0 + $1.weight }
        #expect(own == views.reduce(UInt64(0)) { $0 + ($1.selfNanoseconds ?? 0) })
    }
}
