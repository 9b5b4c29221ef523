// SPDX-License-Identifier: MIT
// Answers of the daemon, and what is asked next.

extension TopModel {
    mutating func tick(_ now: Timestamp) -> [TopEffect] {
        self.now = now
        if message != nil, now > messageUntil { message = nil }
        // What was saved does not change.
        guard isLive || latest == nil else { return [] }
        return isPaused ? [] : ask(isTick: true)
    }

    mutating func take(_ sample: TopSample, _ cost: Double?) -> [TopEffect] {
        // Requested before the user paused.
        let isHeld = isPaused && asked?.isTick == true && self.sample != nil
        let isCurrent = isWanted(sample.query) && !isHeld
        asked = nil
        welcome()
        if let cost { self.cost = cost }
        if !isHeld { note(sample) }
        takeBaseline(sample)
        // For an outdated list, only the counts are useful.
        if isCurrent || self.sample == nil { show(sample) }
        return askAgain()
    }

    /// Whether the screen is drawn now. What a tick asks for comes within a moment, or fails, and is drawn then; the next tick draws that an
    /// answer is late.
    func isDrawn(after event: TopEvent, _ effects: [TopEffect]) -> Bool {
        guard case .tick = event, sample != nil else { return true }
        return !effects.contains { if case .sample = $0 { true } else { false } }
    }

    private mutating func welcome() {
        switch connection {
        case .waiting: say("the daemon is back")
        case .ended: say("a new command runs")
        case .connecting, .connected: break
        }
        connection = .connected
    }

    private mutating func note(_ sample: TopSample) {
        guard isLive else { return }
        rates.note(sample.rows, at: sample.at)
        var counts = sample.stores.map { (id: ProcessRows.id($0), count: $0.evaluations) }
        if sample.query.tab == .writers {
            counts += WriterRows.writers(sample.rows).map { (id: $0.id, count: $0.count.clampedSum($0.guessed)) }
        }
        otherRates.note(counts, at: sample.at)
    }

    private mutating func show(_ raw: TopSample) {
        var sample = raw
        if let baseline {
            if raw.total > TopQuery.mostViews {
                self.baseline = nil
                say("more than \(TopQuery.mostViews) views: all counts are shown again", isFault: true)
            } else {
                sample = baseline.since(raw)
            }
        }
        if sample.query.order == .rate {
            sample.rows = rates.ranked(sample.rows, isReversed: sample.query.isReversed)
        }
        if isFolding { sample = sample.folding() }
        sample.remarks = TopRemarks(sample, gaps: gaps)
        latest = sample
        if sample.query.tab == .views {
            viewSample = sample
            if tab == .views { follow(sample) }
        }
        refreshList()
    }

    private mutating func takeBaseline(_ sample: TopSample) {
        guard isTakingBaseline, sample.query.limit == TopQuery.mostViews, sample.query.filter.isEmpty else { return }
        isTakingBaseline = false
        guard let baseline = TopBaseline(sample) else {
            return say(
                "r counts at most \(TopQuery.mostViews) views: choose a process with --process, or use rerenderctl reset",
                isFault: true)
        }
        self.baseline = baseline
        isStale = true
        say("counted from now on, in this top alone; u shows all counts again")
    }

    mutating func failed(_ reason: String, _ now: Timestamp) -> [TopEffect] {
        asked = nil
        self.now = now
        switch connection {
        case .waiting(_, let since): connection = .waiting(reason, since: since)
        // Nobody is missed: the command's daemon ended with it.
        case .ended: break
        default: connection = .waiting(reason, since: now)
        }
        // Whatever is wanted waits for the next tick, or a daemon that refuses would be asked for ever.
        isStale = false
        return []
    }

    mutating func ended(_ now: Timestamp) -> [TopEffect] {
        (asked, isStale, self.now) = (nil, false, now)
        if case .ended = connection { return [] }
        connection = .ended(since: now)
        return []
    }

    // MARK: Asking

    /// Whether an answer is about the list that the screen shows now; where in the list does not matter.
    private func isWanted(_ query: TopQuery) -> Bool {
        let wanted = self.query
        return query.tab == wanted.tab && query.order == wanted.order && query.isReversed == wanted.isReversed
            && query.filter == wanted.filter
    }

    /// What the screen needs.
    var query: TopQuery {
        // What came since a moment is known of all views or of none.
        if isTakingBaseline || baseline != nil { return everything }
        guard tab == .views else { return query(ofList: tab) }
        // Rates are known of the views that were in two answers, so the same ones are asked for wherever the list is.
        // So are rows folded, where there are no more views.
        let folds = isFolding && viewSample?.total ?? 0 <= TopQuery.mostViews
        let takesMost = isSearching || order == .rate || folds
        let first = takesMost ? 0 : max(0, top - Self.margin)
        let limit = takesMost ? .max : top - first + bodyHeight + Self.margin
        var query = TopQuery(
            order: order, first: min(first, 90_000), limit: min(TopQuery.mostViews, limit), filter: filter,
            process: process, hangsOf: expanded?.store.pid)
        query.isReversed = isReversed
        return query
    }

    private var everything: TopQuery {
        var query = TopQuery(
            tab: tab, order: order, isReversed: isReversed, first: 0, limit: TopQuery.mostViews,
            filter: tab == .views && !isTakingBaseline ? filter : "", process: process, hangsOf: expanded?.store.pid)
        query.hangs = TopQuery.mostHangs
        return query
    }

    private func query(ofList tab: TopTab) -> TopQuery {
        var query = TopQuery(tab: tab, order: .count, first: 0, limit: 1, filter: "", process: process)
        if tab == .writers { query.limit = TopQuery.mostViews }
        if tab == .hangs || tab == .processes { query.hangs = TopQuery.mostHangs }
        return query
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
        return latest?.query == query ? [] : ask()
    }

    /// How long the daemon has been silent, where that is worth a word.
    var silence: Int64? {
        guard let since = asked?.since else { return nil }
        let nanoseconds = now.nanoseconds(since: since)
        return nanoseconds > Self.silenceNanoseconds ? nanoseconds : nil
    }
}
