// SPDX-License-Identifier: MIT
// Programs that link the part for GTK, or load it: what they count themselves is what Rerender counts.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "The part for GTK, linked", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct LinkedTests {
    private func run(_ steps: [String], isInjected: Bool = false) async throws -> InjectedRun {
        let server = try await XServer()
        let program = try await Fixture.made("linked/linked")
        let run = try await InjectedRun.run([program] + steps, isInjected: isInjected, environment: server.environment)
        withExtendedLifetime(server) {}
        return run
    }

    /// What the program counted of views in the store `main`.
    private func truth(_ run: InjectedRun) -> [String: UInt64] { run.truth.filter { $0.key != "Dot" && $0.value > 0 } }

    @Test(
        "widgets are counted as they count themselves, whenever the program begins, also where it is injected",
        arguments: [["start", "window"], ["gtk", "start", "start", "window"], ["window", "start", "forget"]],
        [false, true])
    func widgets(beginning: [String], isInjected: Bool) async throws {
        // An injected program is counted from its first widget on, whatever it forgets.
        let steps = beginning.filter { !isInjected || $0 != "forget" } + ["draw", "draw", "start", "draw"]
        let run = try await run(steps, isInjected: isInjected)
        #expect((run.truth["Dot"] ?? 0) >= 3)
        #expect(run.stores["widgets"]?["Dot"]?.count == run.truth["Dot"])
        // What was drawn before the beginning is not known.
        let isLate = !isInjected && beginning.last == "forget"
        #expect(run.stores["widgets"]?["Dot"]?.reasons["queue_draw"] == (isLate ? 2 : 3))
        #expect(run.stores.keys.sorted() == ["widgets"] && run.kinds["widgets"] == .widgets)
        #expect(run.output.split(separator: "\n").filter { $0.hasPrefix("start") }.allSatisfy { $0 == "start: done" })
        #expect(!run.said.contains("Gtk-") && !run.said.contains("GLib-"), "\(run.said)")
    }

    @Test("evaluations that begin and end have parents, reasons with writers, and waste that was measured", .promise)
    func evaluations() async throws {
        let run = try await run(["update", "update", "wasted", "update"])
        #expect(run.counts("main") == truth(run) && run.truth["Panel"] == 4 && run.truth["Label"] == 8)
        #expect(run.kinds["main"] == .views && run.kinds["widgets"] ?? .widgets == .widgets)
        let views = try #require(run.stores["main"]), panel = try #require(views["Panel"])
        #expect(panel.reasons == ["initial": 1, "count": 2, "<external signal>": 1])
        #expect(panel.writers("count").keys.allSatisfy { $0.hasPrefix("step_update() linked.c:") })
        #expect(panel.writers("count").values.reduce(0, +) == 2)
        #expect(panel.stats.wasted.measured == 1 && panel.stats.instances == 1)
        #expect(views["Label"]?.reasons == ["initial": 2, "parent: Panel": 6])
        #expect(views["Label"]?.stats.instances == 2)
    }

    @Test("a source that GTK attached before the program began to count has a row")
    func earlierSource() async throws {
        let (server, lab) = (try await XServer(), try await InjectionLab())
        let program = try await Fixture.made("linked/linked")
        let environment = server.whole(["RERENDER_RUNTIME_DIR": lab.daemon.directory])
        let app = try ChildProcess([program, "window", "start", "wait"], environment: environment)
        while try await app.nextLine() != "waiting: done" {}
        func rows() throws -> [LoopRow] { try lab.stores(of: app).compactMap(\.loop).flatMap(\.rows) }
        try await eventually("the row", seen: { try rows().map(\.name) }) {
            for place in ["50", "60"] { try await server.pointer(["mousemove", place, place]) }
            return try rows().contains { $0.name.hasPrefix("GDK X11 Event source") } ? () : nil
        }
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("threads evaluate beside each other, and what they never end is not counted")
    func threads() async throws {
        let run = try await run(["update", "threads", "update"])
        #expect(run.counts("main") == truth(run) && run.truth["Worker"] == 400)
        #expect(run.stores["main"]?["Panel"]?.reasons == ["initial": 1, "work, count": 1])
    }

    @Test("null, ends without a beginning, and beginnings without an end change no other count")
    func unbalanced() async throws {
        let run = try await run(["null", "unbalanced", "update", "null", "deep", "unbalanced", "deep", "update"])
        #expect(run.counts("main") == truth(run) && run.truth["Other"] == 2 && run.truth["Deep"] == 88)
        #expect(run.stores["main"]?["Panel"]?.reasons == ["initial": 1, "count": 1])
    }

    @Test("an evaluation that is not ended where its widget's snapshot returns is forgotten")
    func leaking() async throws {
        let run = try await run(["start", "window", "update", "leak", "draw", "update"])
        #expect(run.counts("main") == truth(run))
        #expect(run.stores["main"]?["Panel"]?.reasons == ["initial": 1, "count": 1])
        #expect(run.stores["widgets"]?["Dot"]?.count == run.truth["Dot"])
    }

    @Test(
        "functions that the program puts into classes are said by stats, its JSON and doctor, also where it is injected",
        arguments: [false, true])
    func replaced(isInjected: Bool) async throws {
        let (server, lab) = (try await XServer(), try await InjectionLab())
        let program = try await Fixture.made("linked/linked")
        let environment = server.whole(["RERENDER_RUNTIME_DIR": lab.daemon.directory])
        let run = try ChildProcess(
            [ChildProcess.product("rerenderctl"), "run"] + (isInjected ? ["--inject"] : [])
                + ["--", program, "start", "window", "replace", "wait"], environment: environment)
        while try await run.nextLine() != "waiting: done" {}
        let sentence =
            "1 function of widgets' classes was replaced by other code, which rerender leaves there, and some of their runs may not be "
            + "counted: Dot.snapshot"
        let saying = try await lab.daemon.http.eventually("the gap") {
            let stats = try await lab.ctl("stats").standardOutput, doctor = try await lab.run("doctor").standardOutput
            let texts = [stats, doctor].map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            return texts.allSatisfy { $0.contains("/widgets: " + sentence) } ? texts : nil
        }
        #expect(saying.allSatisfy { $0.components(separatedBy: sentence).count == 2 }, "\(saying)")
        let stores = try lab.daemon.http.get("/v1/stats").json(StatsExport.self).processes
        #expect(stores.first { $0.store == "widgets" }?.gaps == [sentence])
        run.closeInput()
        let ended = await run.finish()
        #expect(
            ended.exit == .status(0) && (ended.standardOutput + ended.standardError).contains("replaced by other code"),
            "\(ended)")
        withExtendedLifetime(server) {}
    }

    @Test("on another thread than GTK's, and for what is no window, the program is told why not")
    func refusals() async throws {
        let run = try await run(["window", "elsewhere", "start", "bad", "elsewhere", "draw"])
        let off = "it was called on another thread than GTK's", bad = "what the HUD was to be shown in is no GtkWindow"
        for line in ["start elsewhere: \(off)", "show elsewhere: \(off)", "null: \(bad)", "no window: \(bad)"] {
            #expect(run.output.contains(line + "\n"), "\(run.output)")
        }
    }

    @Test("without GTK 4 the program is told, and its evaluations count", arguments: [nil, "libgtk-3.so.0"])
    func withoutGTK(other: String?) async throws {
        let program = try await Fixture.made("linked/without_gtk")
        var command = [program]
        if let other { command.append(try await LinkedFixture.stub(other)) }
        let run = try await InjectedRun.run(command, isInjected: false)
        let why = other == nil ? "GTK 4 is not loaded" : "its GTK is not version 4"
        #expect(run.output.hasPrefix("start: \(why)\nshow: \(why)\n"), "\(run.output)")
        #expect(run.counts("main") == run.truth)
    }

    @Test("how many evaluations longjmp leaves is told, and the others count")
    func left() async throws {
        let program = try await Fixture.made("linked/left")
        let run = try await InjectedRun.run([program], isInjected: false)
        var truth = run.truth
        let left = truth.removeValue(forKey: "left")
        #expect(left == 610 && run.counts("main") == truth)
        #expect(run.gaps["main"]?.first?.hasPrefix("not counted: 610 evaluations ") == true)
    }

    @Test(
        "a program in Python loads it by ctypes",
        .enabled(if: WidgetTests.pythonObstacle == nil, "\(WidgetTests.pythonObstacle ?? "")"),
        arguments: [false, true])
    func python(isInjected: Bool) async throws {
        let (server, library) = (try await XServer(), try await LinkedFixture.library())
        let run = try await InjectedRun.run(
            [WidgetTests.interpreter, WidgetFixture.python, library], isInjected: isInjected,
            environment: server.environment)
        #expect(run.output.hasPrefix("start: done\n"), "\(run.output)")
        #expect(run.stores["widgets"]?["Dot"]?.count == run.truth["Dot"] && run.truth["Dot"] == 7)
        let page = try #require(run.stores["main"]?["Page"])
        #expect(page.count == run.truth["Page"] && page.reasons == ["initial": 1, "tick": 3])
        // Its function is known once a thread of ours has found the interpreter.
        let line = try #require(
            try String(contentsOfFile: WidgetFixture.python, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .firstIndex { $0.contains("rerender_invalidate(b") })
        let writers = page.writers("tick").keys
        #expect(
            writers.allSatisfy { $0 == "draw() widgets.py:\(line + 1)" } && run.counts("main").count == 1, "\(writers)")
        withExtendedLifetime(server) {}
    }

    @Test(
        "the HUD is shown, and taken away",
        .enabled(if: ChildProcess.path(of: "import") != nil, "import is not installed (imagemagick)"))
    func hud() async throws {
        let server = try await XServer()
        let program = try await Fixture.made("linked/linked")
        let directory = try TemporaryDirectory()
        var environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        environment["WAYLAND_DISPLAY"] = nil
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let steps = ["window", "wait", "show", "wait", "hide", "wait"]
        let app = try ChildProcess([program] + steps, environment: environment)
        func picture() async throws -> ScreenPicture { try await server.picture() }
        #expect(try await app.nextLine() == "waiting: done")
        let before = try await picture()
        #expect(try await app.ask("go on") == "show: done")
        #expect(try await app.nextLine() == "waiting: done")
        try await eventually("the HUD") { try await picture() != before ? () : nil }
        #expect(try await app.ask("go on") == "waiting: done")
        try await eventually("the window alone") { try await picture() == before ? () : nil }
        try app.send("go on")
        let output = await app.finish()
        #expect(output.exit == .status(0) && !output.standardError.contains("Gtk-"), "\(output.standardError)")
        withExtendedLifetime((server, directory)) {}
    }

    @Test("the samples of the guide count ten updates", arguments: ["c", "python"])
    func samples(language: String) async throws {
        if language == "python", let obstacle = WidgetTests.pythonObstacle { try Test.cancel("\(obstacle)") }
        let server = try await XServer()
        let command =
            language == "c"
            ? [try await LinkedFixture.sample()]
            : [WidgetTests.interpreter, try LinkedFixture.sample("python", "counter.py")]
        var environment = server.environment
        environment["PKG_CONFIG_PATH"] = try await LinkedFixture.prefix() + "/lib/pkgconfig"
        let run = try await InjectedRun.run(command, isInjected: false, environment: environment)
        #expect(run.stores["main"]?["Counter"]?.reasons == ["initial": 1, "count": 9])
        #expect(run.stores["widgets"]?["GtkLabel"] != nil, "\(run.output) \(run.said)")
        #expect(!run.said.contains("not counted"), "\(run.said)")
        withExtendedLifetime(server) {}
    }
}

