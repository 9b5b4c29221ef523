// SPDX-License-Identifier: MIT
// Functions without names: which files they are in, what would bring names, and where that is said.

import RerenderModel
import Testing

@testable import RerenderShow
@testable import RerenderTool
@testable import ToolSupport

@Suite("Names that are missing")
struct MissingNamesTests {
    private static func store(_ writers: String..., kind: StoreKind = .widgets) -> ProcessStats {
        let counts = writers.map { WriterCount(writer: $0, count: 5) }
        let reason = ReasonCount(reason: "queue_draw", count: 10, attribution: .announced, writers: counts)
        return Sample.store(
            "gnome-calendar", store: "widgets", kind: kind,
            views: [Sample.view("GtkLabel", count: 10, reasons: [reason])])
    }

    private static func hang(_ frames: String...) -> Hang {
        var hang = Hang(id: 1, pid: 8, process: "kgx", startedAt: Sample.now, turn: 1)
        hang.stacks = [Hang.Stack(atNanoseconds: 1, frames: frames)]
        return hang
    }

    @Test("the names of functions are those of writers, chains, rows, work, steps, facts and stacks")
    func texts() {
        var store = Self.store("a()")
        store.views[0].reasons[0].chains = [ChainCount(chain: "b()", count: 1)]
        var fact = WidgetFact(.asker, view: "GtkLabel")
        fact.writer = "c()"
        store.loop = LoopStats(LoopTotals(), rows: [LoopRow(.timer, name: "d()", place: "d.c:1")], facts: [fact])
        var work = IdleWork(.evaluations, latestAt: Sample.now)
        (work.writer, work.callback) = ("e()", IdleWork.Callback(source: "timer", function: "f()"))
        store.idleWork = [work]
        store.cycles = [
            Cycle(
                steps: [Cycle.Step(name: "GtkLabel", writer: "g()")], rounds: 1, latestRounds: 1, latestNanoseconds: 1,
                latestAt: Sample.now)
        ]
        var hang = Self.hang("h()")
        (hang.source, hang.call) = ("i()", "j()")
        let all = NameTexts.all([store], [hang])
        #expect(Set(all) == Set("abcdefghij".map { "\($0)()" }))
    }

