// SPDX-License-Identifier: MIT
// The ways to run the shop.

import Foundation

/// How the shop's ticker is read, and what holds up the main loop.
enum ShopScenario: String, CaseIterable {
    /// At the top, and handed down: every view depends on it, though one shows it.
    case wasteful
    /// Where it is shown.
    case isolated
    /// As isolated, and once a second the main loop is held up: by a body, a block, a sleep, a lock.
    case hang

    /// What it is, in a line.
    var summary: String {
        switch self {
        case .wasteful: "the shop; its top view reads the ticker, so every tick evaluates every view"
        case .isolated: "the shop; only the label that shows the ticker reads it"
        case .hang: "as isolated, and the main loop is blocked for 400 ms once a second"
        }
    }
}

/// When a shop closes by itself.
enum ShopEnd {
    /// After so many seconds; 0 for never.
    case seconds(Double)
    /// After so many ticks, however long they take: two such runs evaluate the same.
    case ticks(Int)

    /// As the opening line tells it.
    var text: String {
        switch self {
        case .seconds(0): "until Ctrl-C"
        case .seconds(let seconds): "for \(seconds.formatted()) s"
        case .ticks(let ticks): "for \(ticks) ticks"
        }
    }
}
