// SPDX-License-Identifier: MIT
// A hang of a main loop, from the app that has it to the person who reads of it.
//
// 1. The app stamps the turns of its main loop. `LoopRecord` adds up where the time of a turn goes: to each view by
//    phase, and to each event handler. `LoopPage` writes that to the flight page, which the daemon reads: the turn
//    that runs, and a ring of the latest long turns. A view has a number there, and the beginning of its key.
// 2. The daemon's watchdog reads the page on a thread of its own: `LoopReading`, `TurnShares` and `LongTurn` are what
//    it finds. `HangDetector` follows the turn and fills a `Hang` with all that needs no name: times, how it ended,
//    and what the thread did (`TurnTimes`). `TurnAttribution` has the views by their numbers, and the rule which of
//    them is blamed. The two together are a `SeenHang`. While a hang lasts, its views are a guess. Its end brings what
//    the app recorded.
// 3. The daemon's event loop gives the process and the views their names (`Registry.named`). That is the border:
//    behind it, there is only `Hang`. Where the name of a view is not known yet, `HangCoordinator` waits for it a
//    moment.
// 4. `HangHistory` lists the hang. What several copies of the library in a process tell of the same time is one hang
//    in the list. Each store counts it if it is long enough for the threshold of the store (`Registry.count`), and so
//    does the blamed view.
// 5. From there, the same `Hang` goes
//    - to the state file, so that a daemon that is killed loses nothing;
//    - to the app, in a `HangNotice` with the store's counts, for `store.stats` and `onHang`;
//    - to the desktop (`HangNotifier`), and as JSON to readers of the query API: `hangs` and `top` show it by
//      `HangText`;
//    - to the trace (`HangSignposts`), with the fields that event_table.h has for `com.rerender.Hang`.
// 6. `report` makes a `Hang` of that event again (`HangTally`). In a trace without a daemon, the turns over the default
//    threshold are the hangs. A report's text shows them by `HangText`, too; its page has a `HangRow` of each.
//
// A new field of a hang is a property here with its bytes in DaemonMessage.swift, and for traces a line in
// event_table.h. The compiler then names who emits the event; HangTally.swift reads it. TurnAttribution.swift fills a field of
// numbers, and `Registry.named` one with names.
//
// Another attribution is a case of `HangAttribution`: TurnAttribution.swift decides it, HangText.swift shows it, and the
// help of `hangs` explains it. Another phase is a case of `HangPhase`, with its code on the page in LoopLayout.swift.

