// SPDX-License-Identifier: MIT
// Widgets of programs that know nothing of Rerender: counted as they count themselves, with what was done to them as the reason.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Widgets of GTK 4", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct WidgetTests {
    /// A run of the C program, injected.
    private struct Run {
        let run: InjectedRun
        let widgets: [String: InjectedRun.View]

        init(_ steps: String...) async throws {
            try await Fixture.preload()
            let server = try await XServer()
            let program = try await Fixture.made("c/widgets")
            run = try await InjectedRun.run([program] + steps, environment: server.environment)
            widgets = run.stores["widgets", default: [:]]
            withExtendedLifetime(server) {}
        }

        func reasons(_ key: String) -> [String: UInt64] { widgets[key]?.reasons ?? [:] }
    }

    @Test(
        "are counted as they count themselves, whoever made their class and whenever, in windows and popovers", .promise
    )
    func counts() async throws {
        let run = try await Run(
            "property", "wasted", "bare", "class", "size", "hover", "tick", "late", "popover", "window")
        let truth = run.run.truth
        #expect(truth.count == 4 && truth.values.allSatisfy { $0 > 1 })
        for (type, count) in truth { #expect(run.widgets[type]?.count == count, "\(type)") }
        #expect(run.widgets["Leaf/GtkPopover"] != nil)
        #expect(run.run.stores.keys.sorted() == ["widgets"])
    }

    @Test("have the property that changed as their reason, and the function that wrote it", .promise)
    func properties() async throws {
        let run = try await Run("property", "property", "property")
        #expect(run.reasons("Leaf") == ["initial": 1, "property tone": 3])
        let writers = try #require(run.widgets["Leaf"]).writers("property tone")
        #expect(writers.values.reduce(0, +) == 3)
        #expect(writers.keys.allSatisfy { $0.hasPrefix("step_property() widgets.c:") }, "\(writers)")
    }

    @Test("have the writer of the property, where another function set a class before it")
    func classBeforeProperty() async throws {
        let run = try await Run("classed")
        #expect(run.reasons("Leaf")["property tone"] == 1, "\(run.reasons("Leaf"))")
        let writers = try #require(run.widgets["Leaf"]).writers("property tone")
        let areNamed = writers.keys.allSatisfy { $0.hasPrefix("step_classed() widgets.c:") }
        #expect(writers.count == 1 && areNamed, "\(writers)")
    }

    @Test("have no reason from before a pause of counting, in which they were drawn for it")
    func pause() async throws {
        let (lab, server) = (try await InjectionLab(), try await XServer())
        let app = try await lab.start([try await Fixture.made("c/widgets"), "paused"], server.environment)
        #expect(try await app.nextLine() == "changed")
        try await lab.daemon.http.eventually("its widgets", seen: { try lab.views(of: app).map(\.key) }) {
            try lab.views(of: app).contains { $0.key == "Leaf" } ? () : nil
        }
        // The program has answered when the command ends.
        try await lab.ctl("config", "set", "enabled=false")
        #expect(try await app.ask("draw") == "drawn")
        try await lab.ctl("config", "set", "enabled=true")
        try app.send("draw")
        let output = await app.finish()
        let truth = try lab.truth(output)
        #expect(output.exit == .status(0) && truth["Leaf"] == 3, "\(output)")
        func seen() throws -> Any { try lab.views(of: app).map { ($0.key, $0.count) } }
        let leaf = try await lab.daemon.http.eventually("two drawings", seen: seen) {
            try lab.views(of: app).first { $0.key == "Leaf" && $0.count == 2 }
        }
        let reasons = leaf.reasons.map(\.reason)
        #expect(reasons.count == 2 && reasons.contains("initial") && !reasons.contains("property tone"), "\(reasons)")
        withExtendedLifetime(server) {}
    }

    @Test("name the widget in them that drew again, say where others did, too, and have none of its writers")
    func children() async throws {
        // The same widget is the first to draw in three updates: alone, with another one, and alone.
        let run = try await Run("property", "both", "property", "wasted")
        for outer in ["Group", "GtkWindow"] {
            #expect(
                run.reasons(outer)
                    == ["initial": 1, "child Leaf": 2, "child Leaf and others": 1, "child Steady": 1], "\(outer)")
            #expect(run.widgets[outer]?.writers("child Leaf") == [:])
        }
    }

    @Test("have the state that changed as their reason when the pointer comes")
    func states() async throws {
        let run = try await Run("hover")
        #expect(run.reasons("Leaf") == ["initial": 1, "state hover": 1])
    }

    @Test("have a new CSS class, a new size, an animation's tick and a bare queue_draw as their reasons")
    func others() async throws {
        #expect(try await Run("class").reasons("Leaf") == ["initial": 1, "CSS class": 1])
        let resized = try await Run("size")
        #expect(resized.reasons("Leaf") == ["initial": 1, "size": 1])
        #expect((resized.widgets["Leaf"]?.stats.framework?.layouts ?? 0) > 1)
        #expect(try await Run("tick").reasons("Leaf") == ["initial": 1, "tick": 5])
        let bare = try await Run("bare")
        #expect(bare.reasons("Steady") == ["initial": 1, "queue_draw": 1])
        let writers = try #require(bare.widgets["Steady"]).writers("queue_draw")
        #expect(writers.keys.allSatisfy { $0.hasPrefix("step_bare() widgets.c:") } && writers.count == 1)
    }

    @Test("have a buffer's text and an adjustment's value as their reasons, and the function that wrote it")
    func models() async throws {
        let text = try await Run("view", "text", "text", "retext", "property")
        #expect(text.reasons("Group/GtkTextView") == ["initial": 1, "buffer text": 3])
        let writers = try #require(text.widgets["Group/GtkTextView"]).writers("buffer text")
        #expect(writers.values.reduce(0, +) == 3, "\(writers)")
        // Each change is its own writer's, also of a buffer that another function wrote before.
        for (function, count) in ["step_text": 2, "step_retext": 1] as [String: UInt64] {
            let written = writers.filter { $0.key.hasPrefix("\(function)() widgets.c:") }.values.reduce(0, +)
            #expect(written == count, "\(writers)")
        }
        let scrolled = try await Run("viewport", "scroll", "scroll", "scroll", "property")
        let viewport = try #require(scrolled.widgets["Group/GtkViewport"])
        #expect(viewport.reasons["adjustment value"] == 3, "\(viewport.reasons)")
        let scrollers = viewport.writers("adjustment value")
        #expect(scrollers.keys.allSatisfy { $0.hasPrefix("step_scroll() widgets.c:") } && scrollers.count == 1)
    }

    @Test("name the widget in them that CSS turns, though it does not draw again")
    func turned() async throws {
        let run = try await Run("spin")
        #expect(run.reasons("Group")["style of Group/GtkSpinner"] ?? 0 >= 5, "\(run.reasons("Group"))")
        #expect(run.widgets["Group/GtkSpinner"]?.count ?? 0 <= 3)
    }

    @Test("name the widget that asked for the layout that gave them another size")
    func askers() async throws {
        let run = try await Run("ask", "ask", "size")
        #expect(run.reasons("Leaf") == ["initial": 1, "size for Steady": 2, "size": 1])
        let writers = try #require(run.widgets["Leaf"]).writers("size for Steady")
        let isNamed = writers.keys.allSatisfy { $0.hasPrefix("step_ask() widgets.c:") }
        #expect(isNamed && writers.values.reduce(0, +) == 2, "\(writers)")
        #expect(run.reasons("Steady")["size"] ?? 0 >= 2)
    }

    @Test(
        "were drawn for nothing where their render node is the one that they had, and those around them, too", .promise)
    func waste() async throws {
        let run = try await Run("wasted", "wasted", "property")
        for key in ["Steady", "Group", "GtkWindow"] {
            let wasted = try #require(run.widgets[key]).stats.wasted
            #expect(wasted.count == 2 && wasted.measured == 2, "\(key)")
        }
        #expect(run.widgets["Leaf"]?.stats.wasted.count == 0)
    }

    @Test("count exactly where other code that comes later calls on, and what is other code's is said in any case")
    func patched() async throws {
        func said(_ functions: String) -> String {
            "replaced by other code, which rerender leaves there, and some of their runs may not be counted: \(functions)\n"
        }
        let calling = try await Run("property", "call-on", "property")
        #expect(calling.widgets["Leaf"]?.count == calling.run.truth["Leaf"])
        #expect(calling.run.said.contains(said("Leaf.snapshot")), "\(calling.run.said)")
        let silent = try await Run("property", "replace", "property")
        #expect(silent.widgets["Leaf"]?.count == silent.run.truth["Leaf"].map { $0 - 2 })
        #expect(silent.run.said.contains(said("Leaf.snapshot")), "\(silent.run.said)")
        let early = try await Run("replace-early")
        #expect(early.widgets["Group"]?.count == early.run.truth["Group"])
        #expect(early.widgets["Group/GtkPicture"] == nil && early.widgets["Group/GtkToggleButton"] != nil)
        // The last one has its parent's.
        let functions = "GtkPicture.snapshot, GtkButton.measure, GtkToggleButton.measure"
        #expect(early.run.said.contains(said(functions)), "\(early.run.said)")
    }

    @Test("have ended when they are destroyed")
    func instances() async throws {
        let run = try await Run("late", "window")
        for (key, widget) in run.widgets { #expect(widget.stats.instances == 0, "\(key)") }
    }

    @Test(
        "are counted in Python, where GTK comes late", .promise,
        .enabled(if: Self.pythonObstacle == nil, "\(Self.pythonObstacle ?? "")"))
    func python() async throws {
        try await Fixture.preload()
        let server = try await XServer()
        let run = try await InjectedRun.run(
            [Self.interpreter, WidgetFixture.python], environment: server.environment)
        let dot = try #require(run.stores["widgets"]?["Dot"])
        #expect(dot.count == 7 && run.truth == ["Dot": 7])
        #expect(dot.reasons["property opacity"] == 2 && dot.reasons["initial"] == 1)
        withExtendedLifetime(server) {}
    }

    static let interpreter = "/usr/bin/python3"
    static let pythonObstacle: String? = {
        let found = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-4.0.typelib"
        let isThere = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")
        let hasTypes = FileManager.default.fileExists(atPath: found)
        return isThere && hasTypes ? nil : "python3-gi or gir1.2-gtk-4.0 is not installed"
    }()

    @Test("leave what a program prints, and its status, as they are", .promise)
    func isHarmless() async throws {
        let steps = ["property", "wasted", "bare", "class", "size", "hover", "tick", "late", "window"]
        let server = try await XServer()
        let program = try await Fixture.made("c/widgets")
        try await Fixture.preload()
        let plain = try await InjectedRun.run(
            [program] + steps, isInjected: false, environment: server.environment)
        // Where the first left it, the pointer would be in the second's window from its beginning.
        try await server.pointer(["mousemove", "1000", "1000"])
        let injected = try await InjectedRun.run([program] + steps, environment: server.environment)
        #expect(plain.output == injected.output && plain.stores.isEmpty)
        #expect(!injected.said.contains("other code"), "\(injected.said)")
        #expect(!injected.said.contains("Gtk-") && !injected.said.contains("GLib-"), "\(injected.said)")
        withExtendedLifetime(server) {}
    }
}
