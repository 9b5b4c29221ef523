// SPDX-License-Identifier: MIT
// The rows of the tabs. Only the views on the screen have rows; the rows of other tabs are all there at once.

/// What is selected in such a tab, and how it is sorted.
struct TopListState: Hashable, Sendable {
    var selected = 0
    /// The first row on the screen.
    var top = 0
    /// The chosen row, which the selection follows.
    var chosen: String?
    var isOpen = false
    /// The column that is sorted by; nil for the usual one.
    var column: Int?
    var isReversed = false
}

extension TopModel {
    var listState: TopListState {
        get { lists[tab] ?? TopListState() }
        set { lists[tab] = newValue }
    }

    var selectedItem: TopItem? {
        list.items.indices.contains(listState.selected) ? list.items[listState.selected] : nil
    }

    /// Makes the rows anew, and keeps the selection on the chosen one.
    mutating func refreshList() {
        guard tab != .views, let latest else { return list = TopList() }
        let state = listState
        list = made(tab, of: latest).sorted(by: state.column, isReversed: state.isReversed, filter: filter)
        if let chosen = state.chosen {
            if let place = list.items.firstIndex(where: { $0.id == chosen }) {
                listState.top = max(0, state.top + place - state.selected)
                listState.selected = place
            } else {
                listState.chosen = nil
            }
        }
        keepListInView()
    }

    private func made(_ tab: TopTab, of sample: TopSample) -> TopList {
        switch tab {
        case .views: TopList()
        case .hangs: HangRows.list(sample, now: dataTime)
        case .processes: ProcessRows.list(sample, otherRates, isLive: isLive)
        case .writers:
            WriterRows.list(
                sample, sample.query.tab == .writers ? WriterRows.writers(sample.rows) : [], otherRates, isLive: isLive)
        case .cycles: CycleRows.list(sample, isCountedAnew: baseline != nil)
        case .sources: SourceRows.list(sample)
        }
    }

    mutating func keepListInView() {
        var state = listState
        state.selected = max(0, min(state.selected, total - 1))
        state.top = max(0, min(state.top, state.selected))
        let below = state.isOpen && !hasPane ? min(detailLines.count, max(0, bodyHeight - 1)) : 0
        let last = state.selected + below
        if last - state.top >= bodyHeight { state.top = min(state.selected, last - bodyHeight + 1) }
        if !state.isOpen || hasPane { state.top = max(0, min(state.top, max(0, total - bodyHeight))) }
        listState = state
    }

    /// Chooses a row.
    mutating func chooseItem(_ place: Int) {
        listState.selected = max(0, min(place, total - 1))
        listState.chosen = selectedItem?.id
        detailTop = 0
        // Below its row, what is open is of one row alone.
        if !hasPane { listState.isOpen = false }
        keepListInView()
    }

    // MARK: Whatever the tab is

    /// Goes to a tab.
    mutating func show(_ tab: TopTab) -> [TopEffect] {
        (mode, isCollapsed) = (.rows, false)
        guard tab != self.tab else { return [] }
        self.tab = tab
        detailTop = 0
        if let viewSample, tab == .views { latest = viewSample }
        refreshList()
        keepInView()
        return isPaused && latest?.query.tab == tab ? [] : ask()
    }

    mutating func nextTab(_ step: Int) -> [TopEffect] {
        let all = TopTab.allCases
        let place = (all.firstIndex(of: tab) ?? 0) + step
        return show(all[(place + all.count) % all.count])
    }

    /// The rank of the selected row, and the first on the screen.
    var selectedRank: Int { tab == .views ? selected : listState.selected }
    var firstRank: Int { tab == .views ? top : listState.top }

    /// Whether a row is open.
    var isOpen: Bool { tab == .views ? expanded != nil : listState.isOpen && selectedItem != nil }

    /// What the open row is called.
    var openTitle: String {
        tab == .views ? expanded.map { $0.key.displayName } ?? "" : selectedItem?.cells.first?.text ?? ""
    }

    /// The place in the sources that the selected row is about.
    var selectedPlace: SourcePlace? {
        guard tab == .views else { return selectedItem?.place }
        guard let view = selectedRow?.view, !view.file.isEmpty else { return nil }
        return SourcePlace(file: view.file, line: view.line)
    }

    /// How many rows the tab has.
    var total: Int { tab == .views ? sample?.reachable ?? 0 : list.items.count }

    /// The selected view, where it is known.
    var selectedRow: RankedView? { tab == .views ? sample?.row(at: selected) : nil }

    /// The open view, if its data is known.
    var expandedRow: RankedView? {
        expanded.flatMap { id in sample?.rows.first { TopRowID($0) == id } }
    }

    /// Whether the open view is the selected one.
    var isSelectedOpen: Bool { expanded != nil && selectedRow.map(TopRowID.init) == expanded }