/// One turn of a process's main loop that took too long.
///
/// Durations and shares are in nanoseconds of the monotonic clock, which stands still while the machine sleeps. The
/// JSON names are fixed by version 1 of ``HangList``.
public struct Hang: Hashable, Codable, Sendable {
    /// Names the hang within the daemon's life: 1 is the first, a later one has a larger number.
    public var id: UInt64
    /// The process's number.
    public var pid: Int32
    /// The process's name.
    public var process: String
    /// When the turn began; in JSON with milliseconds.
    public var startedAt: Timestamp {
        didSet { startedAtNanoseconds = startedAt.nanosecondsSince1970 }
    }
    /// The same in nanoseconds since 1970. With ``durationNanoseconds``, a hang ends before the next one of its loop
    /// begins, unless somebody sets the clock back.
    public private(set) var startedAtNanoseconds: Int64
    /// How long it took; of an open hang, how long so far.
    public var durationNanoseconds: UInt64 = 0
    /// How much earlier it may have begun, and so how much longer it may have taken; 0 where its beginning was seen.
    /// Only that of a loop without a hook (`dispatchMain()`) may be unseen.
    public var mayHaveBegunEarlierNanoseconds: UInt64 = 0
    /// How much later it may have ended; 0 where its end was seen. Only that of a GLib loop that was left in it may be
    /// unseen.
    public var mayHaveEndedLaterNanoseconds: UInt64 = 0
    /// Whether it lasts.
    public var open = true
    /// Whether its view, attribution and shares are a guess: while it lasts, and where the app's own record of it was
    /// lost.
    public var guess = false
    /// The view with most of the hang, if it has a fifth or more; nil if none has, or if ``shares`` are not known.
    /// Where an event ``handler`` had most, the view that it is of; nil where it is of none.
    public var view: ViewKey?
    /// The event handler with most of the hang, if that is a handler and not a body.
    public var handler: String?
    /// In which phase it had most of the hang; nil where nothing is named.
    public var phase: HangPhase?
    /// The function of the source or handler that ran, with its place: `on_clicked() cases.c:44`; nil where it is not known.
    package var source: String?
    /// The function of a library in which that waited: `g_dbus_connection_call_sync()`; who held the mutex behind it, where that is known. Nil
    /// where it is not known.
    package var call: String?
    /// What the source or handler that ran took itself: the most that one took of those that looks found. Nil where that is not known, and
    /// after a daemon that was started anew.
    package var sourceNanoseconds: UInt64?
    /// The store of ``view`` or ``handler``; nil without them, and where the store is not known.
    public var viewStore: Store?
    /// Why it is this view.
    public var attribution = HangAttribution.none
    /// The view whose body, layout, snapshot or drawing ran as the innermost one when the hang threshold was crossed.
    /// Nil if none ran, or if that is not known: while the hang is a ``guess``, and where the process did not live to
    /// its end.
    public var viewAtThreshold: ViewKey?
    /// The store of ``viewAtThreshold``, as ``viewStore``.
    public var viewAtThresholdStore: Store?
    /// The view evaluated last before the hang's end; nil if there was none. Often asked for, and no reason for
    /// anything.
    public var lastRendered: ViewKey?
    /// The store of ``lastRendered``, as ``viewStore``.
    public var lastRenderedStore: Store?
    /// What the main thread did for most of the time.
    public var verdict = HangVerdict.unknown
    /// The kernel's wait channel or system call, where the thread was blocked and it is known.
    public var waitingOn: String?
    /// For how long the main thread could have run and had no processor, as far as that was seen. The shares have it in
    /// them.
    public var starvedNanoseconds: UInt64 = 0
    /// For how long the process was stopped, as far as that was seen. The shares do not have it in them.
    public var stoppedNanoseconds: UInt64 = 0
    /// What the main thread was seen doing, most often first: what it waited for, in words, and who held it up, as far
    /// as that is known.
    public var activities: [Activity] = []
    /// Own time of views and event handlers in each phase within the hang, most first; a nested view's time is its own
    /// and not its parent's, nor that of the handler that it runs in. All instances of a view are one.
    public var shares: [Share] = []
    /// What no view and no handler explains. With ``shares`` it adds up to ``durationNanoseconds``. Nil if it is not
    /// known how long each body ran; then there are no shares.
    public var unattributedNanoseconds: UInt64? = 0
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
    /// Whether it counts as a hang of the app: whether it is one without the time in which the process was stopped or
    /// the machine slept.
    public var counts = true

    /// A store of the process, which tells its views from those of other stores with the same key.
    public struct Store: Hashable, Codable, Sendable {
        /// The store's number in its process; 0 is the first store.
        public var number: UInt32
        /// The store's name; several stores may have the same.
        public var name: String

        /// Names a store.
        package init(number: UInt32, name: String) {
            (self.number, self.name) = (number, name)
        }
    }

    /// The part of one view in one phase, or of one event handler.
    public struct Share: Hashable, Codable, Sendable {
        /// The view, or ``ViewKey/otherViews``. Of a handler, its view; of one without a view, its name.
        public var view: ViewKey
        /// The name of the event handler; nil for a view's bodies.
        public var handler: String?
        /// What was done for the view in that time; nil for other views: it may have been anything.
        public var phase: HangPhase?
        /// The store of the view or handler; nil for other views, and where the store is not known.
        public var store: Store?
        /// Its time within the hang.
        public var nanoseconds: UInt64

        /// Makes a share.
        package init(
            view: ViewKey, handler: String? = nil, phase: HangPhase? = .body, store: Store? = nil, nanoseconds: UInt64
        ) {
            (self.view, self.handler, self.phase, self.store) = (view, handler, phase, store)
            self.nanoseconds = nanoseconds
        }
    }

    /// Something that the main thread was seen doing.
    public struct Activity: Hashable, Codable, Sendable {
        /// Words that begin with a verb: `reads from pipe 7, whose writer is git[4711]`.
        public var text: String
        /// In how many looks.
        public var count: UInt32

        /// Makes an activity.
        package init(text: String, count: UInt32) {
            (self.text, self.count) = (text, count)
        }
    }

    /// The main thread's stack at one moment.
    public struct Stack: Hashable, Codable, Sendable {
        /// How long the hang had lasted.
        public var atNanoseconds: UInt64
        /// Functions, innermost first: `render() Shop/Cart.swift:12`.
        public var frames: [String]

        /// The functions of the thread that held what it waited for, innermost first; nil if that is not known.
        public var holder: [String]?

        /// Makes a stack.
        package init(atNanoseconds: UInt64, frames: [String], holder: [String]? = nil) {
            (self.atNanoseconds, self.frames, self.holder) = (atNanoseconds, frames, holder)
        }
    }

