// SPDX-License-Identifier: MIT
// Traces made by hand, as babeltrace2 would show them, with the times of their events.

import RerenderModel
import TestSupport

@testable import RerenderTool
@testable import ToolSupport

/// Events in a row, each a microsecond after the one before unless it says otherwise.
struct MadeTrace {
    private(set) var events: [LTTngEvent] = []
    private(set) var times: [Int] = []
    var now = 1_763_722_000_000_000_000
    private var lastID = 0
    /// What runs on each thread, outermost first.
    private var running: [Int: [(id: Int, view: String, instance: Int?)]] = [:]
    var pid = 7
    /// The name of threads that have none of their own.
    var process = "shop"
    /// Whether it has enumerations; older recordings have their numbers.
    var hasEnumerations = true

    private func choice(_ number: Int, _ labels: [String]) -> String {
        hasEnumerations ? "( \"\(labels[number])\" : container = \(number) )" : "\(number)"
    }

    private func waste(_ number: Int) -> String { choice(number, ["no", "inferred", "measured"]) }

    /// Of a hang, whose labels are texts in older recordings.
    private func label(_ text: String, _ number: Int) -> String {
        hasEnumerations ? "( \"\(text)\" : container = \(number) )" : "\"\(text)\""
    }

    mutating func add(_ event: String, _ fields: String, thread: Int? = nil, threadName: String? = nil) throws {
        now += 1_000
        let line =
            "[0] (+0) vm com.rerender.\(event): { cpu_id = 1 }, { vpid = \(pid), vtid = \(thread ?? pid), "
            + "procname = \"\(threadName ?? process)\" }, { \(fields) }"
        guard let event = LTTngTrace.parse(Array(line.utf8)) else { throw NotSeen(description: line) }
        events.append(event)
        times.append(now)
    }

    private static func number(_ instance: Int?) -> String { instance.map { "\($0)" } ?? "18446744073709551615" }

    @discardableResult
    mutating func begin(
        _ view: String, instance: Int? = nil, thread: Int? = nil, threadName: String? = nil, isLost: Bool = false
    ) throws -> Int {
        lastID += 1
        let place = pid << 32 | (thread ?? pid)
        let parent = running[place]?.last?.view ?? " "
        running[place, default: []].append((lastID, view, instance))
        guard !isLost else { return lastID }
        try add(
            "BodyEval:begin",
            "signpost_id = \(lastID), name = \"\(view)\", file = \"Shop/Ansicht.swift\", line = 3, "
                + "parent = \"\(parent)\", instance = \(Self.number(instance))", thread: thread, threadName: threadName)
        return lastID
    }

    /// Ends what runs innermost on the thread.
    mutating func end(
        wasted: Int = 0, kind: Int = 0, turn: Int = 0, reason: String = "tick", took nanoseconds: Int = 0,
        thread: Int? = nil, isLost: Bool = false
    ) throws {
        let place = pid << 32 | (thread ?? pid)
        guard let ended = running[place]?.popLast() else { throw NotSeen(description: "nothing runs") }
        now += nanoseconds
        guard !isLost else { return }
        try add(
            "BodyEval:end",
            "signpost_id = \(ended.id), name = \"\(ended.view)\", reason = \"\(reason)\", body_ns = 1, total_ns = 2, "
                + "wasted = \(waste(wasted)), turn = \(turn), count = 1, epoch = 0, store = \"main\", store_id = 0, "
                + "instance = \(Self.number(ended.instance)), instances = 1, "
                + "attribution = \(choice(1, ["none", "exact"])), "
                + "kind = \(choice(kind, ["none"] + WasteKind.allCases.map(\.rawValue))), "
                + "writers = \" \", chain = \" \"", thread: thread)
    }

    mutating func evaluate(
        _ view: String, instance: Int? = nil, wasted: Int = 0, kind: Int = 0, turn: Int = 0, reason: String = "tick",
        took nanoseconds: Int = 0, thread: Int? = nil
    ) throws -> Int {
        let id = try begin(view, instance: instance, thread: thread)
        try end(wasted: wasted, kind: kind, turn: turn, reason: reason, took: nanoseconds, thread: thread)
        return id
    }

    mutating func change(
        _ message: String, _ view: String, of evaluation: Int, as wasted: Int, instance: Int? = nil
    ) throws {
        try add(
            "View:event",
            "name = \"\(view)\", message = \"\(message)\", store = \"main\", store_id = 0, epoch = 0, "
                + "instance = \(Self.number(instance)), wasted_ns = 1, signpost_id = \(evaluation), "
                + "wasted = \(waste(wasted))")
    }

    mutating func turnBegins(_ number: Int, inBody: Bool = false) throws {
        try add(
            "RenderLoop:begin",
            "signpost_id = \(number), name = \"turn\", turn = \(number), in_body = \(inBody ? 1 : 0)")
    }

    mutating func turnEnds(_ number: Int, evaluations: Int = 0) throws {
        try add(
            "RenderLoop:end",
            "signpost_id = \(number), name = \"turn\", turn = \(number), evaluations = \(evaluations)")
    }

    /// A hang's begin, or its end where it has a duration, as the daemon tells them.
    mutating func hang(_ id: Int, _ view: String, of process: Int, duration: Int? = nil, last: String = " ") throws {
        let own = pid
        pid = 99
        defer { pid = own }
        let fields =
            "signpost_id = \(id), name = \"\(view)\", last_rendered = \"\(last)\", pid = \(process), "
            + "attribution = \(label("in body", 1)), verdict = \(label("running", 1))"
        try add(
            duration == nil ? "Hang:begin" : "Hang:end", fields + (duration.map { ", duration_ns = \($0)" } ?? ""),
            threadName: "rerenderd")
    }

    /// What one of the analyses makes of it.
    func run(_ id: String) throws -> AnalysesEngine {
        var engine = try AnalysesEngine.of(id)
        engine.run(events, at: times)
        return engine
    }

    /// The ids of all analyses.
    static let analyses = [
        "com.rerender.states", "com.rerender.callstack.states", "com.rerender.latency.evaluations",
        "com.rerender.latency.hangs", "com.rerender.doubles", "com.rerender.wasted",
    ]
}

extension AnalysesEngine {
    /// The engine of one of our analyses.
    static func of(_ id: String) throws -> AnalysesEngine {
        let root = try XMLNode.parse(TraceCompassFile.bytes)
        guard
            let provider = root.tree.first(where: {
                $0["id"] == id && ["stateProvider", "pattern"].contains($0.name)
            })
        else { throw NotSeen(description: "no analysis \(id)") }
        return AnalysesEngine(provider)
    }
}
