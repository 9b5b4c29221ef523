// SPDX-License-Identifier: MIT
// What rows are sorted by, and how that is chosen.

extension TopModel {
    /// What views can be sorted by: the columns in the order of the screen, whichever have room, and the order of findings, which no column
    /// shows.
    private var orders: [StatsOrder] {
        let all: [StatsOrder] = [
            .process, .key, .count, .rate, .share, .wasted, .average, .time, .hangs, .reason, .place, .cost,
        ]
        return all.filter { isLive || $0 != .rate }
    }

    /// Sorts by the column before or after.
    mutating func sort(step: Int) -> [TopEffect] {
        guard tab == .views else {
            let count = list.columns.count
            guard count > 0 else { return [] }
            let place = listState.column ?? list.usual.column
            (listState.column, listState.isReversed) = ((place + step + count) % count, false)
            return listed()
        }
        let orders = orders
        let place = orders.firstIndex(of: order) ?? 0
        (order, isReversed) = (orders[(place + step + orders.count) % orders.count], false)
        if order == .cost { say("sorted by what a fault names, and then by the cost") }
        return listed()
    }

    /// Sorts the other way round.
    mutating func reverse() -> [TopEffect] {
        if tab == .views { isReversed.toggle() } else { listState.isReversed.toggle() }
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