    /// Keeps the selection on the chosen view, whatever its rank is now.
    mutating func follow(_ sample: TopSample) {
        if let chosen { follow(chosen, in: sample) }
        openPane()
        openSelected()
        keepInView()
    }

    private mutating func follow(_ chosen: TopRowID, in sample: TopSample) {
        let wasSearched = isSearching
        isSearching = false
        if let rank = sample.rank(of: chosen) {
            // The list moves under the row, and the row stays where it is on the screen.
            top = max(0, top + rank - selected)
            selected = rank
            isStale = isStale || wasSearched
        } else if baseline != nil {
            // It may be evaluated in a moment, and is found again then.
            return
        } else if wasSearched || sample.reachable <= sample.rows.count {
            // No key may act on another row in its place without a word.
            self.chosen = nil
            let isFolded = sample.hidden.contains(chosen)
            let why =
                isFolded
                ? "says nothing of its own and is folded: a shows it"
                : sample.reachable <= sample.rows.count ? "is gone" : "ranks too low to follow: find it with /"
            say("\(chosen.key.displayName) \(why)", isFault: true)
        } else if sample.row(at: selected) != nil {
            // It was there, and an answer about other ranks would not show it.
            (isSearching, isStale) = (true, true)
        }
    }

    /// Chooses a rank, and scrolls so that it can be seen.
    mutating func choose(_ rank: Int) {
        selected = max(0, min(rank, total - 1))
        isSearching = false
        chosen = selectedRow.map(TopRowID.init)
        openSelected()
        keepInView()
    }

    /// Lines that the rows must leave for a pane that opens by itself.
    private static let leastPane = 10

    /// Opens the selected row where the rows leave room for its pane, unless the user closed it.
    private mutating func openPane() {
        guard !isPaneClosed, expanded == nil, hasPane, room - total >= Self.leastPane, let row = selectedRow else {
            return
        }
        (expanded, isPaneAutomatic, detailTop) = (TopRowID(row), true, 0)
        // Its hangs are asked for with it.
        isStale = true
    }

    /// In a pane of its own, what is open is always the selected row.
    private mutating func openSelected() {
        guard hasPane, expanded != nil, let row = selectedRow, expanded != TopRowID(row) else { return }
        (expanded, detailTop) = (TopRowID(row), 0)
        // Its hangs are asked for with it.
        if asked != nil { isStale = true }
    }

    /// Scrolls the list so that the selected row and its open detail are visible.
    mutating func keepInView() {
        guard tab == .views else { return keepListInView() }
        selected = max(0, min(selected, total - 1))
        top = max(0, min(top, selected))
        let last = selected + (hasPane ? 0 : linesBelow)
        if last - top >= bodyHeight { top = min(selected, last - bodyHeight + 1) }
        // No blank lines below the end of the list while there are rows above it.
        if expanded == nil || hasPane { top = max(0, min(top, max(0, total - bodyHeight))) }
    }

    /// Lines of an open row that have to be seen with the selected one, or push it down.
    private var linesBelow: Int {
        let most = max(0, bodyHeight - 1)
        if isSelectedOpen { return min(detailLines.count, most) }
        guard let expanded, let open = sample?.rank(of: expanded), open >= top, open < selected else { return 0 }
        return min(detailLines.count, most)
    }

    /// Asks for rows that came into view and are not there.
    mutating func needed() -> [TopEffect] {
        guard tab == .views else { return isLive || latest?.query.tab == tab ? [] : ask() }
        guard let sample, total > 0 else { return [] }
        let last = min(total, top + bodyHeight) - 1
        let isThere = sample.row(at: top) != nil && sample.row(at: last) != nil
        // Where the list is longer than what may be asked for at once, the rest never comes.
        let isSame = sample.query.first == query.first && sample.query.limit == query.limit
        let hasHangs = !hasPane || expanded == nil || sample.query.hangsOf == expanded?.store.pid
        return (isThere || isSame) && hasHangs ? [] : ask()
    }

    /// The lines of what is open, if its data is known.
    var detailLines: [TopLine] { TopBlock.lines(detailBlocks, width: size.columns) }

    private var detailBlocks: [TopBlock] {
        guard tab == .views else { return listState.isOpen ? selectedItem?.blocks ?? [] : [] }
        guard let row = expandedRow, let sample else { return [] }
        let rows = sample.unfolded ?? sample.rows
        let hangs = sample.hangsOfProcess.filter { $0.isBlamed(on: row.view.key, of: row.store) }
        let load = isLive ? rates.load(of: TopRowID(row)) : nil
        var detail = TopDetail(
            row: row, hangs: hangs, hint: CauseHints(rows).hint(row), load: load, now: sample.at)
        detail.shares = CoreShares(sample.stores)
        detail.passing = PassedValues(rows).passing(by: row)
        return detail.blocks
    }
}
