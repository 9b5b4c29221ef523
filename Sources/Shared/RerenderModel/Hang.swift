// SPDX-License-Identifier: MIT
// A hang of a main loop: what `GET /v1/hangs` and `rerenderctl hangs --json` list.

/// One turn of a process's main loop that took too long.
///
/// Durations and shares are in nanoseconds of the monotonic clock, which stands still while the machine sleeps. The JSON
/// names are fixed by version 1 of ``HangList``.
public struct Hang: Hashable, Codable, Sendable {
    /// Names the hang within the daemon's life: 1 is the first, a later one has a larger number.
    public var id: UInt64
    /// The process's number.
    public var pid: Int32
    /// The process's name.
    public var process: String
    /// When the turn began.
    public var startedAt: Timestamp
    /// How long it took; of an open hang, how long so far.
    public var durationNanoseconds: UInt64 = 0
    /// Whether it lasts.
    public var open = true
    /// The view that is blamed; nil if none is.
    public var view: ViewKey?
    /// Why it is this view.
    public var attribution = HangAttribution.none
    /// The view evaluated last before the hang's end; nil if there was none. Often asked for, and no reason for anything.
    public var lastRendered: ViewKey?
    /// What the main thread did for most of the time.
    public var verdict = HangVerdict.unknown
    /// The kernel's wait channel or system call, where the thread was blocked and it is known.
    public var waitingOn: String?
    /// Time in the views' own bodies within the hang, most first; a nested view's time is its own and not its parent's.
    public var shares: [Share] = []
    /// What no view explains. With ``shares`` it adds up to ``durationNanoseconds``.
    public var unattributedNanoseconds: UInt64 = 0
    /// How it ended; nil while it lasts.
    public var ended: HangEnding?
    /// The main thread's stacks, where they are switched on.
    public var stacks: [Stack] = []
    /// The directory of the trace that was saved at the hang, if one was.
    public var trace: String?
    /// The number of the turn, as in the trace.
    public var turn: UInt64
    /// How long it had lasted when the watchdog saw that it was a hang; nil if it was over by then.
    public var openedAfterNanoseconds: UInt64?
    /// How late the watchdog woke up to see that.
    public var watchdogLatenessNanoseconds: UInt64?
    /// Whether it counts as a hang of the app. Not while it was stopped, and not what the machine slept.
    public var counts = true

    /// One view's part.
    public struct Share: Hashable, Codable, Sendable {
        /// The view.
        public var view: ViewKey
        /// Its time within the hang.
        public var nanoseconds: UInt64

        /// Makes a share.
        package init(view: ViewKey, nanoseconds: UInt64) {
            self.view = view
            self.nanoseconds = nanoseconds
        }
    }

    /// The main thread's stack at one moment.
    public struct Stack: Hashable, Codable, Sendable {
        /// How long the hang had lasted.
        public var atNanoseconds: UInt64
        /// Functions, innermost first: `render() Shop/Cart.swift:12`.
        public var frames: [String]

        /// Makes a stack.
        package init(atNanoseconds: UInt64, frames: [String]) {
            self.atNanoseconds = atNanoseconds
            self.frames = frames
        }
    }

    /// Makes an open hang of which nothing but its beginning is known.
    package init(id: UInt64, pid: Int32, process: String, startedAt: Timestamp, turn: UInt64) {
        self.id = id
        self.pid = pid
        self.process = process
        self.startedAt = startedAt
        self.turn = turn
    }
}

/// Why a hang is blamed on a view.
public enum HangAttribution: String, Hashable, Codable, Sendable, CaseIterable {
    /// Its body was running when the threshold was crossed.
    case inBody = "in body"
    /// No body was running then, and this one had the largest share before: a twentieth of the hang
    /// or more, or less where bodies had half of the hang or more between them.
    case share
    /// No body ran in the hang; this view was evaluated last before it. A guess.
    case lastRendered = "last rendered"
    /// No view is blamed.
    case none
}

/// What a thread did for most of a hang.
public enum HangVerdict: String, Hashable, Codable, Sendable, CaseIterable {
    /// It ran on a processor.
    case running
    /// It waited for something: a lock, a file, a timer.
    case blocked
    /// It could have run, and other threads did.
    case starved
    /// The process was stopped, by a signal or a debugger.
    case stopped
    /// The machine slept.
    case suspended
    /// The watchdog did not look while it lasted.
    case unknown
}

/// How a hang ended.
public enum HangEnding: String, Hashable, Codable, Sendable, CaseIterable {
    /// The loop went on, or was left.
    case normally
    /// The process ended by itself.
    case exited = "process exited"
    /// A signal ended the process, or how it ended is not known.
    case killed = "process killed"
}
