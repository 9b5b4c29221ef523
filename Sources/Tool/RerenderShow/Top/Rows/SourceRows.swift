// SPDX-License-Identifier: MIT
// The tab of sources and handlers: what main loops call.

/// Makes a row of each source and handler of main loops.
enum SourceRows {
    static func list(_ sample: TopSample) -> TopList {
        let rows = SourceRow.all(sample.stores)
        let columns = LoopRowTable(rows).columns.filter(\.head.isShown)
        var list = TopList(columns: columns.map(\.head), items: rows.map { item($0, columns) })
        list.usual = (columns.firstIndex { $0.head.title == "CORE" } ?? 0, true)
        list.empty = ["No source and no handler is known: no main loop told of one."]
        list.note = LoopNotes.lines(sample.stores).first
        return list
    }

    private static func item(_ row: SourceRow, _ columns: [Column<SourceRow>]) -> TopItem {
        let numbers = row.row.numbers
        let isSampled = row.row.kind == .sampled
        let turns = numbers.turns > 0 ? " in \(Counted.text(numbers.turns, "turn"))" : ""
        let calls = [
            isSampled ? "not known, in \(row.row.samples)" : Counted.text(numbers.count, "call") + turns,
            numbers.interval > 0 ? "every \(DurationText.short(numbers.interval))" : nil,
            numbers.descriptor > 0 ? "for descriptor \(numbers.descriptor - 1)" : nil,
            numbers.unread > 0 ? "after \(Counted.grouped(numbers.unread)) of these nothing had been read" : nil,
            numbers.polls > 0 && !isSampled ? "it kept \(Counted.text(numbers.polls, "poll")) from waiting" : nil,
        ].compactMap(\.self)
        let sign = numbers.isShared == 0 ? "" : "~"
        let (wall, longest) = (DurationText.short(numbers.wall), DurationText.short(numbers.longest))
        let processor = "\(sign)\(DurationText.short(numbers.processor)) of processor time"
        let times =
            switch row.row.kind {
            case .wakeup: "not measured"
            case .sampled: processor
            default: "\(processor), \(wall) by the clock, the longest \(longest)"
            }
        let process = "\(Printable.text(row.store.name))[\(row.store.pid)]"
        return TopItem(
            id: "\(ProcessRows.id(row.store))/source/\(row.number)", cells: columns.map { $0.cell(row) },
            mark: (row.share?.percent ?? 0) >= 1 ? .notice : nil,
            blocks: [
                TopBlock("what", texts: [row.row.words]), TopBlock("calls", texts: [calls.joined(separator: ", ")]),
                TopBlock("time", texts: [times]),
                TopBlock("in", texts: [row.row.thread.map { "\(process), thread \(Printable.text($0))" } ?? process]),
            ], place: SourcePlace.last(in: row.row.function))
    }
}
