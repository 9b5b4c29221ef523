// SPDX-License-Identifier: MIT
// Reads an export, as it comes from a daemon or from a file, which may hold anything at all.

import FoundationEssentials
package import RerenderModel

/// An export as it comes in: the JSON lines of a daemon, each read as soon as it is there, or one document.
///
/// Unknown names are skipped, because a later version may write them. Known members must exist with their types.
package struct ExportText: Sendable {
    /// What stands beside the processes.
    package struct Head: Decodable, Sendable {
        let version: Int
        package let generatedAt: Timestamp
        package let verdict: Verdict?
        /// What a run left beside its counts; nil in any other export.
        package let run: RunRecord?
    }

    /// The largest text: twice what a full daemon exports. What is read of it takes some times as much memory.
    private static let mostBytes = 512 << 20

    private let decoder = JSONDecoder()
    private let refuse: @Sendable (_ reason: String) -> ToolFailure
    /// What is not read yet.
    private var text: [UInt8] = []
    /// So much of it has no newline.
    private var searched = 0
    /// What the lines say; nil before the first one.
    private var export: StatsExport?
    private var isDocument = false

    /// - Parameter refuse: What to throw, with status 65, where the text cannot be read.
    package init(refuse: @escaping @Sendable (_ reason: String) -> ToolFailure = ToolFailure.unreadable) {
        self.refuse = refuse
    }

    /// Takes the next bytes.
    package mutating func add(_ bytes: [UInt8]) throws(ToolFailure) {
        text += bytes
        if export == nil, let first = text.first, !Self.mayBegin(first) {
            throw refuse("it is not an export of Rerender")
        }
        guard text.count <= Self.mostBytes else { throw refuse("it is larger than \(Self.mostBytes >> 20) MiB") }
        var start = 0
        while !isDocument, let end = text[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            try take(line: text[start..<end])
            if !isDocument { start = end + 1 }
        }
        text.removeFirst(start)
        searched = text.count
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// The first line is an export without processes, or a part of a document.
    private mutating func take(line: ArraySlice<UInt8>) throws(ToolFailure) {
        guard export == nil else {
            let line: ExportLine = try decode(line)
            export?.add(line)
            return
        }
        export = (try? decoder.decode(ExportLine.self, from: Data(line)))?.export
        isDocument = export == nil
    }

    /// Says that the text is complete, and returns what it says.
    package func end() throws(ToolFailure) -> StatsExport {
        guard let export else { return try checked(document()) }
        guard text.isEmpty else { throw refuse("it is incomplete") }
        return try checked(export)
    }

    /// What stands beside the processes; those of a document are not looked at.
    package func head() throws(ToolFailure) -> Head {
        guard let export else { return try decode(text[...]) }
        return Head(
            version: export.version, generatedAt: export.generatedAt, verdict: export.verdict, run: export.run)
    }

    private func document() throws(ToolFailure) -> StatsExport {
        do throws(ToolFailure) {
            return try decode(text[...])
        } catch {
            // A later version may have other members.
            if let version = try? head().version { try check(version) }
            throw error
        }
    }

    private func checked(_ export: StatsExport) throws(ToolFailure) -> StatsExport {
        try check(export.version)
        return export
    }

    private func check(_ version: Int) throws(ToolFailure) {
        let ours = StatsExport.currentVersion
        guard version == ours else {
            throw refuse("it is an export of version \(version), and this rerenderctl reads version \(ours)")
        }
    }

    private func decode<T: Decodable>(_ text: ArraySlice<UInt8>) throws(ToolFailure) -> T {
        do {
            return try decoder.decode(T.self, from: Data(text))
        } catch {
            throw refuse(text.isEmpty ? "it is incomplete" : DecodingText.of(error))
        }
    }
}

/// An export in a file, which may hold anything at all; a store may list a view once.
package struct ExportFile: Sendable {
    let path: String

    package init(path: String) { self.path = path }

    /// Reads the file; throws status 65.
    package func read() throws(ToolFailure) -> StatsExport {
        var export = try text().end()
        for store in export.processes { try check(store) }
        // No daemon can say more about it.
        export.verdict = VerdictBuilder.verdict(of: export.processes, .ended, now: export.generatedAt)
        return export
    }

    /// What stands beside the processes, which are not looked at; throws status 65.
    package func head() throws(ToolFailure) -> ExportText.Head { try text().head() }

    private func text() throws(ToolFailure) -> ExportText {
        var text = ExportText(refuse: unreadable)
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            try text.add(piece)
        }
        return text
    }

    private func check(_ store: ProcessStats) throws(ToolFailure) {
        var keys: Set<ViewKey> = []
        for view in store.views {
            guard keys.insert(view.key).inserted else {
                throw unreadable("the view \"\(view.key.rawValue)\" is twice in one store")
            }
            guard view.wasted.count <= view.count else {
                throw unreadable("the view \"\(view.key.rawValue)\" has more wasted evaluations than evaluations")
            }
        }
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read \(Printable.text(path)): \(Printable.text(reason))\(reason.hasSuffix(".") ? "" : ".")\n"
                + "It must be an export: rerenderctl export -o FILE, or rerenderctl run --json -o FILE -- CMD")
    }
}

