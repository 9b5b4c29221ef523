// SPDX-License-Identifier: MIT
// The state of `top`, the events that change it, and their effects. Pure: the caller supplies time and data.

/// What `top` shows, and why.
struct TopModel: Sendable {
    /// Whether the daemon answers.
    enum Connection: Hashable, Sendable {
        /// Not asked yet, or the first answer is awaited.
        case connecting
        case connected
        /// It does not answer, why, and since when.
        case waiting(String, since: Timestamp)
        /// It was a command's, which ended then.
        case ended(since: Timestamp)
    }

    /// What the next keys are for, where that is not the rows.
    enum Mode: Hashable, Sendable {
        case rows
        /// They go into the filter.
        case typing
        /// Whether to count from now on.
        case asking
        case help
    }

    var size: TerminalSize
    var order = StatsOrder.cost
    /// Whether the last views come first.
    var isReversed = false
    /// Only this process, by pid or name.
    var process: String?
    /// What is shown where that was saved, with its time; nil for what runs.
    var saved: String?
    /// What is missing from that, as sentences.
    var gaps: [String] = []

    var tab = TopTab.views
    /// The state of the tabs whose rows are all there at once.
    var lists: [TopTab: TopListState] = [:]
    /// The rows of such a tab.
    var list = TopList()
    /// From when on is counted, where that is not from the start.
    var baseline: TopBaseline?
    /// The next answer becomes the baseline.
    var isTakingBaseline = false
    /// The source files of the working directory, once they are known.
    var sources: SourceFiles?

    var connection = Connection.connecting
    /// The latest answer about views, and the latest of all.
    var viewSample: TopSample?
    var latest: TopSample?
    var rates = RateHistory<TopRowID>()
    /// Those of stores and of writers.
    var otherRates = RateHistory<String>()
    /// What the tool itself uses, in percents of one core.
    var cost: Double?
    var now = Timestamp(nanosecondsSince1970: 0)

    /// The rank of the selected row. It follows its view once the user has selected one.
    var selected = 0
    var chosen: TopRowID?
    /// The first rank on the screen.
    var top = 0
    var expanded: TopRowID?
    /// Whether rows that say nothing of their own are folded, where all views are at hand.
    var isFolding = true
    /// Whether the user closed the pane, so that it does not open by itself.
    var isPaneClosed = false
    /// Whether it opened by itself.
    var isPaneAutomatic = false
    /// Lines of the expanded row that are scrolled away.
    var detailTop = 0

    /// By tab, the text that rows have to contain.
    var filters: [TopTab: String] = [:]
    var mode = Mode.rows
    var isPaused = false
    var isCollapsed = false
    /// Whether processes were asked to flash what they draw again.
    var highlights = false
    /// Lines of the help that are scrolled away.
    var helpTop = 0
    var message: TopMessage?
    var messageUntil = Timestamp(nanosecondsSince1970: 0)

    /// The pending query, since when, and whether only the timer caused it. There is one query
    /// at a time.
    var asked: (query: TopQuery, since: Timestamp, isTick: Bool)?
    /// The screen needs other data than the pending query.
    var isStale = false
    /// The chosen row is not among the rows: it is looked for among as many as may be asked for at once.
    var isSearching = false

    /// How long a message stays.
    static let messageNanoseconds: Int64 = 5_000_000_000
    /// From when on a silent daemon is spoken of.
    static let silenceNanoseconds: Int64 = 2_500_000_000
    /// Rows that are asked for beside those on the screen, on each side: for the next key.
    static let margin = 8
    /// The longest text that can be typed.
    static let longestFilter = 128

    /// Handles an event and returns the effects in order.
    mutating func take(_ event: TopEvent) -> [TopEffect] {
        switch event {
        case .key(let key): return take(key)
        case .resized(let size):
            self.size = size
            // What opened by itself for its pane is not what the user asked for below a row.
            if isPaneAutomatic, !hasPane { (expanded, isPaneAutomatic) = (nil, false) }
            keepInView()
            return [.repaint] + (isLive ? ask() : needed())
        case .tick(let now): return tick(now)
        case .sampled(let sample, let cost): return take(sample, cost)
        case .failed(let reason, let now): return failed(reason, now)
        case .ended(let now): return ended(now)
        case .found(let sources):
            self.sources = sources
            return []
        case .said(let message):
            say(message)
            return []
        }
    }

    /// What the screen shows: on the tab of views, the latest views.
    var sample: TopSample? { tab == .views ? viewSample ?? latest : latest }

    /// Whether it shows what runs.
    var isLive: Bool { saved == nil }

    /// The time by which ages are told: of what was saved, when that was.
    var dataTime: Timestamp { isLive ? now : latest?.at ?? now }

    var filter: String {
        get { filters[tab] ?? "" }
        set { filters[tab] = newValue }
    }

    mutating func say(_ message: TopMessage) {
        self.message = message
        messageUntil = Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 &+ Self.messageNanoseconds)
    }

    mutating func say(_ text: String, isFault: Bool = false) { say(TopMessage(text: text, isFault: isFault)) }
}

/// A pressed key.
enum TopKey: Hashable, Sendable {
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, backspace, tab, backTab
    case character(Character)
}

/// What happens.
enum TopEvent: Sendable {
    case key(TopKey)
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
    case export
    /// Give this moment a name in the daemon.
    case mark(process: String?)
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
