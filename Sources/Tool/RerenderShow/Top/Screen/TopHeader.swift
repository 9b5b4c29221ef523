// SPDX-License-Identifier: MIT
// The title line: the connection, the verdict, missing data, and the cost of `top`.

/// A part of the title line, in words that take less and less room.
struct TopPiece: Hashable, Sendable {
    /// Lower ones are the first to get room.
    let rank: Int
    /// The longest first.
    let texts: [String]
    var style = Style.plain

    /// Blanks between two parts.
    private static let gap = 2

    /// The parts that fit into a width, in their order: first as many as there is room for at their shortest, then as long as
    /// there is room for.
    static func line(_ pieces: [TopPiece], width: Int) -> TopLine {
        var chosen: [Int: String] = [:]
        var left = width + gap
        let byRank = pieces.indices.sorted { pieces[$0].rank < pieces[$1].rank }
        for index in byRank {
            guard let shortest = pieces[index].texts.last else { continue }
            let needed = DisplayWidth.of(shortest) + gap
            // The first is cut rather than left out.
            guard needed <= left || chosen.isEmpty else { continue }
            chosen[index] = shortest
            left -= needed
        }
        for index in byRank {
            guard let now = chosen[index] else { continue }
            let taken = DisplayWidth.of(now)
            guard let longest = pieces[index].texts.first(where: { DisplayWidth.of($0) - taken <= left }) else {
                continue
            }
            left -= DisplayWidth.of(longest) - taken
            chosen[index] = longest
        }
        var line = TopLine(width)
        for index in pieces.indices {
            guard let text = chosen[index] else { continue }
            if line.width > 0 { line.add("  ") }
            line.add(text, pieces[index].style)
        }
        return line
    }
}

/// The title line of a state.
extension TopModel {
    var header: TopLine {
        // Without a line of tabs, the title says which one it is.
        let isTab = size.lines < 14 && tab != .views
        let names = isTab ? [tab.titles(of: sample?.stores ?? []).long] : ["rerender top", "top"]
        let title = TopPiece(rank: isTab ? 1 : 6, texts: names, style: .bold)
        let pieces = [title, state, since, paused, hang, verdict, processes, views, drops, ownCost]
        return TopPiece.line(pieces.compactMap(\.self), width: size.columns)
    }

    private var state: TopPiece {
        if let saved {
            return TopPiece(rank: 0, texts: ["not live: \(saved)", "not live"], style: .bold)
        }
        switch connection {
        case .ended(let since):
            let time = AgoText.cell(since, now: now)
            let who = endedName
            return TopPiece(
                rank: 0, texts: ["\(who) ended \(time) ago", "\(who) ended", "ended"], style: [.notice, .bold])
        case .connecting: return TopPiece(rank: 0, texts: ["connecting to the daemon", "connecting"])
        case .waiting(_, let since):
            let time = AgoText.cell(since, now: now)
            return TopPiece(
                rank: 0, texts: ["NO DAEMON for \(time), waiting for it", "NO DAEMON \(time)"], style: [.bad, .bold])
        case .connected:
            guard let silence else { return TopPiece(rank: 0, texts: ["connected"]) }
            let time = "\(silence / 1_000_000_000)s"
            return TopPiece(
                rank: 0, texts: ["the daemon is silent for \(time)", "SILENT \(time)"], style: [.notice, .bold])
        }
    }

    /// The processes of a command that ended.
    private var endedName: String {
        var names: [String] = []
        for store in latest?.stores ?? [] where !names.contains(store.name) { names.append(store.name) }
        guard let first = names.first else { return "the command" }
        return Printable.text(first) + (names.count > 1 ? " and \(Counted.text(names.count - 1, "other"))" : "")
    }

    private var since: TopPiece? {
        guard let baseline else { return nil }
        let time = LocalTime.text(baseline.at, now: now)
        return TopPiece(
            rank: 1, texts: ["counted since \(time) (u: all)", "since \(time)", "since r"], style: [.notice, .bold])
    }

    private var paused: TopPiece? {
        guard isPaused else { return nil }
        return TopPiece(rank: 1, texts: ["PAUSED (Space to continue)", "PAUSED"], style: [.notice, .bold])
    }

    private var hang: TopPiece? {
        guard connection == .connected, let hang = sample?.hangs.first(where: \.open) else { return nil }
        let time = DurationText.short(hang.durationNanoseconds)
        let guess = hang.guess ? "~" : ""
        let name = hang.blamedName.map { guess + $0 } ?? "no view"
        let process = "\(Printable.text(hang.process))[\(hang.pid)]"
        return TopPiece(
            rank: 1, texts: ["HANG \(time) in \(process): \(name)", "HANG \(time) \(name)", "HANG \(time)"],
            style: [.bad, .bold])
    }

