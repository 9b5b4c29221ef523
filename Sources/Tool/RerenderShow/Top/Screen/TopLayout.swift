// SPDX-License-Identifier: MIT
// Draws a state. Pure: equal states give equal screens.

extension TopModel {
    /// From this height on there is a line with the tabs.
    private static let tabsFrom = 14
    /// From this height on what is open has a pane of its own, and the last hangs are shown.
    private static let paneFrom = 32
    private static let shownHangs = 3

    /// The screen.
    package var frame: TopFrame {
        var frame = TopFrame(lines: [header])
        guard !isCollapsed, size.lines > 1 else { return finished(frame) }
        if mode == .help {
            frame.lines += TopHelp.lines(size, from: helpTop)
            return finished(frame)
        }
        addTabs(to: &frame)
        if let warning { frame.lines.append(TopLine(warning, [.bad], size.columns)) }
        addBody(to: &frame)
        addPane(to: &frame)
        let below = below
        frame.lines = Array(frame.lines.prefix(max(1, size.lines - 1 - below.count)))
        while frame.lines.count < size.lines - 1 - below.count { frame.lines.append(TopLine(size.columns)) }
        frame.lines += below
        frame.lines.append(footer)
        return finished(frame)
    }

    private func finished(_ frame: TopFrame) -> TopFrame {
        var frame = frame
        frame.lines = frame.lines.prefix(size.lines).map(\.shown)
        return frame
    }

    // MARK: Heights

    var hasPane: Bool { size.lines >= Self.paneFrom }

    /// The height of the rows, and of what is open below them or below its row.
    var room: Int {
        let fixed = 3 + (size.lines >= Self.tabsFrom ? 1 : 0) + (warning == nil ? 0 : 1)
        return max(1, size.lines - fixed - below.count)
    }

    /// The height of the rows; where there is no pane, with what is open below its row.
    var bodyHeight: Int {
        // The pane has half of the room, and what the rows leave.
        hasPane && isOpen ? max(1, min(max(3, total), room - room / 2)) : room
    }

    /// The lines that what is open may take, the one that says how much there is besides included.
    var detailRoom: Int { max(1, hasPane ? room - bodyHeight - 1 : bodyHeight - 1) }

    // MARK: Lines around the rows

    private func addTabs(to frame: inout TopFrame) {
        guard size.lines >= Self.tabsFrom else { return }
        var line = TopLine(size.columns)
        for (tab, title) in zip(TopTab.allCases, tabTitles) {
            line.add(title, tab == self.tab ? [.bold, .reverse] : .dim)
            if size.columns >= 60 { line.add(" ") }
        }
        frame.lines.append(line)
    }

    /// As long as there is room for.
    private var tabTitles: [String] {
        let stores = sample?.stores ?? []
        let tabs = TopTab.allCases.map { (tab: $0, titles: $0.titles(of: stores)) }
        let counts = TopTab.allCases.map { count(of: $0).map { " \($0)" } ?? "" }
        let forms = [
            zip(tabs, counts).map { " \($0.tab.rawValue) \($0.titles.long)\($1) " },
            zip(tabs, counts).map { " \($0.tab.rawValue) \($0.titles.medium)\($1) " },
            tabs.map { " \($0.tab.rawValue) \($0.titles.medium) " },
            tabs.map { "\($0.tab.rawValue)\($0.titles.short) " },
        ]
        return forms.first { $0.reduce($0.count - 1) { $0 + $1.count } <= size.columns } ?? forms[3]
    }

    /// How many rows a tab has, where that is known without asking.
    private func count(of tab: TopTab) -> UInt64? {
        guard let stores = sample?.stores else { return nil }
        let count: UInt64 =
            switch tab {
            case .views: UInt64(max(0, viewSample?.total ?? 0))
            case .hangs: stores.reduce(0) { $0.clampedSum($1.hangs.count) }
            case .processes: UInt64(stores.count)
            case .writers: 0
            case .cycles: stores.reduce(0) { $0 + UInt64(($1.cycles?.count ?? 0) + ($1.idleWork?.count ?? 0)) }
            case .sources: stores.reduce(0) { $0 + UInt64($1.loop?.rows.count(where: \.isTold) ?? 0) }
            }
        return count == 0 ? nil : count
    }

    /// What is said below the rows.
    private var below: [TopLine] {
        guard size.lines >= 12 else { return [] }
        let note = tab == .views ? nil : list.note
        let folded = tab == .views ? sample?.folded : nil
        let idle = tab == .cycles ? nil : sample?.remarks.idle
        let texts = [note, folded, idle, sample?.remarks.notSeen].compactMap(\.self)
        return lastHangs + texts.map { TopLine($0, .dim, size.columns) }
    }

