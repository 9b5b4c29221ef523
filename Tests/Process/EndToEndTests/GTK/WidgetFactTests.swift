// SPDX-License-Identifier: MIT
// Whom frames are drawn for, and why that cannot be seen; whose layout moves nothing; what is made anew; which click took long to its frame.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Facts of widgets of GTK 4",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct WidgetFactTests {
    /// A program, which its server outlives.
    private struct Program {
        let app: ChildProcess
        let server: XServer
        let lab: InjectionLab

        init(_ what: String, _ more: [String: String] = [:]) async throws {
            (lab, server) = (try await InjectionLab(), try await XServer())
            let environment = server.environment.merging(more) { $1 }
            app = try await lab.start([try await Fixture.made("c/sight"), what], environment)
            #expect(try await app.nextLine() == "shown")
        }

        var loop: LoopStats? {
            get throws { try lab.stores(of: app).first { $0.store == "widgets" }?.loop }
        }

        /// The fact of a kind with most, once it is that of so many.
        func fact(_ kind: WidgetFact.Kind, _ least: UInt64) async throws -> WidgetFact {
            try await lab.daemon.http.eventually("a fact", seen: { try loop as Any }) {
                let facts = try loop?.facts.filter { $0.kind == kind && $0.numbers.count >= least } ?? []
                return facts.max { $0.numbers.count < $1.numbers.count }
            }
        }

        func end() async {
            app.closeInput()
            #expect(await app.waitForExit() == .status(0))
        }
    }

    /// Spinners that are not mapped. GTK 4.8 has frames drawn for these, and 4.18 has none.
    private static let unmapped: [(String, String?)] =
        hasFramesForUnmapped
        ? [("page", "its page of GtkStack is not shown"), ("closed", "the GtkRevealer around it is closed")] : []

    private static let hasFramesForUnmapped = minor.map { $0 < 18 } ?? false

    /// Spinners in windows that are not shown: from 4.12 on, GTK itself does less for these.
    private static let unshown: [(String, String?)] =
        minor.map { $0 < 12 } ?? false
        ? [("minimised", "its window is minimised"), ("suspended", "its window is suspended")] : []

    private static let minor: Int? = {
        let package = ["x86_64", "aarch64"].lazy.compactMap {
            try? String(contentsOfFile: "/usr/lib/\($0)-linux-gnu/pkgconfig/gtk4.pc", encoding: .utf8)
        }.first
        return package?.firstMatch(of: #/Version: 4\.(\d+)/#).flatMap { Int($0.1) }
    }()

    @Test(
        "frames are drawn for a spinner, and it is said why that is not visible", .promise,
        arguments: [
            ("shown", nil), ("clear", "the opacity of GtkBox#dim is 0"),
            ("below", "it is outside of the visible area of GtkScrolledWindow"),
            ("covered", "something opaque covers it"),
        ] + unmapped + unshown)
    func spinner(what: String, hidden: String?) async throws {
        let program = try await Program(what)
        let fact = try await program.fact(.asker, 30)
        #expect(fact.view.hasSuffix("GtkSpinner#wheel"), "\(fact)")
        #expect(fact.hidden == hidden)
        #expect(fact.numbers.count * 2 >= fact.numbers.of, "\(fact)")
        await program.end()
    }

    @Test("a spinner may end while it spins: its frames count, and nothing of it is read any more")
    func endedSpinner() async throws {
        // Memory that is freed has other bytes, and a question about what is no widget ends the program.
        let program = try await Program("several", ["MALLOC_PERTURB_": "165", "G_DEBUG": "fatal-criticals"])
        let first = try await program.fact(.asker, 30)
        // Each of them asks for all frames, so it has asked in the second that is under way.
        for _ in 0..<2 { #expect(try await program.app.ask("end one") == "gone") }
        _ = try await program.fact(.asker, first.numbers.count + 120)
        let facts = try program.loop?.facts.filter { $0.kind == .asker && $0.view.hasSuffix("GtkSpinner#wheel") } ?? []
        #expect(!facts.isEmpty && facts.allSatisfy { $0.hidden == nil }, "\(facts)")
        await program.end()
    }

    @Test("a clock that paints nothing goes on for a tick callback, which is named")
    func clock() async throws {
        let program = try await Program("clock")
        let fact = try await program.fact(.asker, 60)
        #expect(fact.view == "GtkLabel#clock" && fact.hidden == nil)
        #expect(fact.writer?.hasPrefix("count_nothing() sight.c:") == true, "\(fact)")
        let loop = try #require(try program.loop)
        #expect(loop.totals.frames.unpainted * 2 > loop.totals.frames.frames, "\(loop.totals.frames)")
        await program.end()
    }

    @Test("a picture whose paintable changes has that for a reason, with the function that changes it")
    func picture() async throws {
        let program = try await Program("picture")
        func views() throws -> [Stats] {
            try program.lab.views(of: program.app).filter { $0.key.rawValue.hasSuffix("GtkPicture#blink") }
        }
        let found = try await program.lab.daemon.http.eventually("the reason", seen: { try views() }) {
            try views().flatMap(\.reasons).first { $0.reason == "paintable contents" && $0.count >= 20 }
        }
        #expect(found.writers.contains { $0.writer.hasPrefix("change_contents() sight.c:") }, "\(found)")
        #expect(try !views().flatMap(\.reasons).contains { $0.reason == "unknown" })
        await program.end()
    }

    @Test("frames for a progress bar that is not visible have the function that pulses it")
    func pulse() async throws {
        let program = try await Program("pulse")
        let fact = try await program.fact(.asker, 60)
        #expect(fact.view == "GtkProgressBar#pulse" && fact.hidden == "the GtkRevealer around it is closed", "\(fact)")
        #expect(fact.writer?.hasPrefix("pulse_bar() sight.c:") == true, "\(fact)")
        await program.end()
    }

    @Test(
        "an animation of GTK's own has the name neither of a tick callback that has ended nor of who draws now and then",
        arguments: ["ended", "urged"])
    func animation(what: String) async throws {
        let program = try await Program(what)
        let fact = try await program.fact(.asker, 60)
        #expect(fact.view.hasSuffix("GtkStack#pages") && fact.writer == nil, "\(fact)")
        await program.end()
    }

    @Test("a layout in which nothing gets another place is one, with the function that asks for it")
    func places() async throws {
        let program = try await Program("places")
        let fact = try await program.fact(.layout, 40)
        #expect(fact.view == "GtkFixed", "\(fact)")
        #expect(fact.writer?.hasPrefix("put_back() sight.c:") == true, "\(fact)")
        #expect(fact.numbers.same * 2 >= fact.numbers.count, "\(fact)")
        await program.end()
    }

    @Test("rows that are made anew are counted turn by turn, with what they are in and the function that makes them")
    func rows() async throws {
        let program = try await Program("rows")
        let fact = try await program.fact(.anew, 4)
        #expect(fact.view.hasSuffix("GtkListBoxRow") && fact.parent == "GtkListBox", "\(fact)")
        #expect(fact.writer?.hasPrefix("make_rows() sight.c:") == true, "\(fact)")
        #expect(fact.numbers.of == 40)
        await program.end()
    }

    @Test("rows that come while something is scrolled are not made anew, and those that come after it are")
    func scrolled() async throws {
        let program = try await Program("scrolled")
        #expect(try await program.app.nextLine() == "made")
        let fact = try await program.fact(.anew, 6)
        #expect(fact.view.hasSuffix("GtkListBoxRow") && fact.numbers.count == 6, "\(fact)")
        await program.end()
    }

    @Test("what took long before the main loop turned is told")
    func start() async throws {
        let program = try await Program("late")
        let row = try await program.lab.daemon.http.eventually("the start", seen: { try program.loop?.rows as Any }) {
            try program.loop?.rows.first(where: \.isStart)
        }
        #expect(row.numbers.longest >= 2_100_000_000 && row.calls == nil && !row.isTold, "\(row)")
        await program.end()
    }

    @Test("a slow click is timed to its frame, with the widget, the program's handler and what that changed")
    func click() async throws {
        let program = try await Program("slow")
        try await program.server.pointer(["mousemove", "100", "100"])
        try await program.server.click()
        let fact = try await program.lab.daemon.http.eventually("the click", seen: { try program.loop?.facts as Any }) {
            try program.loop?.facts.first { $0.kind == .interaction && $0.numbers.longest >= 300_000_000 }
        }
        #expect(fact.view == "GtkButton#save" && fact.writer?.hasPrefix("on_save() sight.c:") == true, "\(fact)")
        let interaction = try #require(fact.interaction)
        #expect(interaction.input == .click && interaction.presentation == 0, "\(fact)")
        #expect(fact.numbers.count > 0 && fact.numbers.of > 0 && fact.numbers.processor > 0, "\(fact)")
        let parts = fact.numbers.longestOf + interaction.evaluations + interaction.style + interaction.layout
        #expect(fact.numbers.longest <= fact.numbers.longestOf, "\(fact)")
        #expect(parts + interaction.drawing <= fact.numbers.nanoseconds, "\(fact)")
        let slow = try program.lab.stores(of: program.app)
        let found = try #require(VerdictBuilder.verdict(of: slow)?.findings.first { $0.kind == .interactions })
        #expect(found.text.hasPrefix("click on GtkButton#save took ") && found.source == fact.writer)
        await program.end()
    }

    @Test("clicks that waited for each other are shown by one frame, and their handler has the time of all its runs")
    func waiting() async throws {
        let program = try await Program("slow")
        try await program.server.pointer(["mousemove", "100", "100"])
        try await program.server.pointer(["click", "--repeat", "3", "--delay", "20", "1"])
        let fact = try await program.lab.daemon.http.eventually("the clicks", seen: { try program.loop?.facts as Any })
        {
            try program.loop?.facts.first { $0.kind == .interaction && $0.numbers.longest >= 600_000_000 }
        }
        #expect(fact.view == "GtkButton#save" && fact.writer?.hasPrefix("on_save() sight.c:") == true, "\(fact)")
        // What is left is GTK's: no earlier run of the same handler.
        let (own, all) = (fact.numbers.longest, fact.numbers.longestOf)
        #expect(own <= all && all - own < 200_000_000, "\(fact)")
        await program.end()
    }

    @Test("the newest slow clicks are kept beside slower ones, and all that were slow are numbered")
    func newest() async throws {
        let program = try await Program("slow")
        try await program.server.pointer(["mousemove", "100", "100"])
        func numbers() throws -> [UInt64] {
            try program.loop?.facts.filter { $0.kind == .interaction }.map(\.numbers.same).sorted() ?? []
        }
        for click in 1...18 as ClosedRange<UInt64> {
            try await program.server.click()
            try await program.lab.daemon.http.eventually("a click", seen: { try numbers() }) {
                (try numbers().last ?? 0) >= click ? () : nil
            }
        }
        // The fastest ones that are not among the newest eight gave their places away.
        let kept = try numbers(), last = try #require(kept.last)
        #expect(kept.count == 16 && Array(kept.suffix(8)) == Array(last - 7...last) && kept[0] > 0, "\(kept)")
        await program.end()
    }

    @Test("off takes each word out of the program's classes, files, main loop and lists of hooks, as it finds itself")
    func words() async throws {
        let program = try await Program("words"), other = try await Program("words")
        let areReplaced = #/widgets [1-9]\d* managers [1-9]\d* applications [1-9]\d* poll 1/#
        for app in [program.app, other.app] {
            try await eventually("words of each kind", seen: { try await app.ask("words") }) {
                try await app.ask("words").wholeMatch(of: areReplaced) != nil ? () : nil
            }
        }
        let files = try await ReplacedWords(of: program.app.processID).leading.keys
        #expect(files.contains("sight") && files.contains { $0.hasPrefix("libgtk-4.so") }, "\(files)")
        // It has none of them any more then.
        let hooks = try await other.app.ask("hooks")
        #expect(hooks == "hooks 4")
        try await program.lab.ctl("off")
        let after = (words: try await program.app.ask("words"), hooks: try await program.app.ask("hooks"))
        #expect(after.words == "widgets 0 managers 0 applications 0 poll 0")
        #expect(after.hooks == "hooks 0")
        let left = try await ReplacedWords(of: program.app.processID)
        #expect(left.areNone, "\(left)")
        await program.end()
        await other.end()
    }
}
