// SPDX-License-Identifier: MIT
// The tabs of the screen, and what can be clicked.

/// A tab: what the rows are.
enum TopTab: Int, CaseIterable, Hashable, Sendable {
    case views = 1, hangs, processes, writers, cycles

    /// On the tab, and where there is less room.
    var titles: (long: String, short: String) {
        switch self {
        case .views: ("Views", "Views")
        case .hangs: ("Hangs", "Hangs")
        case .processes: ("Processes", "Procs")
        case .writers: ("Writers", "Writers")
        case .cycles: ("Cycles", "Cycles")
        }
    }
}

/// Something on the screen that can be clicked.
enum TopTarget: Hashable, Sendable {
    /// The row of a rank.
    case row(Int)
    /// The title of a column of the views.
    case order(StatsOrder)
    /// The title of a column of another tab, by its number.
    case column(Int)
    case tab(TopTab)
}