    @Test("a program's file is named once, and toolkits, runtimes and functions with names are not")
    func files() {
        let stores = [
            Self.store("unknown in gnome-calendar", "unknown", "tick() clock.c:4", "tick() in gnome-calendar"),
            Self.store("unknown in gnome-calendar"),
        ]
        let calendar = NamelessFile(pid: 4711, name: "gnome-calendar", hasLines: true)
        #expect(NamelessFile.all(stores, []) == [calendar])
        #expect(NamelessFile.all([stores[1]], []) == [NamelessFile(pid: 4711, name: "gnome-calendar")])
        for (text, hasLines) in [("tick() clock.c:4", true), ("tick() clock.py:4", false), ("a: b:", false)] {
            #expect(NamelessFile.all([stores[1], Self.store(text)], []).first?.hasLines == hasLines, "\(text)")
        }
        let hang = Self.hang("unknown in libgtk-4.so.1", "unknown in libc.so.6", "unknown in kgx", "main() in kgx")
        #expect(NamelessFile.all(stores, [hang]) == [calendar, NamelessFile(pid: 8, name: "kgx")])
        #expect(
            NamelessFile.all([Self.store("unknown in a", "unknown in b", "unknown in c", "unknown in d")], []).count
                == 3)
        #expect(NamelessFile.all([], []).isEmpty)
    }

    @Test("where a view is explained, the files are those of what it names")
    func filesOfView() throws {
        var store = Self.store("unknown in libvte-2.91-gtk4.so.0")
        let view = store.views[0]
        let others = [
            ReasonCount(
                reason: "queue_draw", count: 1, attribution: .announced,
                writers: [WriterCount(writer: "unknown in kgx", count: 1)])
        ]
        store.views.append(Sample.view("GtkButton", count: 1, reasons: others))
        var facts = [WidgetFact(.asker, view: "GtkLabel"), WidgetFact(.asker, view: "GtkButton")]
        (facts[0].writer, facts[1].writer) = ("unknown in librr.so.1", "unknown in kgx")
        let rows = [LoopRow(.timer, name: "a timer in kgx")]
        store.loop = LoopStats(LoopTotals(), rows: rows, facts: facts)
        var work = IdleWork(.evaluations, latestAt: Sample.now)
        (work.view, work.writer) = ("GtkButton", "unknown in kgx")
        store.idleWork = [work]
        #expect(
            NamelessFile.all(of: view, in: store, []).map(\.name) == ["libvte-2.91-gtk4.so.0", "librr.so.1"])
        #expect(NamelessFile.all([store], []).contains(NamelessFile(pid: 4711, name: "kgx")))
        let hang = Self.hang("unknown in libhang.so.1")
        #expect(NamelessFile.all(of: view, in: store, [hang]).last?.name == "libhang.so.1")
    }

    @Test("a row tells the file of its function, where that has no name")
    func rows() {
        func file(_ name: String, _ place: String?) -> String? {
            LoopRow(.timer, name: name, place: place).namelessFile
        }
        #expect(file("a timer in geany (every 1,000 ms)", nil) == "geany")
        #expect(file("an idle function in geany", nil) == "geany")
        #expect(file("pump", "in geany") == "geany")
        #expect(file("on_tick()", "in geany") == nil)
        #expect(file("on_tick()", "clock.c:41") == nil)
        #expect(file("a timer of Python (every 1,000 ms)", nil) == nil)
        #expect(file("other sources", nil) == nil)
    }

    @Test("the package is what dpkg says of the file")
    func packages() {
        #expect(StrippedFile.package(in: "gnome-calendar: /usr/bin/gnome-calendar\n") == "gnome-calendar")
        #expect(StrippedFile.package(in: "libgtk-4-1:amd64: /usr/lib/x86_64-linux-gnu/libgtk-4.so.1\n") == "libgtk-4-1")
        #expect(StrippedFile.package(in: "a, b: /usr/bin/a\n") == "a")
        let diverted = "diversion by dash from: /bin/sh\ndiversion by dash to: /bin/sh.distrib\ndash: /bin/sh\n"
        #expect(StrippedFile.package(in: diverted) == "dash")
        for text in ["", "\n", "nothing", "a b: /c", "$(a): /c", ": /c"] {
            #expect(StrippedFile.package(in: text) == nil, "\(text)")
        }
        #expect(
            StrippedFile.text(of: "gnome-calendar", package: "gnome-calendar")
                == "gnome-calendar is stripped: install gnome-calendar-dbgsym")
        #expect(StrippedFile.text(of: "a\u{1B}", package: nil).hasPrefix("a\\u{1b} is stripped: run a build"))
    }

    private static let advice = "gnome-calendar is stripped: install gnome-calendar-dbgsym"

    @Test("stats, explain and hangs say it once")
    func shown() {
        let store = Self.store("unknown in gnome-calendar")
        var screen = StatsScreen(
            export: StatsExport(processes: [store]), health: HealthReport(), order: .count, limit: nil)
        #expect(!screen.lines(width: 120, colours: false).contains { $0.contains("stripped") })
        screen.names = [Self.advice]
        #expect(screen.lines(width: 120, colours: false).count { $0.contains(Self.advice) } == 1)
        var explanation = Explanation(view: store.views[0], store: store)
        explanation.names = [Self.advice]
        #expect(explanation.lines(width: 120, colours: false).count { $0.contains(Self.advice + ".") } == 1)
        var hangs = HangsScreen(hangs: [Self.hang("unknown in kgx")], stores: [], health: HealthReport())
        hangs.names = [Self.advice]
        #expect(hangs.lines(width: 120, colours: false).count { $0 == Self.advice } == 1)
    }

    @Test("the tab of writers says what would bring writers, and to whom")
    func writers() {
        func list(_ stores: [ProcessStats], _ names: [String] = []) -> TopList {
            var sample = TopSamples.sample(
                TopSamples.model(stores, columns: 120, lines: 24).query, stores, at: Sample.now)
            sample.names = names
            return WriterRows.list(sample, [], RateHistory(), isLive: true)
        }
        let (views, widgets) = ([Self.store(kind: .views)], [Self.store(kind: .widgets)])
        #expect(list(views).empty.count == 1 && list(views).empty[0].contains("guide to instrumenting an app"))
        #expect(list(widgets).empty == ["No writer is known."])
        #expect(list(widgets, [Self.advice]).empty == ["No writer is known.", Self.advice])
        #expect(list(widgets, [Self.advice]).note == Self.advice && list(widgets).note == nil)
    }
}
