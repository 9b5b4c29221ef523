// SPDX-License-Identifier: MIT
// The tab of hangs.

import RerenderPresentation
import RerenderToolBase

/// Makes a row of each hang.
enum HangRows {
    static func list(_ sample: TopSample, now: Timestamp) -> TopList {
        let lengths = DurationScale(sample.hangs.map(\.durationNanoseconds))
        var list = TopList(columns: columns, items: sample.hangs.map { item($0, lengths, now) })
        list.empty = [sample.hangsFault ?? "No hang was seen."]
        if sample.hangs.count >= TopQuery.mostHangs {
            list.note = "the newest \(TopQuery.mostHangs) hangs; all of them: rerenderctl hangs"
        }
        return list
    }

    private static let columns = [
        TopColumn(title: "WHEN", rank: 1, need: .essential, text: (8, 12, 19), isNumber: false),
        TopColumn(title: "LENGTH", rank: 0, need: .essential, least: 6),
        TopColumn(title: "BLAMED", rank: 2, need: .essential, text: (9, 20, 40), isNumber: false),
        TopColumn(title: "BY", rank: 5, need: .useful, text: (7, 14, 20), isNumber: false),
        TopColumn(title: "THREAD", rank: 3, need: .useful, text: (7, 16, 40), isNumber: false),
        TopColumn(title: "PROCESS", rank: 4, need: .useful, text: (8, 14, 24), isNumber: false),
    ]

    private static func item(_ hang: Hang, _ lengths: DurationScale, _ now: Timestamp) -> TopItem {
        let text = HangText(hang: hang, now: now)
        let style: Style = hang.open ? [.bad, .bold] : .plain
        let length = lengths.text(hang.durationNanoseconds) + (hang.open ? "…" : "")
        let cells = [
            TopCell.number(LocalTime.text(hang.startedAt, now: now), Double(hang.startedAtNanoseconds)),
            .number(length, Double(hang.durationNanoseconds), hang.open ? style : .bold),
            .text(text.blamed ?? "no view", text.blamed == nil ? .plain : .bold),
            .text(text.blamed == nil ? "-" : text.attribution),
            .text(text.verdict + (hang.open ? ", GOING ON" : ""), style),
            .text("\(Printable.text(hang.process))[\(hang.pid)]", .dim),
        ]
        let frames = hang.stacks.first?.frames ?? []
        return TopItem(
            id: "\(hang.pid)/\(hang.id)/\(hang.startedAtNanoseconds)", cells: cells, mark: hang.counts ? .bad : nil,
            blocks: [TopBlock("hang", texts: text.lines.map(\.text))],
            place: frames.lazy.compactMap { SourcePlace.last(in: $0) }.first)
    }
}
