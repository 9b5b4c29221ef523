// SPDX-License-Identifier: MIT
// What viewers make of our files: models of their rules over recordings made by hand.

import CShared
import Foundation
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

/// A recording, and how many evaluations it has.
struct ImportedRecording: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let evaluations: Int
    /// Whether its times are those of a clock that began long before.
    var hasClock = false
    let fill: @Sendable (EventScript) -> Void

    /// Its file in Chrome's format, and its folded stacks.
    func files() throws -> (chrome: String, folded: String, script: EventScript) {
        let script = EventScript()
        fill(script)
        let (chrome, folded) = (Written(), Written())
        var format = ChromeFormat(chrome.output, script.texts)
        if hasClock, let first = script.events.first {
            format.start(clockOrigin: first.nanoseconds - 987_654_321_123_456)
        }
        try script.feed(format)
        try script.feed(FoldedFormat(folded.output))
        return (chrome.text, folded.text, script)
    }

    private static func nest(_ script: EventScript, _ names: [String], turn: UInt64 = 1) {
        let ids = names.map { script.begin($0) }
        for (id, name) in zip(ids, names).reversed() {
            script.end(id, name, reason: name == names[0] ? "tick" : "parent: \(names[0])", body: 1_000, turn: turn)
        }
    }

    static let all: [ImportedRecording] = [
        ImportedRecording(testDescription: "views in views, in two turns", evaluations: 8) { script in
            for turn in 1...2 as ClosedRange<UInt64> {
                script.turn(turn) { nest(script, ["Outer", "Middle", "Inner", "Inner"], turn: turn) }
            }
        },
        ImportedRecording(testDescription: "times of a clock", evaluations: 3, hasClock: true) { script in
            script.turn(1) { nest(script, ["Outer", "Middle", "Inner"]) }
        },
        ImportedRecording(testDescription: "waste that commits decide", evaluations: 12) { script in
            for round in 1...12 as ClosedRange<UInt64> {
                let id = script.begin("Row")
                script.end(id, "Row", waste: round % 2 == 0 ? .inferred : .none)
                script.commit("Row", round, wasted: UInt32(round), of: id, as: round % 3 == 0 ? .measured : .none)
            }
        },
        ImportedRecording(testDescription: "two processes", evaluations: 4) { script in
            script.threadNames = [2: "feed"]
            script.turn(1) { nest(script, ["Shop", "Cart"]) }
            let outer = script.begin("Feed", pid: 2), inner = script.begin("Post", pid: 2)
            script.end(inner, "Post", pid: 2)
            script.end(outer, "Feed", pid: 2)
        },
        ImportedRecording(testDescription: "a thread beside the first", evaluations: 2) { script in
            script.threadNames = [2: "worker"]
            script.end(script.begin("Aside"), "Aside", tid: 2)
            script.turn(1) { script.evaluate("Row", turn: 1) }
        },
        ImportedRecording(testDescription: "a hang with its turn", evaluations: 2) { script in
            script.turn(1, length: 400_000_000) { nest(script, ["Slow", "Row"]) }
            script.add(.hangEnded(script.hang(400_000_000, view: "Slow", isEnd: true)), pid: 99)
        },
        ImportedRecording(testDescription: "a hang that does not end", evaluations: 1) { script in
            var hang = script.hang(0, view: "Spin", isEnd: false)
            hang.age_ns = 1_000
            script.evaluate("Row")
            script.add(.hangBegan(hang), pid: 99)
            script.write("Gauge.level", "w()", views: 1)
        },
        ImportedRecording(testDescription: "beginnings and ends that were lost", evaluations: 4) { script in
            script.turn(1) { nest(script, ["Outer", "Inner"]) }
            script.end(77, "Unbegun", body: 5)
            _ = script.begin("Unended")
            script.write("Gauge.level", "w()", views: 1)
        },
        ImportedRecording(testDescription: "signposts of two processes with one number", evaluations: 1) { script in
            script.evaluate("Row")
            for (kind, pid) in [(.begin, 1), (.begin, 2), (.end, 1), (.end, 2)] as [(SignpostKind, Int32)] {
                script.other(kind, 300, pid: pid)
            }
        },
        ImportedRecording(testDescription: "names that viewers take for their own", evaluations: 12) { script in
            for name in ChromeTrace.namesOfFirefox.sorted() {
                script.evaluate(name)
                script.write(name, "w()", views: 1)
            }
        },
        ImportedRecording(testDescription: "names of all letters", evaluations: 8) { script in
            nest(script, ["a\"b", "new\nline", "tab\there", "\u{7f}", "wörker 日本 🙂", "*", "a;b", "\\"])
        },
        ImportedRecording(testDescription: "writes with what they cause", evaluations: 4) { script in
            script.write("Gauge.level", "w()", views: 1)
            script.turn(1) {
                let outer = script.begin("Outer")
                script.evaluate("Inner", reason: "parent: Outer", body: 40, turn: 1)
                script.end(outer, "Outer", reason: "gauge.level", turn: 1, writers: "w() ×2")
                script.evaluate("Beside", reason: "parent: Outer", turn: 1)
                script.evaluate("Again", reason: "gauge.level", turn: 1, writers: "w()")
            }
        },
        ImportedRecording(testDescription: "a phase that outlasts its turn", evaluations: 1) { script in
            let phase = { Phase(signpost_id: $0, name: script.texts.intern("callouts"), turn: 1) }
            script.turn(1) {
                script.evaluate("Row", turn: 1)
                script.add(.phaseBegan(phase(1)))
            }
            script.add(.phaseEnded(phase(1)))
        },
        ImportedRecording(testDescription: "events that were lost", evaluations: 1) { script in
            script.evaluate("Row")
            script.add(.discarded(3), pid: 1)
        },
    ]
}