@Suite(
    "A Swift program that links the part for GTK",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct LinkedSwiftTests {
    @Test("has its widgets counted by one library, also where it is injected", .promise, arguments: [false, true])
    func counts(isInjected: Bool) async throws {
        let (lab, server) = (try await InjectionLab(), try await XServer())
        var environment = server.environment
        environment["HUD_HOST_LINKED"] = "1"
        if !isInjected { environment["LD_PRELOAD"] = "" }
        let app = try await lab.start([ChildProcess.product("screens"), "hud"], environment)
        func ask(_ line: String) async throws -> String {
            let answer = try await app.ask(line)
            #expect(try await app.nextLine() == "done")
            return answer
        }
        func count(_ answer: String) -> UInt64 { answer.split(separator: " ").last.flatMap { UInt64($0) } ?? 0 }
        func snapshots() async throws -> UInt64 { count(try await ask("snapshots")) }
        while try await app.nextLine() != "ready" {}
        // Before it starts, a program that is not injected is not counted.
        let beforeStart = count(try await app.ask("start counted"))
        #expect(try await app.nextLine() == "linked start")
        #expect(try await app.nextLine() == "done")
        let before = isInjected ? 0 : beforeStart
        #expect(try await ask("start") == "linked start")
        for _ in 0..<3 {
            let drawn = try await snapshots()
            #expect(try await app.ask("redraw-window") == "done")
            try await eventually("a frame") { try await snapshots() > drawn ? () : nil }
        }
        try await lab.daemon.http.eventually("its window", seen: { try lab.stores(of: app) }) {
            let truth = try await snapshots() - before
            let windows = try lab.stores(of: app).filter { $0.store == "widgets" }.flatMap(\.views)
                .filter { $0.key == "HostWindow#window" && $0.count > 0 }
            return windows.map(\.count) == [truth] ? () : nil
        }
        if isInjected {
            #expect(try await ask("show") == "linked another copy of rerender counts the widgets of this process")
        }
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
        withExtendedLifetime(server) {}
    }
}
