// SPDX-License-Identifier: MIT
// Labelled hangs of real apps on each kind of main loop: the right view, word, verdict and shares.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

/// A way to hold up the loop, and what must be said of it.
struct HangLabel: Sendable, CustomTestStringConvertible {
    let kind: String
    var view: ViewKey?
    var handler: String?
    /// A handler that goes on when what ran inside of it has ended, and has time of its own.
    var around: String?
    var attribution = HangAttribution.none
    var verdict = HangVerdict.running
    /// The least part of the hang that the blamed view's body, or the handler, has.
    var part = 0.0
    var lastRendered: ViewKey?

    var testDescription: String { kind }
}

@Suite("Hangs of real apps", .exclusive, .serialized, .timeLimit(.minutes(15)))
struct HangTests {
    private static let labels = [
        HangLabel(kind: "spin"),
        HangLabel(kind: "body", view: "Slow", attribution: .inBody, part: 0.8, lastRendered: "Slow"),
        HangLabel(kind: "nested", view: "Child", attribution: .inBody, part: 0.8, lastRendered: "Parent"),
        HangLabel(kind: "unwound", view: "Parent", attribution: .inBody, part: 0.7, lastRendered: "Parent"),
        HangLabel(kind: "between", lastRendered: "Short"),
        HangLabel(
            kind: "handler", view: "Toolbar", handler: "click on Save", attribution: .inHandler, part: 0.8,
            lastRendered: "Last"),
        HangLabel(kind: "timer-handler", handler: "refresh", attribution: .inHandler, part: 0.8, lastRendered: "Last"),
        HangLabel(
            kind: "body-in-handler", view: "Child", around: "click on Save", attribution: .inBody, part: 0.6,
            lastRendered: "Child"),
        HangLabel(
            kind: "handler-in-body", view: "Sheet", handler: "onAppear", attribution: .inHandler, part: 0.6,
            lastRendered: "Sheet"),
        HangLabel(
            kind: "handler-in-handler", view: "Toolbar", handler: "inner", around: "outer", attribution: .inHandler,
            part: 0.6,
            lastRendered: "Sheet"),
        HangLabel(kind: "failed-handler", lastRendered: "Sheet"),
        HangLabel(kind: "many", view: "Row 3", attribution: .share, part: 0.5, lastRendered: "Row 3"),
        HangLabel(kind: "crowd", lastRendered: "Crowd 99"),
        HangLabel(kind: "sleep", verdict: .blocked, lastRendered: "Crowd 99"),
        HangLabel(kind: "sleep-in-body", view: "Sleeper", attribution: .inBody, verdict: .blocked, part: 0.8),
        HangLabel(kind: "timer", lastRendered: "Sleeper"),
        HangLabel(kind: "lock", verdict: .blocked, lastRendered: "Sleeper"),
        HangLabel(kind: "read", verdict: .blocked, lastRendered: "Sleeper"),
    ]

    @Test(
        "have the right view, word, verdict and shares", .enabled(if: HangLab.canBePreferred, "needs root and chrt"),
        arguments: ["cfrunloop", "glib", "main"])
    func labelled(loop: String) async throws {
        let lab = try await HangLab(loop: loop, isPreferred: true)
        // A pinged loop's hang begins with a ping: what came up to 100 ms before it is not in it.
        var found: [UInt64: Hang] = [:]
        for label in Self.labels {
            let stall = try await lab.stall(label.kind, 600)
            let hang = try await lab.hang(holding: stall)
            let isNew = found.updateValue(hang, forKey: hang.id) == nil
            #expect(isNew, "one hang for each stall")
            check(hang, label, "\(loop): \(label.kind)")
        }
        let others = try lab.hangs().filter { found[$0.id] == nil }
        #expect(others.isEmpty, "\(others)")
        // One more, whose count comes after all others: then each has counted once.
        let last = try await lab.hang(holding: try await lab.stall("body", 600))
        let expected = (Array(found.values) + [last]).count { $0.view != nil && $0.counts }
        let counted = try await lab.daemon.http.eventually("the app's counts", seen: { try lab.processes() }) {
            let counted = try lab.processes()[0].views.reduce(0) { $0 + $1.hangs.count }
            return counted >= UInt64(expected) ? counted : nil
        }
        #expect(counted == UInt64(expected))
    }

