// SPDX-License-Identifier: MIT
// What rows are sorted by, and how that is chosen.

/// A column that can be sorted by, and the key that names it.
struct TopSortChoice: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        /// Of the views.
        case order(StatsOrder)
        /// A column of another tab, by its number.
        case column(Int)
    }

    let key: Character
    let title: String
    let target: Target
    let isCurrent: Bool

    /// Each gets the first letter of its title that no other one has.
    static func make(_ columns: [(title: String, target: Target)], current: Target) -> [TopSortChoice] {
        var taken: Set<Character> = []
        return columns.compactMap { column in
            let letter = column.title.lowercased().first { $0.isLetter && !taken.contains($0) }
            guard let letter else { return nil }
            taken.insert(letter)
            return TopSortChoice(
                key: letter, title: column.title, target: column.target, isCurrent: column.target == current)
        }
    }
}

extension TopModel {
    /// The columns of the views, in the order of the screen. All that there are, whichever have room.
    private var viewColumns: [(title: String, order: StatsOrder)] {
        [
            ("PROCESS", .process), ("KEY", .key), ("COUNT", .count), ("RATE", .rate), ("WASTED", .share),
            ("WTIME", .wasted), (StoreWords(sample?.stores ?? []).time, .average), ("SELF", .time), ("HANG", .hangs),
            ("WHY", .reason), ("PLACE", .place),
            // No column shows it: it is the order of the findings, and then of the cost.
            ("FINDING", .cost),
        ]
    }

    /// What the tab can be sorted by.
    var sortChoices: [TopSortChoice] {
        guard tab == .views else {
            let columns = list.columns.enumerated().map { ($0.element.title, TopSortChoice.Target.column($0.offset)) }
            return TopSortChoice.make(columns, current: .column(listState.column ?? list.usual.column))
        }
        let columns = viewColumns.filter { isLive || $0.order != .rate }
        return TopSortChoice.make(columns.map { ($0.title, .order($0.order)) }, current: .order(order))
    }

    /// A letter sorts, and stays with sorting, so that a second press reverses; what is none goes on as usual.
    mutating func sort(_ key: TopKey) -> [TopEffect] {
        switch key {
        case .left, .right: return sort(step: key == .left ? -1 : 1)
        case .enter, .escape:
            mode = .rows
            return []
        case .character(let character):
            if let choice = sortChoices.first(where: { $0.key == character }) { return sort(by: choice.target) }
        default: break
        }
        mode = .rows
        return take(key)
    }

    /// Sorts by the column before or after.
    mutating func sort(step: Int) -> [TopEffect] {
        let choices = sortChoices
        guard !choices.isEmpty else { return [] }
        let place = choices.firstIndex(where: \.isCurrent) ?? 0
        return sort(by: choices[(place + step + choices.count) % choices.count].target)
    }

    private mutating func sort(by target: TopSortChoice.Target) -> [TopEffect] {
        switch target {
        case .order(let order): sort(by: order)
        case .column(let column): sort(byColumn: column)
        }
    }

    /// Sorts views, or reverses them where they are sorted by that.
    mutating func sort(by order: StatsOrder) -> [TopEffect] {
        (self.order, isReversed) = (order, self.order == order && !isReversed)
        return listed()
    }

    /// The same of the rows of another tab.
    mutating func sort(byColumn column: Int) -> [TopEffect] {
        let isSame = (listState.column ?? list.usual.column) == column
        (listState.column, listState.isReversed) = (column, isSame && !listState.isReversed)
        return listed()
    }

    /// Starts a new list at its top. An open row stays open if the new list has it.
    mutating func listed() -> [TopEffect] {
        detailTop = 0
        guard tab == .views else {
            (listState.selected, listState.top, listState.chosen) = (0, 0, nil)
            refreshList()
            return []
        }
        (selected, top, chosen) = (0, 0, nil)
        isSearching = false
        return ask()
    }
}
