// SPDX-License-Identifier: MIT
// The help: keys and columns.

/// The help.
enum TopHelp {
    private static let legend: [(key: String, meaning: String)] = [
        ("!", "it hung, wastes 1% of a core or 1 ms at a time, or is in a cycle; other rows are dim"),
        ("RATE", "evaluations per second, now"),
        ("TREND", "the same recently, all rows on one scale; orange or bold where most were wasted"),
        ("WASTED", "unnecessary evaluations; ~ only inferred; - none known"),
        ("WTIME", "self time that they took"),
        ("BODY", "average time in the body; marked from 500 µs, if P95 is as long"),
        ("SELF", "total time in its bodies, without those inside of them"),
        ("HANG", "the main loop hung in this view"),
        ("EVALS", "evaluations of a process, or that followed the writes of a writer"),
        ("CORE", "the part of a core that it takes"),
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