    private func check(_ hang: Hang, _ label: HangLabel, _ what: String) {
        #expect(hang.attribution == label.attribution, "\(what): \(hang)")
        #expect(hang.view == label.view && !hang.guess, "\(what): \(hang)")
        #expect(hang.handler == label.handler, "\(what): \(hang)")
        #expect(hang.verdict == label.verdict, "\(what): \(hang)")
        if let last = label.lastRendered { #expect(hang.lastRendered == last, "\(what): \(hang)") }
        #expect(hang.counts && hang.ended == .normally, "\(what): \(hang)")
        let shares = hang.shares.reduce(UInt64(0)) { $0 + $1.nanoseconds }
        #expect(shares + (hang.unattributedNanoseconds ?? 0) == hang.durationNanoseconds, "\(what): \(hang)")
        if let around = label.around {
            let share = hang.shares.first { $0.handler == around }?.nanoseconds ?? 0
            // It has a fifth of 600 ms to itself, by the clock.
            #expect(share >= 60_000_000, "\(what): \(hang)")
        }
        if label.part > 0 {
            let share = hang.share ?? 0
            #expect(Double(share) >= label.part * Double(hang.durationNanoseconds), "\(what): \(hang)")
        }
    }

    @Test(
        "in an event handler are blamed on it, while they last and after, and not on what was rendered last", .promise,
        arguments: ["cfrunloop", "glib"])
    func inHandler(loop: String) async throws {
        let lab = try await HangLab(loop: loop)
        try lab.app.send("handler inf")
        #expect(try await lab.app.nextLine() == "begin handler")
        let open = try await lab.daemon.http.eventually("an open hang", seen: { try lab.hangs() }) {
            try lab.hangs().first { $0.open && $0.handler != nil }
        }
        try lab.app.send("enough")
        #expect(open.handler == "click on Save" && open.view == "Toolbar" && open.attribution == .inHandler, "\(open)")
        let stall = try #require(Stall(try await lab.app.nextLine()))
        let hang = try await lab.hang(holding: stall)
        #expect(hang.handler == "click on Save" && hang.lastRendered == "Last" && !hang.guess, "\(hang)")
        let listed = try await ChildProcess.run(
            [ChildProcess.product("rerenderctl"), "hangs"], environment: ["RERENDER_RUNTIME_DIR": lab.daemon.directory])
        // Without the breaks of lines that are too long.
        let lines = listed.standardOutput.split { $0.isWhitespace }.joined(separator: " ")
        #expect(lines.contains(" Toolbar: click on Save (in handler), "), "\(lines)")
        #expect(
            lines.contains("in handlers: Toolbar: click on Save ") && lines.contains("last rendered: Last"), "\(lines)")
        let views = try lab.processes()[0].views
        #expect(
            Set(views.map(\.key)) == ["Toolbar", "Last"] && views.allSatisfy { $0.count == 1 }, "a handler is no view")
        #expect(views.first { $0.key == "Toolbar" }?.hangs.count == 1)
    }

    @Test(
        "have the duration that the app measured, whatever the watchdog did",
        .enabled(if: HangLab.canBePreferred, "needs root and chrt"), arguments: ["cfrunloop", "glib"])
    func durations(loop: String) async throws {
        let lab = try await HangLab(loop: loop, isPreferred: true)
        for milliseconds in [150, 300, 450] {
            let stall = try await lab.stall("body", milliseconds)
            let hang = try await lab.hang(holding: stall)
            // The turn has the stall in it and little else.
            #expect(hang.durationNanoseconds >= stall.nanoseconds)
            #expect(hang.durationNanoseconds < stall.nanoseconds + 100_000_000)
        }
    }

    @Test(
        "are seen while they last, and told to the app when they end", .promise,
        arguments: ["cfrunloop", "glib", "main"])
    func open(loop: String) async throws {
        let lab = try await HangLab(loop: loop)
        try lab.app.send("body inf")
        #expect(try await lab.app.nextLine() == "begin body")
        let open = try await lab.daemon.http.eventually("an open hang", seen: { try lab.hangs() }) {
            try lab.hangs().first { $0.open && $0.view != nil && $0.durationNanoseconds >= 1_000_000_000 }
        }
        try lab.app.send("enough")
        #expect(open.view == "Slow" && open.attribution == .inBody && open.ended == nil)
        let stall = try #require(Stall(try await lab.app.nextLine()))
        let closed = try await lab.hang(holding: stall)
        #expect(closed.id == open.id && closed.durationNanoseconds >= stall.nanoseconds / 2)
        // On a busy machine the app may have another hang, which ends between two looks.
        let own = try await lab.daemon.http.eventually("the app's own count to be the list's") {
            let text = try await lab.app.ask("export")
            let store = try JSONDecoder().decode(StatsExport.self, from: Data(text.utf8)).processes[0]
            let listed = try lab.hangs().count { $0.counts && !$0.open }
            let isTold = store.views.first { $0.key == "Slow" }?.hangs.count == 1
            return isTold && store.hangs.count == UInt64(listed) ? store : nil
        }
        #expect(own.hangs.worstNanoseconds >= closed.durationNanoseconds)
    }

    @Test(
        "are none while a dialog runs its loop in a callback or a body",
        .enabled(if: HangLab.canBePreferred, "needs root and chrt"), arguments: ["cfrunloop", "glib"])
    func modal(loop: String) async throws {
        let lab = try await HangLab(loop: loop, isPreferred: true)
        for kind in ["modal", "modal-in-body"] {
            let dialog = try await lab.stall(kind, 2_000)
            // By the time this one is listed, another would be, too.
            _ = try await lab.hang(holding: try await lab.stall("spin", 300))
            #expect(dialog.nanoseconds >= 2_000_000_000)
        }
        let others = try lab.hangs().filter { $0.durationNanoseconds > 1_500_000_000 }
        #expect(others.isEmpty, "\(others)")
    }

    @Test("are none while the app is outside of its loop", arguments: ["cfrunloop", "glib"])
    func outside(loop: String) async throws {
        let lab = try await HangLab(loop: loop)
        _ = try await lab.stall("leave", 2_000)
        _ = try await lab.hang(holding: try await lab.stall("spin", 200))
        let others = try lab.hangs().filter { $0.durationNanoseconds > 1_500_000_000 && $0.counts }
        #expect(others.isEmpty, "\(others)")
    }

    @Test(
        "in the last callback of a loop that is left are the body's that ran in it, and end with it",
        arguments: ["cfrunloop", "glib"], ["last", "last-then-body"])
    func last(loop: String, order: String) async throws {
        let lab = try await HangLab(loop: loop)
        for milliseconds in [150, 400] {
            try lab.app.send("\(order) \(milliseconds) 600")
            var stall: Stall?
            var outside: Stall?
            while outside == nil {
                let line = try await lab.app.nextLine()
                if let known = Stall(line) { if known.kind == "leave" { outside = known } else { stall = known } }
            }
            let (body, left) = try (#require(stall), #require(outside))
            let ahead = Timestamp.now.nanosecondsSince1970 - Int64(Stall.monotonic())
            func end(_ hang: Hang) -> Int64 { hang.startedAtNanoseconds + Int64(hang.durationNanoseconds) - ahead }
            // What comes after the body may be long on a busy machine.
            let middle = Int64(body.start) + Int64(milliseconds) * 500_000
            let hang = try await lab.daemon.http.eventually("the hang", seen: { try lab.hangs() }) {
                try lab.hangs().first { !$0.open && $0.startedAtNanoseconds - ahead <= middle && middle <= end($0) }
            }
            #expect(hang.view == "Slow" && hang.attribution == .inBody && !hang.guess, "\(hang)")
            #expect(hang.durationNanoseconds >= milliseconds * 1_000_000, "\(hang)")
            #expect(end(hang) <= Int64(left.start) + 3_000_000, "\(body), \(left): \(hang)")
            let last = end(hang) + Int64(hang.mayHaveEndedLaterNanoseconds)
            #expect(last >= Int64(body.end) - 3_000_000, "\(body), \(left): \(hang)")
            #expect(loop == "glib" || hang.mayHaveEndedLaterNanoseconds == 0, "CFRunLoop tells")
        }
    }

    @Test(
        "of dispatchMain() took what the app measured, inside the stated interval",
        .enabled(if: HangLab.canBePreferred, "needs root and chrt"), arguments: [255, 300, 400])
    func interval(milliseconds: Int) async throws {
        let lab = try await HangLab(loop: "main", threshold: 250, micro: 100, isPreferred: true)
        for kind in ["spin", "body", "sleep", "read"] {
            let stall = try await lab.stall(kind, milliseconds)
            let hang = try await lab.hang(holding: stall)
            let longest = hang.durationNanoseconds + hang.mayHaveBegunEarlierNanoseconds
            #expect(longest >= stall.nanoseconds, "\(kind): \(hang)")
            // The turn has the stall in it and little else.
            #expect(hang.durationNanoseconds < stall.nanoseconds + 100_000_000, "\(kind): \(hang)")
            // A body is known from its beginning on.
            if kind == "body" { #expect(hang.durationNanoseconds >= stall.nanoseconds - 1_000_000, "\(hang)") }
        }
    }

    @Test("of dispatchMain() that nobody could see are counted as missed, and those with a body are seen all the same")
    func unseen() async throws {
        let lab = try await HangLab(loop: "main", threshold: 250, micro: 100)
        func missed() throws -> UInt64 {
            try lab.daemon.http.get("/v1/health").json(HealthReport.self).watchdog.missed
        }
        #expect(try await lab.app.ask("hold") == "ok")
        _ = try await lab.hang(holding: try await lab.stall("body", 300))
        // The app's handler holds up the thread that looks at the main queue.
        while try await lab.app.nextLine() != "held" {}
        #expect(try missed() == 0)
        let stall = try await lab.stall("spin", 400)
        _ = try await eventually("the count", seen: { try (missed(), lab.hangs()) }) { try missed() == 1 ? true : nil }
        let ended = stall.endedAt.nanosecondsSince1970
        #expect(try lab.hangs().allSatisfy { $0.startedAt.nanosecondsSince1970 < ended - 400_000_000 })
        // The second one's block is in the queue before the first one's is over.
        try lab.app.send("entered 300")
        while try await lab.app.nextLine() != "in body" {}
        try lab.app.send("body 350")
        let first = try await lab.hang(holding: try #require(Stall(try await lab.app.nextLine())))
        #expect(try await lab.app.nextLine() == "begin body")
        let second = try await lab.hang(holding: try #require(Stall(try await lab.app.nextLine())))
        #expect(first.id != second.id && first.durationNanoseconds < 600_000_000, "\(first) \(second)")
        try lab.app.send("release")
        _ = try await lab.hang(holding: try await lab.stall("spin", 400))
        #expect(try missed() == 1)
    }

    @Test("of dispatchMain() in which the process is stopped in a body are seen")
    func stoppedInBody() async throws {
        let lab = try await HangLab(loop: "main", threshold: 250, micro: 100)
        try lab.app.send("entered 100")
        #expect(try await lab.app.nextLine() == "begin entered")
        // Before that, nothing shows that it is in a body.
        #expect(try await lab.app.nextLine() == "in body")
        lab.app.kill(SIGSTOP)
        let open = try await lab.daemon.http.eventually("an open hang", seen: { try lab.hangs() }) {
            try lab.hangs().first { $0.open && $0.verdict == .stopped }
        }
        lab.app.kill(SIGCONT)
        let stall = try #require(Stall(try await lab.app.nextLine()))
        let closed = try await lab.hang(holding: stall)
        #expect(closed.id == open.id && closed.verdict == .stopped && !closed.counts, "\(closed)")
    }

    @Test(
        "in a GLib that was loaded after the store was made are seen, the first one too", arguments: ["spin", "body"])
    func lateGLib(kind: String) async throws {
        let daemon = try await DaemonProcess()
        let environment = ProcessInfo.processInfo.environment.merging(["RERENDER_RUNTIME_DIR": daemon.directory]) { $1 }
        let app = try ChildProcess([ChildProcess.product("loops"), "stall", "late"], environment: environment)
        #expect(try await app.nextLine() == "waits")
        func store() throws -> ProcessStats? {
            try daemon.http.get("/v1/stats").json(StatsExport.self).processes.first { $0.pid == app.processID }
        }
        _ = try await daemon.http.eventually("the store") { try store() }
        try app.send("load")
        #expect(try await app.nextLine().hasPrefix("ready "))
        // Nothing is evaluated before.
        _ = try await daemon.http.eventually("GLib's loop") { try store().flatMap { $0.mainLoop == .glib ? $0 : nil } }
        try app.send("\(kind) 350")
        #expect(try await app.nextLine().hasPrefix("begin "))
        let stall = try #require(Stall(try await app.nextLine()))
        let hang = try await daemon.http.eventually("the hang") {
            try daemon.http.get("/v1/hangs").json(HangList.self).hangs.first { !$0.open }
        }
        #expect(hang.durationNanoseconds >= stall.nanoseconds - 1_000_000, "\(hang)")
        #expect((kind == "body") == hang.shares.contains { $0.view == "Slow" }, "\(hang)")
    }

    @Test("in the first turn of a loop are seen", arguments: ["cfrunloop", "glib"])
    func startUp(loop: String) async throws {
        try await startUp(loop, ProcessInfo.processInfo.environment)
    }

    @Test(
        "in the first turn of a loop are seen while another thread loads a library for ever",
        .enabled(if: Fixture.hasC, "needs a C compiler"), arguments: ["cfrunloop", "glib"])
    func startUpWhileLoading(loop: String) async throws {
        let loader = try await StuckLoader()
        try await startUp(loop, loader.environment)
        withExtendedLifetime(loader) {}
    }

    private func startUp(_ loop: String, _ environment: [String: String]) async throws {
        let daemon = try await DaemonProcess()
        var environment = environment.merging(["RERENDER_RUNTIME_DIR": daemon.directory]) { $1 }
        // As in a program that links GLib. One that is loaded by the program itself is found a moment after the store is made.
        if loop == "glib" { environment["LD_PRELOAD"] = "libglib-2.0.so.0" }
        let app = try ChildProcess([ChildProcess.product("loops"), "stall", loop, "700"], environment: environment)
        #expect(try await app.nextLine().hasPrefix("ready "))
        #expect(try await app.nextLine() == "begin start-up")
        let stall = try #require(Stall(try await app.nextLine()))
        let hang = try await daemon.http.eventually("the hang") {
            try daemon.http.get("/v1/hangs").json(HangList.self).hangs.first { !$0.open }
        }
        #expect(hang.view == "Launch" && hang.attribution == .inBody && hang.counts, "\(hang)")
        #expect(hang.durationNanoseconds >= stall.nanoseconds && hang.pid == app.processID, "\(hang)")
    }

    @Test(
        "of a stopped process are listed as such, blame nobody and count for none",
        // Not "main": a stopped process sends no ping, so nothing tells that its loop does not answer.
        arguments: ["cfrunloop", "glib"])
    func stopped(loop: String) async throws {
        let lab = try await HangLab(loop: loop, threshold: 400, micro: 300)
        let open = try await stopInBody(lab)
        lab.app.kill(SIGCONT)
        let closed = try await lab.daemon.http.eventually("its end", seen: { try lab.hangs() }) {
            try lab.hangs().first { $0.id == open.id && !$0.open }
        }
        #expect(closed.verdict == .stopped && closed.view == nil && !closed.counts, "\(closed)")
        // One that counts, after it: had the other counted, it would be there by now.
        _ = try await lab.hang(holding: try await lab.stall("body", 600))
        let store = try await lab.daemon.http.eventually("the count of another") {
            try lab.processes().first { $0.views.contains { $0.hangs.count >= 1 } }
        }
        #expect(store.hangs.count == 1 && store.views.map(\.hangs.count) == [1])
    }

    /// The hang that a stop makes of a body, which alone would be none: the body stops its process.
    private func stopInBody(_ lab: HangLab) async throws -> Hang {
        try lab.app.send("stop-in-body 0")
        return try await lab.daemon.http.eventually("a hang of the stopped process", seen: { try lab.hangs() }) {
            try lab.hangs().first(where: \.open)
        }
    }

    @Test("of a process that is killed in them are closed with that fact", arguments: ["cfrunloop", "glib", "main"])
    func killed(loop: String) async throws {
        let lab = try await HangLab(loop: loop)
        // A view whose first evaluation never ends is in no table.
        _ = try await lab.stall("body", 1)
        _ = try await lab.daemon.http.eventually("the view being known") {
            try lab.processes().first?.views.first { $0.key == "Slow" }
        }
        try lab.app.send("body 60000")
        #expect(try await lab.app.nextLine() == "begin body")
        _ = try await lab.daemon.http.eventually("an open hang", seen: { try lab.hangs() }) {
            try lab.hangs().first(where: \.open)
        }
        lab.app.kill(SIGKILL)
        let closed = try await lab.daemon.http.eventually("its end", seen: { try lab.hangs() }) {
            try lab.hangs().first { !$0.open }
        }
        #expect(closed.ended == .killed && closed.view == "Slow", "\(closed)")
        let view = try await lab.daemon.http.eventually("its count", seen: { try lab.processes() }) {
            try lab.processes().first?.views.first { $0.key == "Slow" && $0.hangs.count == 1 }
        }
        #expect(view.hangs.lastNanoseconds == closed.durationNanoseconds)
    }

    @Test("of a process that exits in them are closed with that fact", arguments: ["cfrunloop", "glib", "main"])
    func exited(loop: String) async throws {
        // On a busy machine its goodbye may take longer than a program waits for it.
        let lab = try await HangLab(loop: loop, environment: ["RERENDER_WAIT_AT_EXIT": "10000"])
        try lab.app.send("exit 600")
        #expect(await lab.app.waitForExit() == .status(0))
        let closed = try await lab.daemon.http.eventually("the end of the hang", seen: { try lab.hangs() }) {
            try lab.hangs().first { !$0.open }
        }
        #expect(closed.ended == .exited && closed.durationNanoseconds >= 300_000_000, "\(closed)")
    }

    @Test("shorter ones are counted and not listed")
    func micro() async throws {
        let lab = try await HangLab(loop: "cfrunloop", threshold: 5_000, micro: 100)
        for count in UInt64(1)...3 {
            _ = try await lab.stall("spin", 200)
            // Each is awaited, so that one which counted twice would be seen at the next.
            let store = try await lab.daemon.http.eventually("\(count) micro-hangs") {
                try lab.processes().first { $0.microHangs >= count }
            }
            #expect(store.microHangs == count && store.hangs.count == 0)
        }
        #expect(try lab.hangs().isEmpty)
    }
}
