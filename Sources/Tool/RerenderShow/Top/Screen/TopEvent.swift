// SPDX-License-Identifier: MIT
// The events of `top`, and the effects that they have.

/// A pressed key.
enum TopKey: Hashable, Sendable {
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, backspace, tab, backTab
    case character(Character)
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
    /// The daemon of a command is gone, because the command ended.
    case ended(Timestamp)
    /// What became of something that was wanted.
    case said(TopMessage)
    /// The source files of the working directory are known.
    case found(SourceFiles)
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
    case export
    /// Open a file in the user's editor, and give the terminal to it until it ends.
    case edit(path: String, line: UInt32)
    /// Send the whole screen again.
    case repaint
    case quit
}

/// A line that says what became of something.
struct TopMessage: Hashable, Sendable {
    package let text: String
    var isFault = false
}
