// SPDX-License-Identifier: MIT
// Evaluations of a real app in a real LTTng trace.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(
    "Recorded evaluations", .exclusive,
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct RecordedEvaluationTests {
    private static let rounds = 250
    private static let threads = 4

    @Test(
        "from the first evaluation on every begin and end is there once, nested as it ran",
        arguments: LTTngDaemon.users)
    func complete(_ user: LTTngUser) async throws {
        let events = try await record(user, orders: ["nest \(Self.rounds)"])
        let evaluations = UInt64(Self.rounds * Self.threads)
        #expect(events.count == 6 * Int(evaluations))
        for name in ["Outer", "Middle", "Inner"] {
            let ends = events.filter { $0.name == "com.rerender.BodyEval:end" && $0.text("name") == name }
            #expect(Set(ends.compactMap { $0.integer("count") }) == Set(1...evaluations), "\(name)")
            #expect(ends.allSatisfy { $0.integer("epoch") == 0 && $0.integer("wasted") == 0 })
            for end in ends {
                let (body, total) = (try #require(end.integer("body_ns")), try #require(end.integer("total_ns")))
                #expect(body <= total)
            }
        }
        try expectNesting(of: events)
        expectReasons(of: events)
        let begin = try #require(events.first { $0.text("name") == "Inner" })
        #expect(begin.text("file") == "counting/Shop.swift")
        #expect(begin.integer("line").map { $0 > 0 } == true)
    }

    @Test(
        "a write is one event however many views read it, before their evaluations, which say why and whether in vain",
        .promise)
    func writes() async throws {
        let count = 20
        let events = try await record(.ordinary, orders: ["write \(count)"], events: "com.rerender.*")
        // What stores tell of themselves may come between.
        let others: Set = ["com.rerender.BodyEval:begin", "com.rerender.Store:event"]
        let kinds = events.filter { !others.contains($0.name) }.map { $0.name + ($0.text("name") ?? "") }
        let round = [
            "com.rerender.Write:eventGauge.level", "com.rerender.BodyEval:endLeft", "com.rerender.BodyEval:endRight",
        ]
        #expect(kinds == Array(round.dropFirst()) + (0..<count).flatMap { _ in round })
        let writes = events.filter { $0.name == "com.rerender.Write:event" }
        #expect(writes.allSatisfy { $0.integer("views") == 2 })
        #expect(Set(writes.map { $0.text("message") }) == ["write(_:store:) counting/Writes.swift:29"])
        for name in ["Left", "Right"] {
            let ends = events.filter { $0.name == "com.rerender.BodyEval:end" && $0.text("name") == name }
            #expect(ends.map { $0.text("reason") } == ["initial"] + Array(repeating: "gauge.level", count: count))
            // The first write is of a new value, the second writes it again, and so on.
            #expect(ends.dropFirst().map { $0.integer("wasted") } == (0..<count).map { UInt64($0 % 2) })
        }
    }

    @Test("a parent whose label is too long is named as its own evaluations are")
    func longParent() async throws {
        let events = try await record(.ordinary, orders: ["parent"], events: "com.rerender.BodyEval:begin")
        let (first, second) = (try #require(events.first), try #require(events.last))
        #expect(events.count == 2 && second.text("name") == "Child")
        #expect(second.text("parent") == first.text("name") && first.text("name")?.utf8.count == 1_024)
    }

    @Test("a session that records other providers gets no event of an evaluation")
    func nothingWithoutSession() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("com.example.*")) { session in
                let app = try await Self.start(daemon)
                #expect(try await app.nextLine() == "ready")
                try await app.ask("nest 10")
                #expect(await app.finish().exit == .status(0))
                #expect(try await session.stopAndRead().isEmpty)
            }
        }
    }

    private func record(
        _ user: LTTngUser, orders: [String], events: String = "com.rerender.BodyEval:*"
    ) async throws -> [LTTngEvent] {
        try await LTTngDaemon.with(user) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording(events)) { session in
                let app = try await Self.start(daemon)
                #expect(try await app.nextLine() == "ready")
                for order in orders { try await app.ask(order) }
                #expect(await app.finish().exit == .status(0))
                let pid = UInt64(app.processID)
                return try await session.stopAndRead().filter { $0.integer("vpid") == pid }
            }
        }
    }

    private static func start(_ daemon: LTTngDaemon) async throws -> ChildProcess {
        try await daemon.start(
            product: "counting",
            environment: ["RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": daemon.home + "/runtime"])
    }

    /// Replays each thread's events on a stack of its own.
    private func expectNesting(of events: [LTTngEvent]) throws {
        var stacks: [UInt64: [(id: UInt64, name: String)]] = [:]
        var ids: Set<UInt64> = []
        for event in events {
            let thread = try #require(event.integer("vtid"))
            let id = try #require(event.integer("signpost_id"))
            let name = try #require(event.text("name"))
            if event.name == "com.rerender.BodyEval:begin" {
                let isNew = ids.insert(id).inserted
                #expect(isNew)
                let enclosing = stacks[thread]?.last?.name
                // An empty text is recorded as a space.
                #expect(event.text("parent") == enclosing ?? " ", "\(name)")
                stacks[thread, default: []].append((id, name))
            } else {
                let open = stacks[thread]?.popLast()
                #expect(open?.id == id && open?.name == name)
            }
        }
        #expect(stacks.values.allSatisfy { $0.isEmpty })
        #expect((1...Self.threads).contains(stacks.count))
    }

    private func expectReasons(of events: [LTTngEvent]) {
        let ends = events.filter { $0.name == "com.rerender.BodyEval:end" }
        #expect(ends.filter { $0.text("name") == "Middle" }.allSatisfy { $0.text("reason") == "tap" })
        let outer = ends.filter { $0.text("name") == "Outer" }
        #expect(outer.filter { $0.text("reason") == "initial" }.count == 1)
        // The one that began first, whichever of the four threads' ended first: so it is the first of its thread.
        let initial = outer.first { $0.text("reason") == "initial" }
        #expect(outer.first { $0.integer("vtid") == initial?.integer("vtid") } == initial)
        #expect(outer.filter { $0.text("reason") == "<external signal>" }.count == outer.count - 1)
    }
}
