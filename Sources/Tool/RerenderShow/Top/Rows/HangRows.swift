// SPDX-License-Identifier: MIT
// The tab of hangs.

/// Makes a row of each hang.
enum HangRows {
    static func list(_ sample: TopSample, now: Timestamp) -> TopList {
        let columns = columns(DurationScale(sample.hangs.map(\.durationNanoseconds)))
        let hangs = sample.hangs.map { HangText(hang: $0, now: now) }
        var list = TopList(columns: columns.map(\.head), items: hangs.map { item($0, columns) })
        list.empty = [sample.hangsFault ?? "No hang was seen."]
        if sample.hangs.count >= TopQuery.mostHangs {
            list.note = "the newest \(TopQuery.mostHangs) hangs; all of them: rerenderctl hangs"
        }
        return list
    }

    private static func columns(_ lengths: DurationScale) -> [Column<HangText>] {
        [
            Column(.init("WHEN", 1, .essential, text: (8, 12, 19))) {
                .number(LocalTime.text($0.hang.startedAt, now: $0.now), Double($0.hang.startedAtNanoseconds))
            },
            Column(.init("LENGTH", 0, .essential, least: 6)) {
                let (length, isOpen) = ($0.hang.durationNanoseconds, $0.hang.open)
                return .number(
                    lengths.text(length) + (isOpen ? "…" : ""), Double(length), isOpen ? [.bad, .bold] : .bold)
            },
            Column(.init("BLAMED", 2, .essential, text: (9, 20, 40))) {
                .text($0.blamed ?? "no view", $0.blamed == nil ? .plain : .bold)
            },
            Column(.init("BY", 5, .useful, text: (7, 14, 20))) { .text($0.blamed == nil ? "-" : $0.attribution) },
            Column(.init("THREAD", 3, .useful, text: (7, 16, 40))) {
                $0.hang.open ? .text($0.verdict + ", GOING ON", [.bad, .bold]) : .text($0.verdict)
            },
            Column(.init("PROCESS", 4, .useful, text: (8, 14, 24))) {
                .text("\(Printable.text($0.hang.process))[\($0.hang.pid)]", .dim)
            },
        ]
    }

    private static func item(_ text: HangText, _ columns: [Column<HangText>]) -> TopItem {
        let hang = text.hang
        let frames = hang.stacks.first?.frames ?? []
        return TopItem(
            id: "\(hang.pid)/\(hang.id)/\(hang.startedAtNanoseconds)", cells: columns.map { $0.cell(text) },
            mark: hang.counts ? .bad : nil, blocks: [TopBlock("hang", texts: text.lines.map(\.text))],
            place: frames.lazy.compactMap { SourcePlace.last(in: $0) }.first)
    }
}