    /// Makes an open hang, with nothing but its beginning.
    package init(id: UInt64, pid: Int32, process: String, startedAt: Timestamp, turn: UInt64) {
        (self.id, self.pid, self.process, self.turn) = (id, pid, process, turn)
        self.startedAt = startedAt
        startedAtNanoseconds = startedAt.nanosecondsSince1970
    }
}

extension Hang.Share {
    /// The view; nil for a handler without one, whose name stands in the view's place.
    package var namedView: ViewKey? { view.rawValue == handler ? nil : view }
}

extension ViewKey {
    /// In the place of the views for which a list of shares has no room, together.
    package static let otherViews: ViewKey = "other views"
}

extension Hang {
    /// The own time of the named view or handler, and where none is named, of the source; nil if its time is not known.
    package var share: UInt64? {
        guard let view = view ?? handler.map(ViewKey.init(rawValue:)) else { return sourceNanoseconds }
        return shares.first {
            $0.view == view && $0.handler == handler && $0.store == viewStore && (phase == nil || $0.phase == phase)
        }?.nanoseconds
    }

    /// Whether it is no fault of the program: it ended in it by itself, and no person waited for the rest; or half of it is a window's
    /// first drawing, in which the renderer gets ready; or the toolkit waited for the display server.
    package var isExcused: Bool {
        ended == .exited || isFirstDrawing || call == Self.displayWait && verdict == .blocked
    }

    /// What the ``call`` of a hang is in which a toolkit waited by itself for the X server or the compositor.
    package static let displayWait = "a wait for the display server"

    /// Whether half of it is a window's first drawing.
    package var isFirstDrawing: Bool { phase == .firstDrawing && (share ?? 0) >= durationNanoseconds / 2 }

    /// How long of it the thread had a processor, or waited for something else.
    package var nanosecondsOfApp: UInt64 { durationNanoseconds - min(starvedNanoseconds, durationNanoseconds) }

    /// When it ended, or until when it was seen to last.
    package var seenUntil: Timestamp {
        let end = startedAt.nanosecondsSince1970.addingReportingOverflow(Int64(clamping: durationNanoseconds))
        return Timestamp(nanosecondsSince1970: end.overflow ? .max : end.partialValue)
    }

    /// How long it lasted at most, if it began as early as it may have.
    package var longestNanoseconds: UInt64 { durationNanoseconds.clampedSum(mayHaveBegunEarlierNanoseconds) }

    /// What is named, for people: `Toolbar`, or `Toolbar: click on Save`; nil if nothing is.
    package var blamedName: String? { Self.name(of: view, handler) }

    /// The same of a view or a handler.
    package static func name(of view: ViewKey?, _ handler: String?) -> String? {
        let parts = [view?.displayName, handler.map(Printable.text)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    /// Whether a view or a handler is named.
    package var isBlamed: Bool { view != nil || handler != nil }

    /// Whether the view whose body ran when the threshold was crossed is the one that is named.
    package var isInBodyAtThreshold: Bool {
        viewAtThreshold != nil && viewAtThreshold == view && viewAtThresholdStore == viewStore && handler == nil
    }
}

/// What is done for a view while its main loop is busy.
public enum HangPhase: String, Hashable, Codable, Sendable, CaseIterable {
    /// Its body runs.
    case body
    /// It is measured and given its size, by the framework or the toolkit.
    case layout
    /// A widget's `snapshot` runs: GTK asks it for what it draws.
    case snapshot
    /// An event handler of it runs.
    case handler
    /// GTK's renderer (GSK) draws a window.
    case drawing
    /// The same in a window's first second, in which the renderer gets ready: it compiles shaders.
    case firstDrawing = "first drawing"
}

/// Why a hang is blamed on a view or an event handler.
public enum HangAttribution: String, Hashable, Codable, Sendable, CaseIterable {
    /// It had the largest share, and its body also ran when the threshold was crossed.
    case inBody = "in body"
    /// It had the largest share in its layout, its snapshot or its drawing, which also ran when the threshold was
    /// crossed.
    case inPhase = "in phase"
    /// It had the largest share, and what that is of did not run when the threshold was crossed.
    case share
    /// An event handler had the largest share, without the bodies that ran inside it.
    case inHandler = "in handler"
    /// Nothing is blamed: no view and no handler had a fifth of the hang.
    case none
}

/// What a thread did for most of a hang.
public enum HangVerdict: String, Hashable, Codable, Sendable, CaseIterable {
    /// It ran on a processor.
    case running
    /// It waited for something: a lock, a file, a timer.
    case blocked
    /// It could have run, and other threads did: for half of the hang or more, and what is left is below the threshold.
    case starved
    /// The process was stopped: by a signal, a debugger, or because its control group was frozen.
    case stopped
    /// The machine slept.
    case suspended
    /// The watchdog did not see what it did for most of the time.
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