    /// The last hangs, where there is room for them.
    private var lastHangs: [TopLine] {
        guard hasPane, tab != .hangs, let hangs = sample?.hangs, !hangs.isEmpty else { return [] }
        return hangs.prefix(Self.shownHangs).enumerated().map { number, hang in
            var line = TopLine(number == 0 ? "last hangs  " : "            ", .dim, size.columns)
            let headline = HangText(hang: hang, now: dataTime).headline
            line.add(headline.text, hang.open ? headline.style : .plain)
            return line
        }
    }

    /// What is missing from the numbers, where the screen is tall enough for a line about it.
    private var warning: String? { size.lines >= 12 ? sample?.remarks.warning : nil }

    // MARK: Rows

    private func addBody(to frame: inout TopFrame) {
        guard sample != nil, total > 0 else {
            frame.lines += notice.map { TopLine($0, .plain, size.columns) }
            return
        }
        let ranks = firstRank..<max(firstRank, min(total, firstRank + bodyHeight))
        let (columns, items) = rows(ranks)
        let table = TopTable(columns, items.compactMap(\.self), width: size.columns)
        frame.lines.append(table.titles)
        addRows(to: &frame, table, zip(ranks, items).map { ($0, $1) })
    }

    /// The columns and rows of some ranks; nil for a row that is not known yet.
    private func rows(_ ranks: Range<Int>) -> (columns: [ColumnHead], items: [TopItem?]) {
        guard tab == .views, let sample else {
            return (list.columns, ranks.map { list.items.indices.contains($0) ? list.items[$0] : nil })
        }
        let rows = ranks.map { sample.row(at: $0) }
        let views = ViewRows(
            rows.compactMap(\.self), of: sample, rates: isLive ? rates : nil, now: dataTime)
        return (views.columns, rows.map { $0.map { views.item($0) } })
    }

    private func addRows(to frame: inout TopFrame, _ table: TopTable, _ rows: [(rank: Int, item: TopItem?)]) {
        let end = frame.lines.count + bodyHeight
        // Old numbers are not shown as if they were new.
        let isOld: Bool = if case .waiting = connection { true } else { false }
        for (rank, item) in rows {
            guard frame.lines.count < end else { return }
            guard let item else {
                frame.lines.append(TopLine("  …", .dim, size.columns))
                continue
            }
            let isSelected = rank == selectedRank
            let line = table.line(item, isSelected: isSelected)
            frame.lines.append(isOld && !isSelected ? line.styled(.dim) : line)
            guard !hasPane, isOpen(rank) else { continue }
            frame.lines += openLines(room: end - frame.lines.count)
        }
    }

    private func isOpen(_ rank: Int) -> Bool {
        guard tab == .views else { return listState.isOpen && rank == listState.selected }
        return expanded != nil && sample?.row(at: rank).map(TopRowID.init) == expanded
    }

    /// What is open, as much of it as there is room for, and how much there is besides.
    private func openLines(room: Int) -> [TopLine] {
        let all = detailLines
        guard all.count > room else { return all }
        guard room > 1 else { return Array(all.prefix(max(0, room))) }
        let from = max(0, min(detailTop, all.count - room + 1))
        let rest = all.count - from - (room - 1)
        let keys = rest > 0 ? "… \(Counted.text(rest, "more line")): PgDn" : "… PgUp for the lines above"
        var last = TopLine(size.columns)
        last.pad(to: 4)
        last.add(keys, .dim)
        return Array(all[from..<min(all.count, from + room - 1)]) + [last]
    }

    /// What is open, below the rows.
    private func addPane(to frame: inout TopFrame) {
        guard hasPane, isOpen else { return }
        var title = TopLine(size.columns)
        title.add("── ", .dim)
        title.add(openTitle, .bold)
        title.add(" " + String(repeating: "─", count: max(0, size.columns - title.width - 1)), .dim)
        frame.lines.append(title)
        frame.lines += openLines(room: detailRoom)
    }

    /// Shown instead of rows if there are none.
    private var notice: [String] {
        notices.flatMap { line in
            line.hasPrefix(" ") || line.isEmpty ? [line] : Wrap.lines(line, width: size.columns)
        }
    }

    private var notices: [String] {
        if let sample, connection == .connected {
            if !filter.isEmpty {
                let what = tab == .views ? "No key contains" : "Nothing contains"
                return ["\(what) \"\(Printable.text(filter))\". Press Esc to show all."]
            }
            if baseline != nil { return ["Nothing was counted since r. Press u to show all counts again."] }
            if tab != .views { return list.empty }
            return sample.stores.isEmpty ? sample.noStores : [EmptyText.none(sample.stores)]
        }
        if case .ended = connection, sample != nil, tab != .views {
            return list.empty + ["What ended is asked for nothing more."]
        }
        guard case .waiting(let reason, _) = connection else { return [] }
        return reason.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}
