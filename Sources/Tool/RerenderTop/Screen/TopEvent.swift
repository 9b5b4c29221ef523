// SPDX-License-Identifier: MIT
// The events of `top`, and the effects that they have.

import RerenderToolBase

/// A pressed key.
enum TopKey: Hashable, Sendable {
    case up, down, pageUp, pageDown, home, end
    case enter, escape, backspace
    case character(Character)
}

/// Something on the screen that can be clicked.
enum TopTarget: Hashable, Sendable {
    /// The row of a rank.
    case row(Int)
    /// The title of a column that one can sort by.
    case order(StatsOrder)
}

/// What happens.
enum TopEvent: Sendable {
    case key(TopKey)
    case click(TopTarget)
    /// The wheel, so many rows down.
    case wheel(Int)
    case resized(TerminalSize)
    /// The time for the next sample.
    case tick(Timestamp)
    /// The daemon answered; with what the tool itself uses, in percents of one core.
    case sampled(TopSample, Double?)
    /// It did not, and why; first line first.
    case failed(String, Timestamp)
    /// What became of something that was wanted.
    case said(TopMessage)
}

/// What is wanted of the world outside.
enum TopEffect: Hashable, Sendable {
    /// Ask the daemon; the answer comes as an event.
    case sample(TopQuery)
    case pulse(TopRowID)
    /// Flash what the processes draw again, or end that.
    case highlight(isOn: Bool, process: String?)
    /// Copy a view, or everything for nil, as JSON.
    case copy(TopRowID?)
    case reset(process: String?)
    case export
    /// Send the whole screen again.
    case repaint
    case quit
}

/// A line that says what became of something.
struct TopMessage: Hashable, Sendable {
    package let text: String
    var isFault = false
}
