// SPDX-License-Identifier: MIT
// What the dashboard shows: a clock that ticks, a counter, and lines that never change.

import Observation

/// The dashboard's state.
@MainActor
@Observable
final class DashboardModel {
    private(set) var tick = 0
    private(set) var count = 0
    let notes = ["Tickets are checked on board.", "The dining car closes at ten.", "Doors open on the left."]

    nonisolated init() {}

    func advance() { tick += 1 }
    func increment() { count += 1 }
}
