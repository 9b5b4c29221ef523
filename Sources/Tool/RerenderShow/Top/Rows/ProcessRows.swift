// SPDX-License-Identifier: MIT
// The tabs of processes and of hangs: a row for each store, and a row for each hang.

/// Makes a row of each store of each process.
enum ProcessRows {
    static func list(_ sample: TopSample, _ rates: RateHistory<String>, isLive: Bool) -> TopList {
        let columns = columns(sample, rates, isLive: isLive).filter(\.head.isShown)
        var list = TopList(columns: columns.map(\.head), items: sample.stores.map { item($0, columns, sample) })
        list.usual = (2, true)
        list.empty = sample.noStores
        return list
    }

    /// Names a store in the rates.
    static func id(_ store: ProcessStats) -> String {
        "\(store.pid)/\(store.startedAt.nanosecondsSince1970)/\(store.storeNumber)/\(store.store)"
    }

    private static func columns(
        _ sample: TopSample, _ rates: RateHistory<String>, isLive: Bool
    ) -> [Column<ProcessStats>] {
        let labels = StoreLabels(sample.stores)
        let longest = DurationScale(sample.stores.map(\.hangs.worstNanoseconds))
        return [
            Column(.init("PROCESS", 0, .essential, text: (10, 20, 32))) { .text(labels.full($0), .bold) },
            Column(.init("STATE", 4, .useful, least: 9, isNumber: false)) {
                .text($0.connected ? "connected" : "ended")
            },
            Column(.init("EVALS", 1, .essential, least: 6)) {
                .number(String($0.evaluations), Double($0.evaluations))
            },
            Column(.init("RATE", 3, .useful, least: 6, isShown: isLive)) {
                let rate = rates.paces(of: id($0)).last?.all
                return .number(RateText.cell(rate), rate ?? -1)
            },
            Column(.init("HANGS", 2, .essential, least: 5)) { .count($0.hangs.count, hung($0)) },
            Column(.init("LONGEST", 5, .useful, least: 6)) {
                .duration($0.hangs.worstNanoseconds, in: longest, hung($0))
            },
            Column(.init("MICRO", 8, .extra, least: 5)) { .count($0.microHangs) },
            Column(.init("CYCLES", 7, .extra, least: 6)) { .count(cycles($0), cycles($0) > 0 ? .notice : .plain) },
            Column(.init("LOST", 6, .useful, least: 4)) { .count(missing($0), missing($0) > 0 ? .bad : .plain) },
            Column(.init("LOOP", 9, .extra, text: (4, 9, 9))) {
                .text($0.mainLoop == .none ? "-" : $0.mainLoop.rawValue)
            },
            Column(.init("SEEN", 10, .extra, least: 4)) { store in
                let last = store.lastRenderedAt.map { Double(sample.at.nanoseconds(since: $0)) } ?? .infinity
                return .number(AgoText.cell(store.lastRenderedAt, now: sample.at), last)
            },
        ]
    }

    private static func hung(_ store: ProcessStats) -> Style { store.hangs.count > 0 ? .bad : .plain }
    private static func cycles(_ store: ProcessStats) -> UInt64 { UInt64(store.cycles?.count ?? 0) }
    private static func missing(_ store: ProcessStats) -> UInt64 { store.lost.clampedSum(store.dropped) }

    private static func item(
        _ store: ProcessStats, _ columns: [Column<ProcessStats>], _ sample: TopSample
    ) -> TopItem {
        let isBad = store.hangs.count > 0 || missing(store) > 0
        return TopItem(
            id: id(store), cells: columns.map { $0.cell(store) },
            mark: isBad ? .bad : cycles(store) > 0 ? .notice : nil, blocks: blocks(store, sample))
    }

    private static func blocks(_ store: ProcessStats, _ sample: TopSample) -> [TopBlock] {
        // What the daemon dropped is of no one process.
        let notes = StatsNotes(stores: [store], health: nil, order: .count).lines.map(\.text)
        let hangs = store.hangs
        let counted =
            hangs.count == 0
            ? []
            : [
                "\(Counted.text(hangs.count, "hang")), \(DurationText.short(hangs.totalNanoseconds)) in all, the longest "
                    + "\(DurationText.short(hangs.worstNanoseconds)), "
                    + "\(store.hangsOfNoView?.count ?? 0) of them blamed on no view"
            ]
        let latest = sample.hangs.filter { $0.pid == store.pid }.prefix(3).map {
            HangText(hang: $0, now: sample.at).headline.text
        }
        let cycles = (store.cycles ?? []).map { $0.summary }
        let threshold =
            "a turn of the main loop is a hang from \(store.hangThresholdMilliseconds) ms on, "
            + "a micro-hang from \(store.microHangThresholdMilliseconds) ms on"
        return [
            TopBlock("state", texts: notes), TopBlock("hangs", texts: counted + latest + [threshold]),
            TopBlock("cycle", texts: cycles), TopBlock("else", texts: NotSeenText.lines([store])),
        ]
    }
}

enum HangRows {
    static func list(_ sample: TopSample, now: Timestamp) -> TopList {
        let columns = columns(DurationScale(sample.hangs.map(\.durationNanoseconds)))
        let hangs = sample.hangs.map { HangText(hang: $0, now: now) }
        var list = TopList(columns: columns.map(\.head), items: hangs.map { item($0, columns) })
        list.empty = [sample.hangsFault ?? "No hang was seen."]
        if sample.hangs.count >= TopQuery.mostHangs {
            list.note = "the newest \(TopQuery.mostHangs) hangs; all of them: rerenderctl hangs --limit 1000"
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

// Places in sources that a text names, such as `Shop/Cart.swift:12`.

/// A file as its module names it, and a line.
struct SourcePlace: Hashable, Sendable {
    let file: String
    let line: UInt32

    /// What every such place has in it.
    private static let mark = ".swift:"

    init(file: String, line: UInt32) { (self.file, self.line) = (file, line) }

    /// Reads a word; nil where it is no place. Brackets and marks of a sentence around it do not matter.
    init?(word: some StringProtocol) {
        let around: Set<Character> = ["(", ")", "[", "]", ",", ".", ";", ":"]
        let trimmed = word.drop { around.contains($0) }
        guard let colon = trimmed.lastIndex(of: ":"), trimmed[...colon].hasSuffix(Self.mark) else { return nil }
        let digits = trimmed[trimmed.index(after: colon)...].prefix { $0.isASCII && $0.isNumber }
        let rest = trimmed[digits.endIndex...]
        guard let line = UInt32(digits), rest.allSatisfy(around.contains) else { return nil }
        self.init(file: String(trimmed[..<colon]), line: line)
    }

    /// The last place that a text names.
    static func last(in text: String) -> SourcePlace? {
        text.split(separator: " ").reversed().lazy.compactMap { SourcePlace(word: $0) }.first
    }
}