@Suite("What viewers make of a recording, by models of their rules")
struct ImporterTests {
    @Test(
        "Firefox's profiler has a marker of each evaluation, with what is known of it", arguments: ImportedRecording.all
    )
    func firefox(recording: ImportedRecording) throws {
        let files = try recording.files()
        let markers = try FirefoxImport(files.chrome).markers
        let evaluations = markers.filter { $0.category == "evaluation" }
        #expect(evaluations.count == recording.evaluations)
        #expect(evaluations.allSatisfy { ($0.end ?? -1) >= $0.start && $0.thread != "Chrome Thread" })
        // One that has not ended has no reason.
        #expect(
            evaluations.count { $0.detail == nil } == files.chrome.components(separatedBy: #""args":{"ended":false}"#)
                .count - 1)
        let names = Set(markers.filter { $0.category == "hang" }.map(\.thread))
        #expect(names.isSubset(of: ["hangs"]))
    }

    @Test("speedscope has a frame of each evaluation, and warns of nothing", arguments: ImportedRecording.all)
    func speedscope(recording: ImportedRecording) throws {
        let files = try recording.files()
        let found = try SpeedscopeImport(files.chrome)
        #expect(found.warnings == [] && found.frames.count { $0.category == "evaluation" } == recording.evaluations)
        let own = try files.script.report().export.processes.flatMap(\.views).reduce(UInt64(0)) {
            $0 + ($1.selfNanoseconds ?? 0)
        }
        #expect(try FoldedImport(files.folded).stacks.reduce(UInt64(0)) { $0 + $1.weight } == own)
    }

    @Test("Perfetto has a slice of each evaluation, and counts no error", arguments: ImportedRecording.all)
    func perfetto(recording: ImportedRecording) throws {
        let found = try PerfettoImport(try recording.files().chrome)
        #expect(found.errors == [:] && found.slices.count { $0.category == "evaluation" } == recording.evaluations)
        // What stands for a track has its own name, and the first thread keeps its.
        for (thread, name) in found.threadNames where thread.pid == thread.tid {
            #expect(["app", "feed"].contains(name))
        }
        for slice in found.slices where slice.category == "hang" {
            #expect(slice.track == .thread(ImportedThread(pid: 1, tid: Int(Int32.max))) && slice.depth == 0)
        }
    }

    @Test("at least twelve recordings are read, each with a name of its own")
    func size() {
        #expect(ImportedRecording.all.count >= 12)
        #expect(Set(ImportedRecording.all.map(\.testDescription)).count == ImportedRecording.all.count)
    }

    @Test("Perfetto and speedscope have the views in views of the recording")
    func depths() throws {
        let files = try ImportedRecording.all[0].files()
        let expected = ["Outer 1", "Middle 2", "Inner 3", "Inner 4", "Outer 1", "Middle 2", "Inner 3", "Inner 4"]
        let slices = try PerfettoImport(files.chrome).slices.filter { $0.category == "evaluation" }
        #expect(slices.sorted { $0.start < $1.start }.map { "\($0.name) \($0.depth)" } == expected)
        let frames = try SpeedscopeImport(files.chrome).frames.filter { $0.category == "evaluation" }
        #expect(frames.sorted { $0.start < $1.start }.map { "\($0.name) \($0.depth)" } == expected)
    }

    private static func file(_ events: String...) -> String { #"{"traceEvents":[\#(events.joined(separator: ","))]}"# }

    private static func event(_ name: String, _ start: Int, _ length: Int, tid: Int = 7, pid: Int = 7) -> String {
        #"{"ph":"X","cat":"c","name":"\#(name)","pid":\#(pid),"tid":\#(tid),"ts":\#(start),"dur":\#(length)}"#
    }

    @Test("the models refuse what the viewers refuse")
    func faults() throws {
        for name in ["Profile", "CpuProfile", "ScriptCatchup", "Screenshot"] {
            #expect(throws: ImportFault.self) { try FirefoxImport(Self.file(Self.event(name, 0, 1))) }
        }
        #expect(throws: ImportFault.self) { try SpeedscopeImport(Self.file(Self.event("Profile", 0, 1))) }
        #expect(throws: ImportFault.self) { try SpeedscopeImport(Self.file()) }
        #expect(throws: ImportFault.self) { try FoldedImport("app;Row 1\napp;;Row 1\n") }
        // One that ends after what it begins in.
        let crossing = Self.file(Self.event("turn", 0, 10), Self.event("callouts", 5, 10))
        #expect(try PerfettoImport(crossing).errors.values.reduce(0, +) == 1)
        #expect(try SpeedscopeImport(crossing).warnings.isEmpty == false)
        // The thread 0 is the main thread, whose name the last event sets.
        let name = #"{"ph":"M","name":"thread_name","pid":7,"tid":0,"ts":0,"args":{"name":"hangs"}}"#
        let found = try PerfettoImport(Self.file(Self.event("Row", 0, 1), name))
        #expect(found.threadNames == [ImportedThread(pid: 7, tid: 7): "hangs"])
    }
}
