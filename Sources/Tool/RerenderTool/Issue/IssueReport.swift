// SPDX-License-Identifier: MIT
// A finding with its view, reasons, writers and versions, as Markdown for a bug tracker.

import Glibc
import RerenderShow

/// What somebody who gets a report of a bug asks for first.
struct IssueReport: Sendable {
    /// What the user calls the view; empty where the finding is of none.
    let name: String
    /// What was found; nil where the user named a view that no finding names.
    let finding: Verdict.Finding?
    /// The view that it is about; nil where it is of none, or where that was never evaluated.
    let view: Stats?
    /// The store of the view, whose other views do not matter; nil without a view.
    let store: ProcessStats?
    /// Versions and the system, a sentence each.
    let facts: [String]
    /// The hangs that it is about, the longest first.
    var hangs: [Hang] = []
    /// What the main loop calls that it is about, most processor time first.
    var sources: [SourceRow] = []
    /// What is known of the process where the finding is of no view, a sentence each.
    var remarks: [String] = []
    /// What helps against the costs of the view, a sentence each.
    var advice: [String] = []

    /// The most reasons that are listed, the most writers of each, and the most hangs and sources.
    private static let most = (reasons: 8, writers: 3, hangs: 3, sources: 5)

    /// The document, a line end last.
    var markdown: Markdown { (lines + [""]).joined(separator: "\n") }

    private var lines: [Markdown] {
        let title: [Markdown] = ["### \(finding.map { MangledNames.readable($0.text) } ?? name)", ""]
        let system: [Markdown] = ["**Versions and system**", ""]
        let found: [Markdown] = title + blocked + row + happening
        let causes: [Markdown] = list("What goes on", remarks) + calls + reasons
        let helps: [Markdown] = list("What helps", advice) + next
        return found + causes + helps + system + Markdown.items(facts)
    }

    /// How many hangs there were and how long, and what is known of single ones.
    private var blocked: [Markdown] {
        guard let finding, finding.kind == .hangs, finding.count > 0 else { return [] }
        let name = finding.source ?? finding.view?.displayName ?? "no view"
        let longest = finding.longestNanoseconds.map { DurationText.short($0) } ?? "-"
        let cells: [Markdown] = [
            .code(MangledNames.readable(name)), Markdown(Counted.grouped(finding.count)), Markdown(longest),
            Markdown(DurationText.short(finding.nanoseconds)),
        ]
        let header: [Markdown] = ["hangs in", "count", "longest", "in all"]
        let items = hangs.flatMap { hang -> [Markdown] in
            let lines = HangText(hang: hang, now: hang.startedAt).lines.map { MangledNames.readable($0.text) }
            return Markdown.items(Array(lines.prefix(1))) + lines.dropFirst().map { line -> Markdown in "  - \(line)" }
        }
        return Markdown.table(header, [cells], isNumeric: true) + [""] + (items.isEmpty ? [] : items + [""])
    }

    private var calls: [Markdown] {
        guard !sources.isEmpty else { return [] }
        let rows = sources.map { source -> [Markdown] in
            let name: Markdown = "\(source.row.kind.rawValue) \(.code(MangledNames.readable(source.name)))"
            return [
                name, Markdown(source.row.calls.map { Counted.grouped($0) } ?? "-"),
                Markdown(source.share?.text ?? "-"), Markdown(DurationText.short(source.row.numbers.longest)),
            ]
        }
        return ["**What the main loop calls**", ""]
            + Markdown.table(["source", "calls", "core", "longest"], rows, isNumeric: true) + [""]
    }

    private var next: [Markdown] {
        guard let command = finding?.command else { return [] }
        return ["Next: \(.code(command.text))", ""]
    }

    /// A title and a list; nothing without entries.
    private func list(_ title: Markdown, _ texts: [String]) -> [Markdown] {
        texts.isEmpty ? [] : ["**\(title)**", ""] + Markdown.items(texts) + [""]
    }

    /// Those of the hangs of a process that a finding is about.
    static func hangs(of finding: Verdict.Finding, in all: [Hang]) -> [Hang] {
        guard finding.kind == .hangs else { return [] }
        let own = all.filter { hang in
            guard hang.counts else { return false }
            if let source = finding.source {
                return [hang.source, hang.blamedName].compactMap(\.self).contains { Printable.text($0) == source }
            }
            guard let view = finding.view else { return hang.guess || !hang.isBlamed && hang.source == nil }
            return hang.view == view && hang.handler == nil && !hang.guess
        }
        return Array(own.sorted { $0.durationNanoseconds > $1.durationNanoseconds }.prefix(most.hangs))
    }

    /// Those of the rows of a process that a finding is about: the one that it names, or else those that take most.
    static func sources(of finding: Verdict.Finding, in stores: [ProcessStats]) -> [SourceRow] {
        guard finding.kind.isFinding, ![.waste, .cycle, .notJudged].contains(finding.kind) else { return [] }
        let all = SourceRow.all(stores)
        let named = all.filter { $0.name == finding.source || $0.row.function == finding.source }
        return Array((named.isEmpty ? all : named).prefix(most.sources))
    }