    private var processes: TopPiece? {
        guard let stores = sample?.stores else { return nil }
        let processes = Dictionary(grouping: stores, by: \.pid).values
        let connected = processes.count { $0.contains(where: \.connected) }
        let ended = processes.count - connected
        let text = Counted.text(connected, "process", "processes")
        guard isLive else {
            return TopPiece(
                rank: 5, texts: [Counted.text(processes.count, "process", "processes"), "\(processes.count)p"])
        }
        if case .ended = connection { return nil }
        return TopPiece(
            rank: 5, texts: ended == 0 ? [text, "\(connected)p"] : [text + ", \(ended) ended", "\(connected)p"])
    }

    private var views: TopPiece? {
        guard tab == .views, let sample else { return nil }
        let noun = StoreWords(sample.stores).noun
        guard sample.query.filter.isEmpty else {
            let filter = Printable.text(sample.query.filter)
            let text = "\(Counted.text(sample.total, noun)) with \"\(filter)\""
            return TopPiece(rank: 2, texts: [text, "/" + Fit.end(filter, 8)], style: .bold)
        }
        return TopPiece(rank: 7, texts: [Counted.text(sample.total, noun)])
    }

    /// Evaluations that are in no row, and what the daemon refused.
    private var drops: TopPiece? {
        guard let sample else { return nil }
        if sample.missing > 0 {
            let number = Counted.grouped(sample.missing)
            let events = StoreWords(sample.stores).events(sample.missing)
            return TopPiece(
                rank: 1, texts: ["\(events) lost or dropped", "\(number) dropped"],
                style: [.bad, .bold])
        }
        if let health = sample.health, !health.dropped.causes.isEmpty {
            return TopPiece(rank: 1, texts: ["the daemon dropped data", "drops!"], style: .bad)
        }
        if let turns = sample.health?.watchdog.unwatchedTurns {
            return TopPiece(rank: 1, texts: [turns, "hangs missed?"], style: .bad)
        }
        guard gaps.isEmpty else { return TopPiece(rank: 1, texts: ["data is missing", "gaps!"], style: .bad) }
        // What was saved does not always tell.
        guard isLive || sample.health != nil else { return nil }
        return TopPiece(rank: 4, texts: ["nothing dropped", "0 dropped"])
    }

    private var ownCost: TopPiece? {
        guard let cost else { return nil }
        let share = PercentOfCore.text(cost)
        return TopPiece(rank: 3, texts: ["top uses \(share) of a core", "top \(share)"], style: .dim)
    }

    /// What costs most. A hang that goes on takes its place, and that there is nothing is not said where data is missing.
    private var verdict: TopPiece? {
        guard hang == nil, let sample, let finding = sample.verdict?.first else { return nil }
        guard finding.kind.isMarked || sample.missing == 0 else { return nil }
        let mark = finding.kind.mark
        let short = mark + finding.short
        let place = finding.kind.isMarked ? finding.place.map { short + ": " + PathName.last(of: $0) } : nil
        // What is to be changed says more than how many views there are.
        let isPlaced = place.map { DisplayWidth.of($0) <= size.columns * 3 / 5 } ?? false
        let texts = [mark + MangledNames.readable(finding.text), place, isPlaced ? nil : short].compactMap(\.self)
        return TopPiece(rank: 2, texts: texts, style: finding.kind.style)
    }
}

// The last line, with a question, typed text, a message, or the keys; and the help.

extension TopModel {
    private static let others: [(key: String, meaning: String)] = [
        ("q", "quit"), ("?", "help"), ("← →", "sort"), ("/", "filter"), ("Tab", "next tab"), ("Space", "pause"),
        ("e", "edit"), ("p", "pulse"), ("x", "export"), ("r", "count anew"), ("-", "collapse"),
    ]
    /// Those that make no sense for what was saved.
    private static let live: Set<String> = ["Space", "p", "r"]

    var footer: TopLine {
        let width = size.columns
        switch mode {
        case .typing: return typed
        case .asking: return question
        case .rows, .help: break
        }
        if let message {
            return TopLine(message.text, message.isFault ? [.bad, .bold] : .bold, width)
        }
        if sample != nil {
            switch connection {
            case .waiting(let reason, _):
                return TopLine("outdated rows: " + (reason.split(separator: "\n").first ?? ""), .bad, width)
            case .ended:
                return TopLine("the last numbers; all of the run: rerenderctl stats last   q quit", .bold, width)
            case .connecting, .connected: break
            }
        }
        return Self.line(hints, width)
    }

