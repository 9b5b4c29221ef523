// SPDX-License-Identifier: MIT
// Each trace event by itself: one that is enabled is recorded, whatever else is.

import CShared
import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Lone events", .exclusive, .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct LoneEventTests {
    /// The events with names of Rerender's own, by the table that the writer has.
    private static let table: [String] = (0..<CSIGNPOST_SHAPES).flatMap { shape -> [String] in
        guard let name = csignpost_reserved_name(CInt(shape)) else { return [] }
        let provider = String(cString: name)
        return ["begin", "end", "event"].enumerated().compactMap { kind, event in
            csignpost_field(CInt(shape), CInt(kind), 0).name == nil ? nil : "\(provider):\(event)"
        }
    }
    private static let hangs = table.filter { $0.hasPrefix("com.rerender.Hang:") }
    /// What stores tell once a second while something is counted: how often each comes is the machine's to say.
    private static let told = table.filter { name in
        ["Store:", "Loop:", "Loop.", "Work:", "Cycle:"].contains { name.hasPrefix("com.rerender.\($0)") }
    }
    /// Those that only a program into which the library is loaded has, and only one with widgets.
    private static let ofWidgets = told.filter { name in ["Row:", "Fact:"].contains { name.contains(".Loop.\($0)") } }
    private static let ofStores = told.filter { name in !ofWidgets.contains(name) }

    private static func start(
        _ product: String, _ daemon: LTTngDaemon, _ arguments: [String] = [], _ more: [String: String] = [:]
    ) async throws -> ChildProcess {
        let usual = ["RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": daemon.home + "/runtime"]
        let app = try await daemon.start(product: product, arguments, environment: usual.merging(more) { $1 })
        #expect(try await app.nextLine() == "ready")
        return app
    }

    // MARK: All events

    @Test("of an app, each event that is recorded alone is recorded as often as together with all others")
    func app() async throws {
        let names = Self.table.filter { !Self.hangs.contains($0) && !Self.told.contains($0) }
        #expect(names.count == 8 && Self.told.count == 9)
        try await LTTngDaemon.with(.ordinary) { daemon in
            let app = try await Self.start("screens", daemon, ["redraws"])
            // What it shows first is evaluated, too.
            #expect(try await app.ask("tick 1") == "done")
            let all = try await Self.times(["com.rerender.*"], app, daemon)
            #expect(Set(all.keys) == Set(names))
            for name in names {
                #expect(try await Self.times([name], app, daemon) == [name: all[name] ?? 0], "\(name)")
            }
        }
    }

    /// How often each event was recorded while an app did the same as always: 20 writes to a model, and two taps.
    private static func times(
        _ names: [String], _ app: ChildProcess, _ daemon: LTTngDaemon
    ) async throws -> [String: Int] {
        var recording = LTTngRecording("")
        recording.events = names
        var evaluations = 0
        let events = try await LTTngSession.with(daemon, recording) { session in
            let before = Truth(try await app.ask("counts")).sum
            for order in ["tick 20", "tap heart", "tap heart"] { #expect(try await app.ask(order) == "done") }
            evaluations = Int(Truth(try await app.ask("counts")).sum - before)
            return try await session.stopAndRead().filter { $0.integer("vpid") == UInt64(app.processID) }
        }
        #expect(evaluations > 20)
        var times: [String: Int] = [:]
        for (name, events) in Dictionary(grouping: events, by: \.name) where !told.contains(name) {
            if name.hasPrefix("com.rerender.RenderLoop:") {
                // How many turns there are is the system's to say, and their numbers say whether all are there.
                let numbers = events.compactMap { $0.integer("turn") }
                #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + UInt64(events.count)), "\(name)")
                times[name] = min(events.count, 22)
            } else {
                // Each turn has callouts, and the answer comes in the turn after the orders'.
                times[name] = events.count { $0.text("name") != "callouts" }
                if name.hasPrefix("com.rerender.BodyEval:") { #expect(times[name] == evaluations, "\(name)") }
            }
        }
        return times
    }

    @Test(
        "what stores tell once a second is recorded alone, each event of it", arguments: ofStores)
    func stores(name: String) async throws {
        let events = try await LTTngDaemon.with(.ordinary) { tracer in
            let directory = tracer.home + "/runtime"
            let daemon = try await tracer.start(product: "rerenderd", ["--foreground", "--runtime-dir", directory])
            try await daemon.waitForError(" ready ")
            let http = UnixHTTP(directory + "/query.sock")
            let events = try await LTTngSession.with(tracer, LTTngRecording(name)) { session in
                let app = try await Self.start("screens", tracer, ["redraws"], ["RERENDER_WAIT_AT_EXIT": "20000"])
                for order in ["tick 1", "cycle 200"] { #expect(try await app.ask(order) == "done") }
                #expect(try await app.ask("timer 20") == "begun")
                try await http.eventually("a cycle, and work without input") {
                    let store = try http.get("/v1/stats").json(StatsExport.self).processes.first
                    return store?.cycles?.isEmpty == false && store?.idleWork?.isEmpty == false ? () : nil
                }
                // When it ends it tells all once more, other threads too.
                #expect(await app.finish().exit == .status(0))
                return try await session.stopAndRead().filter { $0.integer("vpid") == UInt64(app.processID) }
            }
            daemon.kill(SIGTERM)
            _ = await daemon.waitForExit()
            return events
        }
        #expect(Self.ofStores.count == 7 && Set(events.map(\.name)) == [name])
    }

    @Test(
        "what a program with widgets tells of its main loop is recorded alone: its rows, and its facts",
        .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"), arguments: ofWidgets)
    func widgets(name: String) async throws {
        // The program runs as the user of the test.
        let events = try await LTTngDaemon.with(LTTngDaemon.isRoot ? .root : .ordinary) { tracer in
            try await LTTngSession.with(tracer, LTTngRecording(name)) { session in
                let (lab, server) = (try await InjectionLab(), try await XServer())
                let tracing = ["HOME": tracer.home, "RERENDER_WAIT_FOR_TRACER": "20000"]
                let app = try await lab.start(
                    [Fixture.made("c/sight"), "rows"], server.environment.merging(tracing) { $1 })
                #expect(try await app.nextLine() == "shown")
                try await lab.daemon.http.eventually("rows and facts", seen: { try lab.stores(of: app) }) {
                    let loop = try lab.stores(of: app).compactMap(\.loop).first
                    return loop?.rows.isEmpty == false && loop?.facts.isEmpty == false ? () : nil
                }
                app.closeInput()
                #expect(await app.waitForExit() == .status(0))
                withExtendedLifetime(server) {}
                return try await session.stopAndRead().filter { $0.integer("vpid") == UInt64(app.processID) }
            }
        }
        #expect(Self.ofWidgets.count == 2 && Set(events.map(\.name)) == [name])
    }

    @Test("of a daemon, each event of a hang is recorded alone", arguments: hangs)
    func hang(name: String) async throws {
        #expect(Self.hangs.count == 2)
        let (events, hang) = try await LTTngDaemon.with(.ordinary) { tracer in
            try await LTTngSession.with(tracer, LTTngRecording(name)) { session in
                let (hang, _) = try await RecordedHangTests.hang(tracer)
                return (try await session.stopAndRead(), hang)
            }
        }
        #expect(events.filter { $0.integer("signpost_id") == hang.id }.map(\.name) == [name])
    }

    // MARK: Ends of evaluations

    private static let end = "com.rerender.BodyEval:end"

    /// 135 evaluations: plain ones, passes, ones in others, and with commits that overrule them.
    private static let orders = ["write 20", "passes 8", "cascade 10"]

    /// Records the same evaluations in several sessions at once.
    private static func record(_ recordings: [LTTngRecording]) async throws -> [[LTTngEvent]] {
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await record(recordings[...], daemon) {
                let app = try await start("counting", daemon)
                for order in orders { try await app.ask(order) }
                #expect(await app.finish().exit == .status(0))
            }
        }
    }

    private static func record(
        _ recordings: ArraySlice<LTTngRecording>, _ daemon: LTTngDaemon, _ run: () async throws -> Void
    ) async throws -> [[LTTngEvent]] {
        guard var recording = recordings.first else {
            try await run()
            return []
        }
        recording.subBufferSize = "256K"
        return try await LTTngSession.with(daemon, recording) { session in
            let others = try await record(recordings.dropFirst(), daemon, run)
            return [try await session.stopAndRead()] + others
        }
    }

    @Test("the end of an evaluation says the same where its beginning is not recorded, and commits name it")
    func complete() async throws {
        let alone = try await Self.record([LTTngRecording(Self.end, "com.rerender.View:event")])[0]
        let both = try await Self.record([LTTngRecording("com.rerender.BodyEval:*")])[0]
        // Times are each run's own; ids are in the order of the ends where there are no beginnings.
        let own: Set = ["signpost_id", "body_ns", "total_ns", "self_ns", "cpu_id", "vpid", "vtid"]
        func told(_ events: [LTTngEvent]) -> [[String]] {
            events.filter { $0.name == Self.end }.map { event in
                event.fields.filter { !own.contains($0.name) }.map { "\($0.name) = \($0.value)" }
            }
        }
        #expect(told(alone).count == 135 && told(alone) == told(both))
        let ids = alone.filter { $0.name == Self.end }.compactMap { $0.integer("signpost_id") }
        #expect(Set(ids).count == 135 && !ids.contains(0))
        let commits = alone.filter { $0.name == "com.rerender.View:event" }
        #expect(commits.count >= 21 && commits.allSatisfy { ids.contains($0.integer("signpost_id") ?? 0) })
    }

    /// A filter, as LTTng has it and as Swift does.
    struct Filter: Sendable {
        let text: String
        let holds: @Sendable (LTTngEvent) -> Bool
    }

    /// One for each field.
    private static let filters = [
        Filter(text: "signpost_id > 20") { $0.integer("signpost_id") ?? 0 > 20 },
        Filter(text: "name == \"Left\"") { $0.text("name") == "Left" },
        Filter(text: "reason == \"gauge.*\"") { $0.text("reason")?.hasPrefix("gauge.") == true },
        Filter(text: "body_ns > 2000") { $0.integer("body_ns") ?? 0 > 2_000 },
        Filter(text: "total_ns < 20000") { $0.integer("total_ns") ?? 0 < 20_000 },
        Filter(text: "self_ns > 2000") { $0.integer("self_ns") ?? 0 > 2_000 },
        Filter(text: "wasted == 1") { $0.integer("wasted") == 1 },
        Filter(text: "kind != 0") { $0.integer("kind") != 0 },
        Filter(text: "attribution == 1") { $0.integer("attribution") == 1 },
        Filter(text: "writers == \"*Writes.swift*\"") { $0.text("writers")?.contains("Writes.swift") == true },
        Filter(text: "chain == \"*Panel*\"") { $0.text("chain")?.contains("Panel") == true },
        Filter(text: "pass == 1") { $0.integer("pass") == 1 },
        Filter(text: "instance == 5") { $0.integer("instance") == 5 },
        Filter(text: "count > 10 && instances >= 1") { $0.integer("count") ?? 0 > 10 && $0.integer("instances") != 0 },
        Filter(text: "turn == 0 && epoch == 0 && store == \"main\" && store_id == 0 && count == 1") {
            $0.integer("count") == 1
        },
    ]

    @Test("ends that a filter on any of their fields lets through are recorded alone")
    func filtered() async throws {
        let recordings = Self.filters.map { LTTngRecording(Self.end, filter: $0.text) }
        let recorded = try await Self.record([LTTngRecording(Self.end)] + recordings)
        let all = recorded[0]
        #expect(all.count == 135)
        for (filter, events) in zip(Self.filters, recorded.dropFirst()) {
            #expect(events == all.filter(filter.holds), "\(filter.text)")
            // How long bodies take is the machine's to say.
            if !filter.text.contains("_ns") { #expect(!events.isEmpty && events.count < all.count, "\(filter.text)") }
        }
    }

    @Test("what is enabled while a body runs is recorded from then on: an end without its beginning")
    func meanwhile() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let app = try await Self.start("counting", daemon)
            #expect(try await app.ask("hold") == "held")
            let ends = try await LTTngSession.with(daemon, LTTngRecording("com.rerender.BodyEval:*")) { session in
                #expect(try await app.ask("go") == "done")
                return try await session.stopAndRead()
            }
            #expect(ends.map(\.name) == [Self.end] && ends.first?.text("name") == "Held")
            let begins = try await LTTngSession.with(daemon, LTTngRecording("com.rerender.BodyEval:*")) { session in
                #expect(try await app.ask("hold") == "held")
                return try await session.stopAndRead()
            }
            #expect(begins.map(\.name) == ["com.rerender.BodyEval:begin"])
            #expect(try await app.ask("go") == "done")
            #expect(begins.first?.integer("signpost_id") != ends.first?.integer("signpost_id"))
        }
    }

    @Test("a trigger on the end of a slow evaluation saves a snapshot")
    func trigger() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let name = "test-\(UUID().uuidString.prefix(13).lowercased())"
            let output = "\(daemon.home)/\(name)"
            let lttng = ["lttng", "--no-sessiond"]
            for command in [
                ["create", name, "--snapshot", "--output=\(output)"],
                ["enable-event", "--userspace", "--session=\(name)", Self.end], ["start", name],
                [
                    "add-trigger", "--name=\(name)", "--condition=event-rule-matches", "--type=user:tracepoint",
                    "--name=\(Self.end)", "--filter=name == \"Slow\" && body_ns > 200000000", "--capture=name",
                    "--action=snapshot-session", name, "--path=\(output)", "--action=notify",
                ],
            ] { try await daemon.command(lttng + command) }
            let listener = try await daemon.start(product: "signpost-probe", ["listen", name])
            #expect(try await listener.nextLine() == "listening")
            let app = try await Self.start("screens", daemon, ["redraws"])
            for order in ["tick 5", "slow 300"] { #expect(try await app.ask(order) == "done") }
            // The actions are done one after the other.
            #expect(try await listener.nextLine() == "[Slow]")
            let events = try await LTTngTrace.read(output)
            #expect(events.allSatisfy { $0.name == Self.end } && events.contains { $0.text("name") == "Ticks" })
            #expect(events.contains { $0.text("name") == "Slow" && $0.integer("body_ns") ?? 0 > 200_000_000 })
            for command in [["remove-trigger", name], ["destroy", name]] { try await daemon.command(lttng + command) }
        }
    }
}
