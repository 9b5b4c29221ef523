// SPDX-License-Identifier: MIT
// What `rerenderctl issue` writes.

import RerenderModel
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("A finding for a bug tracker")
struct IssueReportTests {
    private func report(_ view: Stats?, _ store: ProcessStats, _ finding: Verdict.Finding? = nil) -> String {
        IssueReport(
            name: view?.key.displayName ?? "", finding: finding, view: view, store: store, facts: ["rerenderctl 0.1.0"]
        ).markdown.text
    }

    @Test("has the first line, the row, the place, the reasons with their writers, and the versions")
    func whole() {
        var view = Sample.shop.views[0]
        view.reasons[0].writers = [WriterCount(writer: "tick() clock.c:4", count: 300)]
        let text = report(view, Sample.shop, Verdict.Finding(.waste, text: "CartTotal wasted 41.0ms"))
        #expect(
            text.hasPrefix("### CartTotal wasted 41.0ms\n\n| view | evaluated | wasted | self | instances | hangs |\n"))
        #expect(text.contains("\n| <code>CartTotal</code> | 312 | 308 (98%) | "), "\(text)")
        #expect(text.contains("\nAt <code>Shop/Cart.swift:12</code>.\n"), "\(text)")
        #expect(
            text.contains(
                "\n**Why**\n\n- 300 (96%) <code>ticker.tick</code>\n  - written by <code>tick() clock.c:4</code> (300)\n"
            ))
        #expect(text.hasSuffix("\n**Versions and system**\n\n- rerenderctl 0.1.0\n"))
    }

    @Test("of more reasons than it lists it says how many, and what shows them")
    func cutReasons() {
        let view = Sample.view("Row", count: 55, reasons: (1...10).map { Sample.reason("r\($0)", UInt64($0)) })
        let text = report(view, Sample.store(views: [view]))
        #expect(text.contains("\n- and 2 more reasons: see rerenderctl explain KEY --json\n"), "\(text)")
    }

    @Test("a widget is drawn, and what a name has of markup means nothing")
    func names() {
        let view = Sample.view("Gtk|Label*<b>", count: 3, reasons: [Sample.reason("<external signal>", 3)], file: "")
        let text = report(view, Sample.store(kind: .widgets, views: [view]))
        #expect(text.hasPrefix("### Gtk&#124;Label&#42;&#60;b&#62;\n\n| widget | drawn |"), "\(text)")
        #expect(
            text.contains("<code>&#60;external signal&#62;</code>") && !text.contains("<b>") && !text.contains("\nAt "))
    }

    @Test("a finding of no view has its line, and the versions")
    func alone() {
        let text = IssueReport(
            name: "", finding: Verdict.Finding(.hangs, text: "No view is blamed"), view: nil, store: nil,
            facts: ["a", "b"]
        ).markdown.text
        #expect(text == "### No view is blamed\n\n**Versions and system**\n\n- a\n- b\n")
    }

    private func hang(_ milliseconds: UInt64, _ change: (inout Hang) -> Void = { _ in }) -> Hang {
        var hang = Hang(id: 1, pid: 4711, process: "shop", startedAt: Sample.now, turn: 1)
        (hang.durationNanoseconds, hang.open, hang.ended) = (milliseconds * 1_000_000, false, .normally)
        (hang.source, hang.verdict) = ("on_clicked() cases.c:41", .running)
        hang.stacks = [
            Hang.Stack(atNanoseconds: 300_000_000, frames: ["load() cases.c:12", "on_clicked() cases.c:41", "main"])
        ]
        change(&hang)
        return hang
    }

    @Test("a finding of hangs has their number, the longest with their stacks, the row of the handler, and what to ask")
    func hangs() {
        var finding = Verdict.Finding(.hangs, text: "on_clicked() cases.c:41 blocked the main loop 5 times")
        (finding.source, finding.count, finding.nanoseconds) = ("on_clicked() cases.c:41", 5, 3_000_000_000)
        (finding.longestNanoseconds, finding.command) = (900_000_000, "rerenderctl hangs")
        let others = [hang(950) { $0.source = "tick() clock.c:31" }, hang(990) { $0.counts = false }]
        let all = [hang(300), hang(900), hang(400), hang(500)] + others
        let hangs = IssueReport.hangs(of: finding, in: all)
        #expect(hangs.map(\.durationNanoseconds) == [900_000_000, 500_000_000, 400_000_000])
        var store = Sample.store()
        store.loop = LoopSamples.loop
        let sources = IssueReport.sources(of: finding, in: [store])
        #expect(sources.map(\.row.function) == ["on_clicked() cases.c:41"])
        let text = IssueReport(
            name: "", finding: finding, view: nil, store: nil, facts: ["a"], hangs: hangs, sources: sources
        ).markdown.text
        #expect(text.contains("\n| hangs in | count | longest | in all |\n"), "\(text)")
        #expect(text.contains("</code> | 5 | 900ms | 3.00s |\n"), "\(text)")
        #expect(text.contains("load() cases.c:12") && text.split(separator: "\n").count { $0.hasPrefix("- ") } == 4)
        #expect(text.contains("\n**What the main loop calls**\n\n| source | calls | core | longest |\n"), "\(text)")
        #expect(text.contains("</code> | 10 | ") && text.contains("\nNext: <code>rerenderctl hangs</code>\n"))
    }

    @Test("a finding of work without input has what the main loop calls, and what goes on")
    func busy() {
        var store = Sample.store()
        store.loop = LoopSamples.loop
        let finding = Verdict.Finding(.busy, text: "shop is busy without input")
        let sources = IssueReport.sources(of: finding, in: [store])
        #expect(sources.count == 3 && IssueReport.hangs(of: finding, in: [hang(300)]).isEmpty)
        let text = IssueReport(
            name: "", finding: finding, view: nil, store: nil, facts: ["a"], sources: sources,
            remarks: ["shop takes 14% of a core."]
        ).markdown.text
        #expect(text.contains("\n**What goes on**\n\n- shop takes 14% of a core.\n\n**What the main loop"), "\(text)")
        #expect(!text.contains("hangs in"))
        #expect(IssueReport.sources(of: Verdict.Finding(.waste, text: ""), in: [store]).isEmpty)
    }

    @Test("the system is told by its files, and the libraries of a program that runs by what it has mapped")
    func facts() {
        let texts = [
            "/etc/os-release": "ID=x\nPRETTY_NAME=\"Some System 7\"\n", "/proc/sys/kernel/osrelease": "6.1.0\n",
            "/proc/4711/maps": """
            7f00-7f01 r--p 00000000 fd:00 1 /usr/lib/libgtk-4.so.1.800.3
            7f01-7f02 r-xp 00001000 fd:00 1 /usr/lib/libgtk-4.so.1.800.3
            7f02-7f03 r--p 00000000 fd:00 2 /usr/lib/libc.so.6
            7f03-7f04 rw-p 00000000 00:00 0
            """,
        ]
        func facts(_ store: ProcessStats?, _ run: RunRecord? = nil) -> [String] {
            SystemFacts.all(store, run: run, health: nil) { texts[$0] ?? "" }
        }
        let live = facts(Sample.store("clock"))
        #expect(
            live.prefix(3) == ["clock", "libgtk-4.so.1.800.3", "rerenderctl \(RerenderVersion.current)"], "\(live)")
        #expect(live.last?.hasPrefix("Some System 7, Linux 6.1.0, ") == true)
        let run = RunRecord(
            program: "kgx", buildID: "0f0f", hangs: [], hangsForgotten: 0, unwatchedTurns: 0, gaps: [])
        #expect(
            facts(Sample.store(connected: false), run).prefix(2) == [
                "kgx, build ID 0f0f", "rerenderctl \(RerenderVersion.current)",
            ])
        #expect(facts(nil).count == 2)
    }
}