// Texts on the result of a command that apps carried out, on the drops of a daemon, and on gaps in the counts of apps.

/// What a command reports after it was sent to apps.
package enum CommandText {
    /// One line; throws status 1 when an app did not say in time that it had carried the command out.
    package static func done(_ what: String, _ report: CommandReport) throws -> String {
        let apps = Counted.text(report.sent, "process", "processes")
        guard report.confirmed == report.sent else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(report.sent - report.confirmed) of \(apps) did not confirm in time.\n"
                    + "A process that is stopped or hangs applies it when it continues. See: rerenderctl stats")
        }
        return "\(what) \(Counted.text(report.reached, "store")) in \(apps)"
    }

    /// What became of a pulse, in one line; throws status 1 where it was not carried out, or where nothing of it can be seen.
    ///
    /// - Parameter name: Of the store, as people read it.
    package static func pulsed(_ key: ViewKey, in store: StoreID, _ name: String, _ report: CommandReport) throws
        -> String
    {
        let key = key.displayName
        guard report.sent > 0, report.confirmed == report.sent else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(name) did not confirm in time that it pulsed \(key).\n"
                    + "It may be stopped, or its main loop may hang. See: rerenderctl stats")
        }
        guard report.reached > 0 else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(key) was not pulsed in \(name): \(noPulse(in: store))")
        }
        let all = Counted.text(report.instances, "instance")
        if report.answered == 0 { return "pulsed \(key) in \(name): \(Counted.text(report.reached, "handler")) ran" }
        guard report.shown > 0 else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                report.instances == 0
                    ? "\(key) was not pulsed in \(name): it has no instance any more."
                    : "\(key) was not pulsed in \(name): none of \(all) is on the screen.\n"
                        + "They are hidden, scrolled away, or in a window that is not shown.")
        }
        return report.shown == report.instances
            ? "pulsed \(key) in \(name): \(all)" : "pulsed \(key) in \(name): \(report.shown) of \(all)"
    }

    /// What became of a change of what is above windows, in one line; throws status 1 where nobody could carry it out.
    package static func overlaid(_ overlay: ScreenOverlay, isOn: Bool, _ report: CommandReport) throws -> String {
        guard report.confirmed == report.sent else { return try done("switched", report) }
        guard report.reached > 0 else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "No process has a window of GTK 4 that Rerender can draw in.\nStart the program with: rerenderctl run --inject -- PROGRAM"
            )
        }
        let (name, state) = (overlay == .hud ? "HUD" : "highlight", isOn ? "on" : "off")
        let apps = Counted.text(report.reached, "process", "processes")
        if overlay == .hud, isOn, report.shown < report.reached {
            return "the HUD is on in \(apps), and appears with the next window that is shown"
        }
        return "the \(name) is \(state) in \(apps)"
    }

    /// Why no view was highlighted though its app was told to.
    package static func noPulse(in store: StoreID) -> String {
        store.isInjected
            ? "where an injected view is shown is not known; of a program with GTK 4, the store widgets has what can be pulsed"
            : "the app sets no handler (store.onPulse)"
    }
}

extension HealthReport.Drops {
    /// Each cause with its number, the zeros left out.
    package var causes: [String] {
        let all: [(number: UInt64, noun: String, rest: String)] = [
            (connections, "connection", "over the limit"), (foreignPeers, "connection", "of another user"),
            (versions, "connection", "of another protocol version"), (malformed, "connection", "with invalid data"),
            (views, "view", "over the limit"), (stores, "store", "over the limit"),
            (totals, "total", "of an unknown view or an older epoch"),
            (flightPages, "flight page", "that could not be read"),
            (endedProcesses, "ended process", "forgotten early"),
        ]
        return all.filter { $0.number > 0 }.map { drop in
            let many = drop.noun.hasSuffix("s") ? drop.noun + "es" : nil
            return "\(Counted.text(drop.number, drop.noun, many)) \(drop.rest)"
        }
    }
}

extension HealthReport.Watchdog {
    /// How many long turns the watchdog could not examine; nil if there were none.
    package var unwatchedTurns: String? {
        let turns = missed.clampedSum(dropped)
        return turns == 0 ? nil : "\(Counted.text(turns, "long turn")) could not be watched for hangs"
    }
}

/// What apps say that may be missing from their counts.
package enum GapText {
    /// A sentence for each gap, with the store that has it; not yet fitted to a width. Safe to print.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        return stores.flatMap { store in
            (store.gaps ?? []).filter { $0 != ProcessStats.attached }
                .map { "\(labels.full(store)): \(Printable.text($0))" }
        }
    }
}
