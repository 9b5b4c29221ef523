// SPDX-License-Identifier: MIT
// Programs of GTK 4 that do with a widget what few do: they live, and what is said of the widget is true.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "Widgets of unusual programs", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct UnusualWidgetTests {
    private func run(_ what: String, hud: Bool = false) async throws -> InjectedRun {
        try await Fixture.preload()
        let server = try await XServer()
        let program = try await Fixture.made("c/unusual")
        var environment = server.environment
        environment["RERENDER_HUD"] = hud ? "1" : "0"
        let run = try await InjectedRun.run([program, what], environment: environment)
        withExtendedLifetime(server) {}
        return run
    }

    @Test("One that is disposed of in its snapshot does no harm, and the snapshot counts")
    func disposed() async throws {
        let run = try await run("dispose")
        #expect(run.counts("widgets")["Leaf"] == run.truth["asked"])
        #expect(run.stores["widgets"]?["Leaf"]?.reasons == ["initial": 5])
    }

    @Test("The first one may be of a class that draws something else each time: nothing of that was wasted")
    func firstWindow() async throws {
        let window = try #require(try await run("window").stores["widgets"]?["Changing"])
        #expect(window.reasons == ["initial": 1, "queue_draw": 5])
        #expect(window.stats.wasted.count == 0)
    }

    @Test("A window that draws something else each time is not drawn again and again for the HUD, nor counted for it")
    func hud() async throws {
        let run = try await run("window", hud: true)
        #expect(run.stores["widgets"]?["Changing"]?.reasons == ["initial": 1, "queue_draw": 5])
        // The HUD shows numbers that change, at most five times a second. Again and again would be sixty.
        let (drawn, time) = (try #require(run.truth["drawn"]), try #require(run.truth["milliseconds"]))
        #expect(drawn <= 6 + 5 * time / 1_000 + 2, "\(drawn) in \(time) ms")
    }

    @Test("One that a signal has drawn again names the function of the program that emitted the signal")
    func signal() async throws {
        let leaf = try #require(try await run("signal").stores["widgets"]?["Leaf"])
        #expect(leaf.reasons == ["initial": 1, "queue_draw": 5])
        let writers = leaf.writers("queue_draw")
        #expect(writers.keys.allSatisfy { $0.hasPrefix("draw_again() unusual.c:") } && writers.count == 1, "\(writers)")
    }

    @Test("A property of the program's that draws nothing is no reason where a child drew, and one that draws is")
    func notes() async throws {
        let widgets = try #require(try await run("notes").stores["widgets"])
        let notes = try #require(widgets["Notes"])
        #expect(notes.reasons == ["initial": 1, "child Leaf": 5, "property face": 5], "\(notes.reasons)")
        let writers = notes.writers("property face")
        #expect(writers.keys.allSatisfy { $0.hasPrefix("set_notes() unusual.c:") } && writers.count == 1, "\(writers)")
        #expect(widgets["Notes/Leaf"]?.reasons == nil && widgets["Leaf"]?.reasons["queue_draw"] == 10)
    }

    @Test("A timer that calls a function of GTK's itself has its name, whatever is called in its place")
    func timer() async throws {
        let server = try await XServer()
        let run = try await CaseRun([try await Fixture.made("c/unusual"), "timer"], environment: server.environment)
        withExtendedLifetime(server) {}
        let rows = try #require(run.loop?.rows)
        let row = try #require(rows.first { $0.kind == .timer && $0.function == "gtk_widget_queue_draw()" }, "\(rows)")
        #expect(row.numbers.count >= 5, "\(row)")
        #expect(!rows.contains { $0.function.contains("queue_draw() in librerender-") }, "\(rows)")
    }

    @Test("Those around one whose function the program replaced are not taken for wasted, and that is said")
    func replaced() async throws {
        let run = try await run("replace")
        #expect(run.said.contains("some of their runs may not be counted: Leaf.snapshot\n"), "\(run.said)")
        let widgets = try #require(run.stores["widgets"])
        #expect(widgets["Leaf"]?.count == 1)
        for key in ["GtkBox", "GtkWindow"] {
            let stats = try #require(widgets[key]).stats
            #expect(stats.count == 6 && stats.wasted.count == 0, "\(key)")
        }
    }

    @Test("All count where another thread than GTK's has made the first class of widgets, and the HUD is shown")
    func otherThread() async throws {
        let run = try await run("thread", hud: true)
        #expect(run.stores["widgets"]?["Leaf"]?.reasons == ["initial": 1, "queue_draw": 5])
        #expect(run.counts("widgets")["Leaf"] == run.truth["drawn"])
        #expect(!run.said.contains("the HUD was not shown"), "\(run.said)")
    }

    @Test(
        "One that moves to another owner, or gets another name, goes on in another row; one that comes back stays in its own"
    )
    func moved() async throws {
        let widgets = try #require(try await run("move").stores["widgets"])
        let keys = ["First/GtkLabel", "Second/GtkLabel", "Second/GtkLabel#named"]
        #expect(widgets.keys.filter { $0.contains("GtkLabel") }.sorted() == keys)
        #expect(keys.map { widgets[$0]?.reasons["initial"] } == [1, 1, 1])
        // One was there before what was written; each other row begins with what was.
        #expect(keys.map { widgets[$0]?.count } == [11, 5, 5])
        #expect(keys.map { widgets[$0]?.stats.instances } == [0, 0, 1])
    }

    @Test("Buttons whose name is just that of their type have the beginning of their label in its place")
    func buttons() async throws {
        let widgets = try #require(try await run("buttons").stores["widgets"])
        let keys = ["GtkButton#A label that is longer than a ke", "GtkButton#Button", "GtkButton#Open Close"]
        #expect(widgets.keys.filter { $0.hasPrefix("GtkButton#") }.sorted() == keys)
    }

    @Test(
        "A function of another library in the place of GTK's goes on to be called, and each run counts",
        arguments: ["interposer.so", "patcher.so"])
    func interposed(_ name: String) async throws {
        try await Fixture.preload()
        let server = try await XServer()
        let (program, library) = (try await Fixture.made("c/unusual"), try await Fixture.made("c/\(name)"))
        let run = try await InjectedRun.run(
            [program, "thread"], environment: server.environment.merging(["LD_PRELOAD": library]) { $1 })
        withExtendedLifetime(server) {}
        #expect(run.truth["called"] ?? 0 >= 5, "\(run.output)")
        #expect(run.counts("widgets")["Leaf"] == run.truth["drawn"], "\(run.output)")
    }

    @Test(
        "One that a library writes names its function, and the program's where the user passes that library over",
        arguments: [
            ([:], nil, "helper_set_number"), (["RERENDER_PASS_OVER": "libother:libhelper"], nil, "on_timer"),
            ([:], "passOver = [\"libother\", \"libhelper\"]\n", "on_timer"),
        ] as [([String: String], String?, String)])
    func passedOver(environment: [String: String], settings: String?, writer: String) async throws {
        try await Fixture.preload()
        let (server, directory) = (try await XServer(), try TemporaryDirectory())
        let folder = directory.path + "/rerender"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try (settings ?? "").write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
        let changes = environment.merging(server.environment) { $1 }.merging(["XDG_CONFIG_HOME": directory.path]) { $1 }
        let run = try await InjectedRun.run([try await Fixture.made("helped/program")], environment: changes)
        withExtendedLifetime((server, directory)) {}
        let number = try #require(run.stores["widgets"]?["GtkLabel#number"])
        let name = try CaseSource("helped.c", in: "Widgets").function(writer)
        #expect(Set(number.writers("property label").keys) == [name], "\(number.stats.reasons)")
    }

    @Test("Those with more names than are told apart are one row, and that is said")
    func names() async throws {
        let run = try await run("names")
        #expect(run.said.contains("Rerender tells at most 8,192 keys and reasons of widgets apart"), "\(run.said)")
        #expect(run.stores["widgets"]?["another widget"] != nil)
    }

    @Test("Those around one that is not counted, for lack of room, are not taken for wasted")
    func full() async throws {
        let run = try await run("full")
        #expect(run.said.contains("some widgets are not counted: no more than 256 functions"), "\(run.said)")
        let box = try #require(run.stores["widgets"]?["GtkBox"])
        #expect(box.count == 6 && box.stats.wasted.count == 0)
    }
}
