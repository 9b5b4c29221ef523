// SPDX-License-Identifier: MIT
// Draws a state. Pure: equal states give equal screens.

import RerenderPresentation
import RerenderToolBase

extension TopModel {
    /// The height of the rows and the open detail.
    var bodyHeight: Int { max(1, size.lines - 3 - (warning == nil ? 0 : 1) - below.count) }

    /// What is said below the rows.
    private var below: [String] { [idle, notSeen].compactMap(\.self) }

    /// What goes on without input, where the screen is tall enough for a line about it.
    private var idle: String? {
        guard size.lines >= 12, let sample else { return nil }
        return IdleText.now(sample.stores, sample.at)
    }

    /// Views that are no rows, where the screen is tall enough for a line about them.
    fileprivate var notSeen: String? {
        guard size.lines >= 12, let sample else { return nil }
        let all = NotSeenText.lines(sample.stores)
        guard let first = all.first else { return nil }
        return all.count == 1 ? first : first + " (and \(all.count - 1) more: rerenderctl stats)"
    }

    /// What is missing from the numbers, where the screen is tall enough for a line about it.
    fileprivate var warning: String? {
        guard size.lines >= 12, let sample else { return nil }
        let all = StatsNotes(stores: sample.stores, health: sample.health, order: order).warnings.map(\.text)
        guard let first = all.first else { return nil }
        return all.count == 1 ? first : first + " (and \(all.count - 1) more: rerenderctl stats)"
    }

    /// The screen.
    package var frame: TopFrame {
        var frame = TopFrame(lines: [header])
        guard !isCollapsed, size.lines > 1 else { return finished(frame) }
        if showsHelp {
            frame.lines += TopHelp.lines(size, from: helpTop)
            return finished(frame)
        }
        if let warning { frame.lines.append(TopLine(warning, [.bad], size.columns)) }
        addBody(to: &frame)
        let below = below.map { TopLine($0, .dim, size.columns) }
        frame.lines = Array(frame.lines.prefix(max(1, size.lines - 1 - below.count)))
        while frame.lines.count < size.lines - 1 - below.count { frame.lines.append(TopLine(size.columns)) }
        frame.lines += below
        frame.lines.append(footer)
        return finished(frame)
    }

    private func finished(_ frame: TopFrame) -> TopFrame {
        var frame = frame
        frame.lines = frame.lines.prefix(size.lines).map { $0.shown(look) }
        return frame
    }

    private func addBody(to frame: inout TopFrame) {
        guard let sample, total > 0 else {
            frame.lines += notice.map { TopLine($0, .plain, size.columns) }
            return
        }
        let shown = (top..<min(total, top + bodyHeight)).compactMap { sample.row(at: $0) }
        let table = TopTable(shown, TopContext(self, rows: shown), width: size.columns)
        let titles = table.titles
        frame.targets[frame.lines.count] = titles.targets
        frame.lines.append(titles.line)
        addRows(to: &frame, table, sample)
    }

    private func addRows(to frame: inout TopFrame, _ table: TopTable, _ sample: TopSample) {
        let end = frame.lines.count + bodyHeight
        // Old numbers are not shown as if they were new.
        let isOld: Bool = if case .waiting = connection { true } else { false }
        var rank = top
        while frame.lines.count < end, rank < total {
            defer { rank += 1 }
            let everywhere = [(columns: 0..<size.columns, target: TopTarget.row(rank))]
            frame.targets[frame.lines.count] = everywhere
            guard let row = sample.row(at: rank) else {
                frame.lines.append(TopLine("  …", .dim, size.columns))
                continue
            }
            let line = table.line(row, isSelected: rank == selected)
            frame.lines.append(isOld && rank != selected ? line.styled(.dim) : line)
            guard TopRowID(row) == expanded else { continue }
            for line in openLines(room: end - frame.lines.count) {
                frame.targets[frame.lines.count] = everywhere
                frame.lines.append(line)
            }
        }
    }

    /// What is open, as much of it as there is room for, and how much there is besides.
    private func openLines(room: Int) -> [TopLine] {
        let all = detailLines
        guard all.count > room else { return all }
        guard room > 1 else { return Array(all.prefix(room)) }
        let from = max(0, min(detailTop, all.count - room + 1))
        let rest = all.count - from - (room - 1)
        let keys = rest > 0 ? "… \(Counted.text(rest, "more line")): PgDn" : "… PgUp for the lines above"
        var last = TopLine(size.columns)
        last.pad(to: 4)
        last.add(keys, .dim)
        return Array(all[from..<min(all.count, from + room - 1)]) + [last]
    }
}

/// The last line: a message, the typed filter, or the keys.
extension TopModel {
    private static let others: [(key: String, meaning: String)] = [
        ("q", "quit"), ("?", "help"), ("s", "sort"), ("/", "filter"), ("Space", "pause"),
        ("p", "pulse"),
        ("c", "copy"), ("x", "export"), ("r", "reset"), ("-", "collapse"),
    ]

    fileprivate var footer: TopLine {
        let width = size.columns
        if isTyping {
            var line = TopLine("Filter: ", .bold, width)
            let room = max(1, width - line.width - 1)
            // Keep the end of the text visible, where the user types.
            let text = Printable.text(filter)
            line.add(DisplayWidth.of(text) > room ? "…" + Self.tail(text, room - 1) : text)
            line.add(" ", .reverse)
            return line
        }
        if let message {
            return TopLine(message.text, message.isFault ? [.bad, .bold] : .bold, width)
        }
        if case .waiting(let reason, _) = connection, sample != nil {
            return TopLine("outdated rows: " + (reason.split(separator: "\n").first ?? ""), .bad, width)
        }
        return Self.line(hints, width)
    }

    /// The keys that matter most now, first.
    private var hints: [(key: String, meaning: String)] {
        let isOpen = expanded != nil && selectedRow.map(TopRowID.init) == expanded
        let isFiltered = !filter.isEmpty && expanded == nil
        return [("Enter", isOpen ? "close" : "why")] + (isFiltered ? [("Esc", "all rows")] : []) + Self.others
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

    /// Shown instead of rows if there are none.
    fileprivate var notice: [String] {
        notices.flatMap { line in
            line.hasPrefix(" ") || line.isEmpty ? [line] : Wrap.lines(line, width: size.columns)
        }
    }

    private var notices: [String] {
        if let sample, case .connected = connection {
            if !sample.query.filter.isEmpty {
                return ["No key contains \"\(Printable.text(sample.query.filter))\". Press Esc to show all."]
            }
            return sample.stores.isEmpty ? Guidance.noProcess(off: sample.off) : Guidance.noViews
        }
        guard case .waiting(let reason, _) = connection else { return [] }
        return reason.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}

/// The help.
enum TopHelp {
    private static let legend: [(key: String, meaning: String)] = [
        ("!", "it hung, wastes 1% of a core or 1 ms at a time, or is in a cycle; other rows are dim"),
        ("RATE TREND", "evaluations per second, now and recently; scaled to each row's maximum"),
        ("WASTED", "unnecessary evaluations; ~ only inferred; - none known"),
        ("WTIME", "self time that they took"),
        ("BODY", "average time in the body; marked from 500 µs, if P95 is as long"),
        ("SELF", "total time in its bodies, without those inside of them"),
        ("HANG", "the main loop hung in this view"),
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
