// SPDX-License-Identifier: MIT
// What is emitted is recorded: every event, once, with the fields of the table.

import TestSupport
import TestTraits
import Testing
@testable import SignpostSupport

@Suite("Recording", .exclusive, .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct RecordingTests {
    @Test("every begin and end of many threads is recorded exactly once", .promise, arguments: LTTngDaemon.users)
    func everythingOnce(_ user: LTTngUser) async throws {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            user, LTTngRecording("\(subsystem).*"), subsystem, "Many.Dots", commands: ["pairs 0 500 8"])
        let begins = events.filter { $0.name == "\(subsystem).Many.Dots:begin" }
        let ends = events.filter { $0.name == "\(subsystem).Many.Dots:end" }
        let expected = Set((1...8).flatMap { thread in (1...500).map { UInt64(thread * 1_000_000 + $0) } })
        #expect(events.count == 8000)
        #expect(begins.count == 4000 && Set(begins.compactMap { $0.integer("signpost_id") }) == expected)
        #expect(ends.count == 4000 && Set(ends.compactMap { $0.integer("signpost_id") }) == expected)
        #expect(begins.allSatisfy { $0.payload == ["signpost_id", "name", "message", "scope"] })
        #expect(ends.allSatisfy { $0.text("name") == "work" && $0.text("message")?.hasPrefix("end ") == true })
        #expect(Set(begins.compactMap { $0.integer("vtid") }).count == 8)
        #expect(Set(begins.compactMap { $0.text("procname") }).count == 1)
    }

    @Test("each interval's begin comes before its end", arguments: LTTngDaemon.users.prefix(1))
    func order(_ user: LTTngUser) async throws {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            user, LTTngRecording("\(subsystem).*"), subsystem, "Order", commands: ["pairs 0 300 4"])
        var open: Set<UInt64> = []
        for event in events {
            let id = try #require(event.integer("signpost_id"))
            if event.name.hasSuffix(":begin") {
                #expect(open.insert(id).inserted)
            } else {
                #expect(open.remove(id) != nil)
            }
        }
        #expect(open.isEmpty && events.count == 2400)
    }

    /// Records what a probe emits under a name that is Rerender's own: other processes of the user may emit it too.
    private func recordOwn(_ category: String, _ user: LTTngUser, command: String) async throws -> [LTTngEvent] {
        try await LTTngDaemon.with(user) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("com.rerender.\(category):*")) { session in
                let probe = try await daemon.start(product: "signpost-probe")
                try #require(try await probe.ask(command) == command)
                #expect(await probe.finish().exit == .status(0))
                let pid = UInt64(probe.processID)
                return try await session.stopAndRead().filter { $0.integer("vpid") == pid }
            }
        }
    }

    @Test("a turn of the main loop has the fields of the table, and ends with its evaluations")
    func renderLoop() async throws {
        let events = try await recordOwn("RenderLoop", .ordinary, command: "turns 100")
        try #require(events.count == 200)
        let (begin, end) = (events[0], events[1])
        #expect(begin.name == "com.rerender.RenderLoop:begin" && end.name == "com.rerender.RenderLoop:end")
        #expect(begin.payload == EventTable.fields[begin.name] && end.payload == EventTable.fields[end.name])
        #expect(events.allSatisfy { $0.text("name") == "turn" })
        #expect(events.compactMap { $0.integer("signpost_id") } == (1...100).flatMap { [UInt64($0), UInt64($0)] })
        #expect(events.compactMap { $0.integer("turn") } == events.compactMap { $0.integer("signpost_id") })
        #expect(events.compactMap { $0.integer("evaluations") } == (1...100).map { UInt64($0) * 3 })
    }

    @Test("a hang has the fields of the table, and ends with its duration")
    func hang() async throws {
        let events = try await recordOwn("Hang", .ordinary, command: "hangs 100")
        try #require(events.count == 200)
        let (begin, end) = (events[0], events[1])
        #expect(begin.name == "com.rerender.Hang:begin" && end.name == "com.rerender.Hang:end")
        #expect(begin.payload == EventTable.fields[begin.name] && end.payload == EventTable.fields[end.name])
        #expect(events.allSatisfy { $0.text("at_threshold") == "Row" && $0.integer("turn") == 77 })
        #expect(begin.integer("age_ns") == 1 && begin.integer("starved_ns") == 2 && begin.integer("guess") == 1)
        #expect(events.allSatisfy { $0.integer("store_id") == 2 && $0.integer("at_threshold_store_id") == 3 })
        #expect(begin.integer("last_rendered_store_id") == 4 && begin.integer("stopped_ns") == 3)
        #expect(events.allSatisfy { $0.integer("counts") == 0 && $0.text("handler") == "click" })
        #expect(begin.integer("handler_ns") == 6 && begin.integer("own_ns") == 7 && begin.integer("excused") == 1)
        #expect(begin.text("source") == "on_clicked() cases.c:44")
        #expect(end.text("call") == "g_dbus_connection_call_sync()")
        #expect(events.allSatisfy { $0.text("name") == "CartTotal" && $0.text("last_rendered") == "Cart" })
        #expect(events.allSatisfy { $0.integer("pid") == 4_711 && $0.label("attribution") == "in body" })
        #expect(begin.label("verdict") == "unknown" && end.label("verdict") == "running")
        #expect(events.compactMap { $0.integer("duration_ns") } == (1...100).map { UInt64($0) * 1_000_000 })
    }

    @Test(
        "BodyEval has the fields of the table, in their order, from the first event", .promise,
        arguments: LTTngDaemon.users)
    func bodyEval(_ user: LTTngUser) async throws {
        let events = try await recordOwn("BodyEval", user, command: "body 100")
        try #require(events.count == 200)
        let (begin, end) = (events[0], events[1])
        #expect(begin.name == "com.rerender.BodyEval:begin" && end.name == "com.rerender.BodyEval:end")
        #expect(begin.payload == EventTable.fields[begin.name] && end.payload == EventTable.fields[end.name])
        #expect(begin.text("name") == "CartTotal" && begin.text("file") == "Shop/Cart.swift")
        #expect(begin.integer("line") == 12 && begin.text("parent") == "Cart")
        #expect(end.text("reason") == "ticker.tick" && end.integer("body_ns") == 1001)
        #expect(
            end.integer("total_ns") == 2001 && end.integer("wasted") == 1 && end.integer("self_ns") == 501
                && end.integer("turn") == 7)
        #expect(end.integer("count") == 1 && end.integer("epoch") == 3)
        #expect(events.compactMap { $0.integer("signpost_id") } == (1...100).flatMap { [UInt64($0), UInt64($0)] })
    }

    @Test("two signposters of one name record each event once")
    func sharedName() async throws {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Shared",
            commands: [
                "make \(subsystem) Shared thread", "make \(subsystem) Other process", "wait 60000", "event 0 1",
                "event 1 2", "event 2 3",
            ])
        #expect(events.compactMap { $0.integer("signpost_id") } == [1, 2, 3])
        #expect(events.compactMap { $0.text("scope") } == ["process", "thread", "process"])
        #expect(events.last?.name == "\(subsystem).Other:event")
    }

    @Test("a session that starts later records from then on, and messages are evaluated only then")
    func startsLater() async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(.ordinary) { daemon in
            let probe = try await daemon.readyProbe(subsystem, "Later")
            #expect(try await probe.ask("enabled 0") == "false")
            #expect(try await probe.ask("lazy 0") == "evaluated 0")
            let events = try await LTTngSession.with(daemon, LTTngRecording("\(subsystem).*")) { session in
                #expect(try await probe.ask("enabled 0") == "true")
                #expect(try await probe.ask("lazy 0") == "evaluated 4")
                return try await session.stopAndRead()
            }
            #expect(events.count == 5)
            #expect(try await probe.ask("lazy 0") == "evaluated 0")
        }
    }

    @Test("each kind of event can be recorded alone", arguments: ["begin", "end", "event"])
    func alone(kind: String) async throws {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).Alone:\(kind)"), subsystem, "Alone",
            commands: ["pairs 0 10 1"] + (1...10).map { "event 0 \($0)" })
        #expect(events.map(\.name) == Array(repeating: "\(subsystem).Alone:\(kind)", count: 10))
    }

    @Test("PointsOfInterest can be selected by log level")
    func logLevel() async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(.ordinary) { daemon in
            let probe = try await daemon.readyProbe(subsystem, "PointsOfInterest")
            let list = try await daemon.command(["lttng", "--no-sessiond", "list", "--userspace"])
            let lines = list.split(separator: "\n").filter { $0.contains("\(subsystem).PointsOfInterest:") }
            #expect(lines.count == 3 && lines.allSatisfy { $0.contains("TRACE_INFO") })
            // The process goes by its own name in that list, not by that of the loading thread.
            #expect(list.contains("PID: \(probe.processID)") && list.contains("signpost-probe"))
        }
    }
}
