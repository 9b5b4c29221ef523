// SPDX-License-Identifier: MIT
// The state of `top`, and how events change it. Pure: the caller supplies time and data.

import RerenderPresentation
import RerenderToolBase

/// What `top` shows, and why.
struct TopModel: Sendable {
    /// Whether the daemon answers.
    enum Connection: Hashable, Sendable {
        /// Not asked yet, or the first answer is awaited.
        case connecting
        case connected
        /// It does not answer, why, and since when.
        case waiting(String, since: Timestamp)
    }

    var size: TerminalSize
    let look: TopLook
    var order = StatsOrder.wasted
    /// Only this process, by pid or name.
    var process: String?

    var connection = Connection.connecting
    var sample: TopSample?
    var rates = RateHistory()
    /// What the tool itself uses, in percents of one core.
    var cost: Double?
    var now = Timestamp(nanosecondsSince1970: 0)

    /// The rank of the selected row. It follows its view once the user has selected one.
    var selected = 0
    var chosen: TopRowID?
    /// The first rank on the screen.
    var top = 0
    var expanded: TopRowID?
    /// Lines of the expanded row that are scrolled away.
    var detailTop = 0

    var filter = ""
    /// Whether keys go into the filter.
    var isTyping = false
    var isPaused = false
    var isCollapsed = false
    /// Whether processes were asked to flash what they draw again.
    var highlights = false
    var showsHelp = false
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
        case .click(let target): return click(target)
        case .wheel(let rows): return !isTyping && !showsHelp ? moved(by: rows) : []
        case .resized(let size):
            self.size = size
            keepInView()
            return [.repaint] + ask()
        case .tick(let now): return tick(now)
        case .sampled(let sample, let cost): return take(sample, cost)
        case .failed(let reason, let now): return failed(reason, now)
        case .said(let message):
            say(message)
            return []
        }
    }

    // MARK: Data

    private mutating func tick(_ now: Timestamp) -> [TopEffect] {
        self.now = now
        if message != nil, now > messageUntil { message = nil }
        return isPaused ? [] : ask(isTick: true)
    }

    private mutating func take(_ sample: TopSample, _ cost: Double?) -> [TopEffect] {
        // Requested before the user paused.
        let isHeld = isPaused && asked?.isTick == true && self.sample != nil
        let isCurrent = isWanted(sample.query) && !isHeld
        asked = nil
        if case .waiting = connection { say(TopMessage(text: "the daemon is back")) }
        connection = .connected
        if let cost { self.cost = cost }
        if !isHeld { rates.note(sample.rows, at: sample.at) }
        // For an outdated list, only the counts are useful.
        if isCurrent || self.sample == nil {
            self.sample = sample
            follow(sample)
        }
        return askAgain()
    }

    private mutating func failed(_ reason: String, _ now: Timestamp) -> [TopEffect] {
        asked = nil
        self.now = now
        switch connection {
        case .waiting(_, let since): connection = .waiting(reason, since: since)
        default: connection = .waiting(reason, since: now)
        }
        // Whatever is wanted waits for the next tick, or a daemon that refuses would be asked for ever.
        isStale = false
        return []
    }

    /// Whether an answer is about the list that the screen shows now; where in the list does not matter.
    private func isWanted(_ query: TopQuery) -> Bool {
        query.order == order && query.filter == filter
    }

    /// What the screen needs.
    var query: TopQuery {
        let first = isSearching ? 0 : max(0, top - Self.margin)
        let limit = isSearching ? .max : top - first + bodyHeight + Self.margin
        return TopQuery(
            order: order, first: min(first, 90_000), limit: min(TopQuery.mostViews, limit), filter: filter,
            process: process, hangsOf: expanded?.store.pid)
    }

    /// Asks, or has it asked when the answer that is under way is there.
    ///
    /// - Parameter isTick: Whether only the timer wants it.
    mutating func ask(isTick: Bool = false) -> [TopEffect] {
        guard asked == nil else {
            isStale = true
            return []
        }
        isStale = false
        asked = (query, now, isTick)
        return [.sample(query)]
    }

    private mutating func askAgain() -> [TopEffect] {
        guard isStale else { return [] }
        isStale = false
        return sample?.query == query ? [] : ask()
    }

    /// How long the daemon has been silent, where that is worth a word.
    var silence: Int64? {
        guard let since = asked?.since else { return nil }
        let nanoseconds = now.nanoseconds(since: since)
        return nanoseconds > Self.silenceNanoseconds ? nanoseconds : nil
    }

    // MARK: Rows

    /// How many rows there are.
    var total: Int { sample?.total ?? 0 }

    /// The selected row, where it is known.
    var selectedRow: RankedView? { sample?.row(at: selected) }

    /// The open row, if its data is known.
    var expandedRow: RankedView? {
        expanded.flatMap { id in sample?.rows.first { TopRowID($0) == id } }
    }

    /// Keeps the selection on the chosen view, whatever its rank is now.
    private mutating func follow(_ sample: TopSample) {
        if let chosen { follow(chosen, in: sample) }
        keepInView()
    }

    private mutating func follow(_ chosen: TopRowID, in sample: TopSample) {
        let wasSearched = isSearching
        isSearching = false
        if let rank = sample.rank(of: chosen) {
            // The list moves under the row, and the row stays where it is on the screen.
            top = max(0, top + rank - selected)
            selected = rank
            isStale = isStale || wasSearched
        } else if wasSearched || sample.total <= sample.rows.count {
            // No key may act on another row in its place without a word.
            self.chosen = nil
            let why =
                sample.total <= sample.rows.count ? "is gone" : "ranks too low to follow: find it with /"
            say(TopMessage(text: "\(chosen.key.displayName) \(why)", isFault: true))
        } else if sample.row(at: selected) != nil {
            // It was there, and an answer about other ranks would not show it.
            (isSearching, isStale) = (true, true)
        }
    }

    /// Chooses a rank, and scrolls so that it can be seen.
    mutating func choose(_ rank: Int) {
        selected = max(0, min(rank, total - 1))
        isSearching = false
        chosen = selectedRow.map(TopRowID.init)
        keepInView()
    }

    /// Scrolls the list so that the selected row and its open detail are visible.
    mutating func keepInView() {
        selected = max(0, min(selected, total - 1))
        top = max(0, min(top, selected))
        let isOpen = expanded != nil && selectedRow.map(TopRowID.init) == expanded
        let below = isOpen ? min(detailLines.count, max(0, bodyHeight - 1)) : openLines(above: selected)
        let last = selected + below
        if last - top >= bodyHeight { top = min(selected, last - bodyHeight + 1) }
        // No blank lines below the end of the list while there are rows above it.
        if expanded == nil { top = max(0, min(top, max(0, total - bodyHeight))) }
    }

    /// Lines of the expanded row that push a row below it down.
    private func openLines(above rank: Int) -> Int {
        guard let expanded, let open = sample?.rank(of: expanded), open >= top, open < rank else { return 0 }
        return min(detailLines.count, max(0, bodyHeight - 1))
    }

    mutating func say(_ message: TopMessage) {
        self.message = message
        messageUntil = Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 &+ Self.messageNanoseconds)
    }
}
