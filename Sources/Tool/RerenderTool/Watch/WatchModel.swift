// SPDX-License-Identifier: MIT
// The state machine of `stats --watch`.

import Glibc

/// The frame that is shown, and what comes next.
struct WatchModel: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// It is time for the next frame.
        case tick
        /// The daemon has answered, or has not.
        case fetched(WatchFrame)
        case signal(CInt)
    }

    /// What is to be done.
    enum Effect: Hashable, Sendable {
        /// Ask the daemon, and say so when it has answered.
        case fetch
        /// Show the new frame.
        case show
        /// Draw the frame again, for a screen that has changed.
        case redraw
        /// Wait for the next tick.
        case arm
        /// Stop as Ctrl-Z does.
        case suspend
        /// End by this signal.
        case end(CInt)
    }

    private(set) var frame: WatchFrame

    /// The next tick is armed when the answer is there: a slow daemon is not asked twice at a time.
    mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .tick: return [.fetch]
        case .fetched(let frame):
            self.frame = frame
            return [.show, .arm]
        case .signal(SIGWINCH), .signal(SIGCONT): return [.redraw]
        case .signal(SIGTSTP): return [.suspend]
        case .signal(let signal): return [.end(signal)]
        }
    }
}