    private var typed: TopLine {
        var line = TopLine("Filter: ", .bold, size.columns)
        let room = max(1, size.columns - line.width - 1)
        // Keep the end of the text visible, where the user types.
        let text = Printable.text(filter)
        line.add(DisplayWidth.of(text) > room ? "…" + Self.tail(text, room - 1) : text)
        line.add(" ", .reverse)
        return line
    }

    private var question: TopLine {
        let texts = [
            "Count from now on, in this top alone? y yes, any other key no. For everybody: rerenderctl reset",
            "Count from now on, in this top alone? y yes, any other key no", "Count from now on? y yes, else no",
        ]
        let text = texts.first { DisplayWidth.of($0) <= size.columns } ?? texts[2]
        return TopLine(text, [.notice, .bold], size.columns)
    }

    /// The keys that matter most now, first.
    private var hints: [(key: String, meaning: String)] {
        let isClosing = tab == .views ? isSelectedOpen : isOpen
        let isFiltered = !filter.isEmpty && !isOpen
        let undo = baseline == nil ? [] : [("u", "all counts")]
        let others = Self.others.filter {
            (isLive || !Self.live.contains($0.key)) && ($0.key != "r" || baseline == nil)
        }
        return [("Enter", isClosing ? "close" : "why")] + (isFiltered ? [("Esc", "all rows")] : []) + undo + others
    }

    private static func tail(_ text: String, _ width: Int) -> String {
        var tail = text
        while DisplayWidth.of(tail) > max(0, width) { tail.removeFirst() }
        return tail
    }

    private static func line(_ hints: [(key: String, meaning: String)], _ width: Int) -> TopLine {
        var line = TopLine(width)
        for hint in hints {
            let needed = hint.key.count + hint.meaning.count + 1 + (line.width == 0 ? 0 : 2)
            guard line.width + needed <= width else { continue }
            if line.width > 0 { line.add("  ") }
            line.add(hint.key, .bold)
            line.add(" " + hint.meaning, .dim)
        }
        return line
    }
}

enum TopHelp {
    private static let legend: [(key: String, meaning: String)] = [
        ("!", "it hung, wastes 1% of a core, takes as much as a source, or is in a cycle; other rows are dim"),
        ("RATE", "evaluations per second, now"),
        ("TREND", "the same recently, all rows on one scale; orange or bold where most were wasted"),
        ("WASTED", "unnecessary evaluations; ~ only inferred; - none known"),
        ("WTIME", "self time that they took"),
        ("BODY", "average time in the body, of widgets DRAW; marked from 500 µs, if P95 is as long"),
        ("SELF", "total time in its bodies, without those inside of them"),
        ("HANG", "the main loop hung in this view"),
        ("EVALS", "evaluations of a process, or that followed the writes of a writer"),
        ("CORE", "the part of a core that it takes: processor time; ~ shared out by the clock"),
        ("SOURCE", "a function that a main loop calls: a timer, an idle function, a handler"),
        ("WHY", "the most frequent reason and ← its writer; ~ found by comparing values, or guessed"),
    ]

    /// All of it for a width.
    static func all(_ width: Int) -> [TopLine] {
        let entries = TopModel.keys + [("", "")] + legend
        let column = min(12, max(6, width / 3))
        return entries.flatMap { entry -> [TopLine] in
            Wrap.lines(entry.meaning, width: max(8, width - column), indent: 0).enumerated().map { number, text in
                var line = TopLine(width)
                if number == 0 { line.add(entry.key, .bold) }
                line.pad(to: column)
                line.add(text)
                return line
            }
        }
    }

    /// As much as the screen has room for below the title line.
    static func lines(_ size: TerminalSize, from start: Int) -> [TopLine] {
        let all = all(size.columns)
        let room = max(1, size.lines - 2)
        let first = max(0, min(start, all.count - room))
        let shown = Array(all[first..<min(all.count, first + room)])
        let filled = shown + Array(repeating: TopLine(size.columns), count: max(0, room - shown.count))
        let more = all.count > room ? "Up and Down to scroll, any other key to close" : "Press any key to close"
        return filled + [TopLine(more, .bold, size.columns)]
    }

    /// How far it can be scrolled.
    static func last(_ size: TerminalSize) -> Int { max(0, all(size.columns).count - max(1, size.lines - 2)) }
}
