// SPDX-License-Identifier: MIT
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
