// SPDX-License-Identifier: MIT
// The tabs whose rows are all there at once: hangs, processes, writers, cycles.

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
}