    private var row: [Markdown] {
        guard let view, let store else { return [] }
        let isWidget = store.kind == .widgets
        let wasted =
            view.wasted.count == 0 ? "0" : "\(Counted.grouped(view.wasted.count)) (\(share(view.wasted.count)))"
        let cells: [Markdown] = [
            .code(view.key.displayName), Markdown(Counted.grouped(view.count)), Markdown(wasted),
            Markdown(DurationText.short(view.ownNanoseconds)), Markdown(Counted.grouped(view.instances)),
            Markdown(Counted.grouped(view.hangs.count)),
        ]
        let header: [Markdown] = [
            isWidget ? "widget" : "view", isWidget ? "drawn" : "evaluated", "wasted", "self", "instances", "hangs",
        ]
        let place: [Markdown] = view.file.isEmpty ? [] : ["At \(.code("\(view.file):\(view.line)")).", ""]
        return Markdown.table(header, [cells], isNumeric: true) + [""] + place
    }

    private func share(_ count: UInt64) -> String { Percent.text(count, of: view?.updates ?? 0) }

    /// How often it runs, and what goes on without input.
    private var happening: [Markdown] {
        guard let view, let store else { return [] }
        return Markdown.items(WhatText.sentences(view, store)) + [""]
    }

    private var reasons: [Markdown] {
        guard let view, !view.reasons.isEmpty else { return [] }
        let all = view.reasons.sorted(by: ReasonCount.byCount)
        let items = all.prefix(Self.most.reasons).flatMap { reason -> [Markdown] in
            let share = Percent.text(reason.count, of: view.count)
            let name = MangledNames.readable(reason.reason)
            let head: Markdown = "- \(Counted.grouped(reason.count)) (\(share)) \(.code(name))"
            let writers = reason.writers.prefix(Self.most.writers).map { writer -> Markdown in
                let name = writer.writer == Reason.other ? "others" : MangledNames.readable(writer.writer)
                return "  - written by \(.code(name)) (\(Counted.grouped(writer.count)))"
            }
            return [head] + writers
        }
        let left = all.count - Self.most.reasons
        let more: [Markdown] =
            left > 0 ? ["- \(Counted.rest(left, "reason", see: "rerenderctl explain KEY --json"))"] : []
        return ["**Why**", ""] + items + more + [""]
    }
}

// The versions of a program's libraries, and the system that it runs on.

/// Facts that a report of a bug has, a sentence each.
enum SystemFacts {
    /// Libraries whose files have their version in the name.
    private static let libraries = [
        "libgtk-4.so.", "libgtk-3.so.", "libadwaita-1.so.", "libglib-2.0.so.", "libpython3.",
    ]

    /// - Parameters:
    ///   - store: A store of the program; nil where none is known.
    ///   - run: What is known of the program's file; nil of a program that runs.
    ///   - read: The text of a file; empty where it cannot be read.
    static func all(
        _ store: ProcessStats?, run: RunRecord?, health: HealthReport?, read: (String) -> String = ProcFile.read
    ) -> [String] {
        [program(store, run), loaded(store, read), versions(health), system(read)].compactMap(\.self)
    }

    private static func program(_ store: ProcessStats?, _ run: RunRecord?) -> String? {
        guard let name = run?.program ?? store?.name else { return nil }
        let build = run?.buildID.map { ", build ID \($0)" } ?? ""
        let counted = store?.countedNanoseconds.map { ", counted for \(DurationText.short($0))" } ?? ""
        return "\(name)\(build)\(counted)"
    }

    /// By the files that the process has mapped; nil where it does not run.
    private static func loaded(_ store: ProcessStats?, _ read: (String) -> String) -> String? {
        guard let store, store.connected else { return nil }
        let files = read("/proc/\(store.pid)/maps").split(separator: "\n").compactMap { line -> String? in
            let name = PathName.last(of: String(line))
            return libraries.contains { name.hasPrefix($0) } ? name : nil
        }
        let names = Array(Set(files)).sorted()
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private static func versions(_ health: HealthReport?) -> String {
        let daemon = health?.daemonVersion.flatMap { $0 == RerenderVersion.current ? nil : ", rerenderd \($0)" } ?? ""
        return "rerenderctl \(RerenderVersion.current)\(daemon)"
    }

    private static func system(_ read: (String) -> String) -> String {
        let release = read("/etc/os-release").split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name =
            release.map { String($0.dropFirst("PRETTY_NAME=".count)).replacing("\"", with: "") } ?? "an unknown system"
        let kernel = read("/proc/sys/kernel/osrelease").split(separator: "\n").first.map { ", Linux \($0)" } ?? ""
        let processors = Counted.text(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), "processor")
        let session = environmentVariable("XDG_SESSION_TYPE").map { ", a session of \($0)" } ?? ""
        return "\(name)\(kernel), \(machine), \(processors)\(session)"
    }

    private static var machine: String {
        #if arch(arm64)
            "arm64"
        #else
            "x86-64"
        #endif
    }
}
