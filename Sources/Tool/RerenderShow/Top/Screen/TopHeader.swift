// SPDX-License-Identifier: MIT
// The title line: the connection, the verdict, missing data, and the cost of `top`.

/// A part of the title line, in words that take less and less room.
struct TopPiece: Hashable, Sendable {
    /// Lower ones are the first to get room.
    let rank: Int
    /// The longest first.
    let texts: [String]
    var style = Style.plain

    /// Blanks between two parts.
    private static let gap = 2

    /// The parts that fit into a width, in their order: first as many as there is room for at their shortest, then as long as
    /// there is room for.
    static func line(_ pieces: [TopPiece], width: Int) -> TopLine {
        var chosen: [Int: String] = [:]
        var left = width + gap
        let byRank = pieces.indices.sorted { pieces[$0].rank < pieces[$1].rank }
        for index in byRank {
            guard let shortest = pieces[index].texts.last else { continue }
            let needed = DisplayWidth.of(shortest) + gap
            // The first is cut rather than left out.
            guard needed <= left || chosen.isEmpty else { continue }
            chosen[index] = shortest
            left -= needed
        }
        for index in byRank {
            guard let now = chosen[index] else { continue }
            let taken = DisplayWidth.of(now)
            guard let longest = pieces[index].texts.first(where: { DisplayWidth.of($0) - taken <= left }) else {
                continue
            }
            left -= DisplayWidth.of(longest) - taken
            chosen[index] = longest
        }
        var line = TopLine(width)
        for index in pieces.indices {
            guard let text = chosen[index] else { continue }
            if line.width > 0 { line.add("  ") }
            line.add(text, pieces[index].style)
        }
        return line
    }
}

/// The title line of a state.
extension TopModel {
    var header: TopLine {
        // Without a line of tabs, the title says which one it is.
        let isTab = size.lines < 14 && tab != .views
        let names = isTab ? [tab.titles(of: sample?.stores ?? []).long] : ["rerender top", "top"]
        let title = TopPiece(rank: isTab ? 1 : 6, texts: names, style: .bold)
        let pieces = [title, state, since, paused, hang, verdict, processes, views, drops, ownCost]
        return TopPiece.line(pieces.compactMap(\.self), width: size.columns)
    }

    private var state: TopPiece {
        if let saved {
            return TopPiece(rank: 0, texts: ["not live: \(saved)", "not live"], style: .bold)
        }
        switch connection {
        case .ended(let since):
            let time = AgoText.cell(since, now: now)
            let who = endedName
            return TopPiece(
                rank: 0, texts: ["\(who) ended \(time) ago", "\(who) ended", "ended"], style: [.notice, .bold])
        case .connecting: return TopPiece(rank: 0, texts: ["connecting to the daemon", "connecting"])
        case .waiting(_, let since):
            let time = AgoText.cell(since, now: now)
            return TopPiece(
                rank: 0, texts: ["NO DAEMON for \(time), waiting for it", "NO DAEMON \(time)"], style: [.bad, .bold])
        case .connected:
            guard let silence else { return TopPiece(rank: 0, texts: ["connected"]) }
            let time = "\(silence / 1_000_000_000)s"
            return TopPiece(
                rank: 0, texts: ["the daemon is silent for \(time)", "SILENT \(time)"], style: [.notice, .bold])
        }
    }

    /// The processes of a command that ended.
    private var endedName: String {
        var names: [String] = []
        for store in latest?.stores ?? [] where !names.contains(store.name) { names.append(store.name) }
        guard let first = names.first else { return "the command" }
        return Printable.text(first) + (names.count > 1 ? " and \(Counted.text(names.count - 1, "other"))" : "")
    }

    private var since: TopPiece? {
        guard let baseline else { return nil }
        let time = LocalTime.text(baseline.at, now: now)
        return TopPiece(
            rank: 1, texts: ["counted since \(time) (u: all)", "since \(time)", "since r"], style: [.notice, .bold])
    }

    private var paused: TopPiece? {
        guard isPaused else { return nil }
        return TopPiece(rank: 1, texts: ["PAUSED (Space to continue)", "PAUSED"], style: [.notice, .bold])
    }

    private var hang: TopPiece? {
        guard connection == .connected, let hang = sample?.hangs.first(where: \.open) else { return nil }
        let time = DurationText.short(hang.durationNanoseconds)
        let guess = hang.guess ? "~" : ""
        let name = hang.blamedName.map { guess + $0 } ?? "no view"
        let process = "\(Printable.text(hang.process))[\(hang.pid)]"
        return TopPiece(
            rank: 1, texts: ["HANG \(time) in \(process): \(name)", "HANG \(time) \(name)", "HANG \(time)"],
            style: [.bad, .bold])
    }

    private var processes: TopPiece? {
        guard let stores = sample?.stores else { return nil }
        let processes = Dictionary(grouping: stores, by: \.pid).values
        let connected = processes.count { $0.contains(where: \.connected) }
        let ended = processes.count - connected
        let text = Counted.text(connected, "process", "processes")
        guard isLive else {
            return TopPiece(
                rank: 5, texts: [Counted.text(processes.count, "process", "processes"), "\(processes.count)p"])
        }
        if case .ended = connection { return nil }
        return TopPiece(
            rank: 5, texts: ended == 0 ? [text, "\(connected)p"] : [text + ", \(ended) ended", "\(connected)p"])
    }

    private var views: TopPiece? {
        guard tab == .views, let sample else { return nil }
        let noun = StoreWords(sample.stores).noun
        guard sample.query.filter.isEmpty else {
            let filter = Printable.text(sample.query.filter)
            let text = "\(Counted.text(sample.total, noun)) with \"\(filter)\""
            return TopPiece(rank: 2, texts: [text, "/" + Fit.end(filter, 8)], style: .bold)
        }
        return TopPiece(rank: 7, texts: [Counted.text(sample.total, noun)])
    }

    /// Evaluations that are in no row, and what the daemon refused.
    private var drops: TopPiece? {
        guard let sample else { return nil }
        if sample.missing > 0 {
            let number = Counted.grouped(sample.missing)
            let events = StoreWords(sample.stores).events(sample.missing)
            return TopPiece(
                rank: 1, texts: ["\(events) lost or dropped", "\(number) dropped"],
                style: [.bad, .bold])
        }
        if let health = sample.health, !health.dropped.causes.isEmpty {
            return TopPiece(rank: 1, texts: ["the daemon dropped data", "drops!"], style: .bad)
        }
        if let turns = sample.health?.watchdog.unwatchedTurns {
            return TopPiece(rank: 1, texts: [turns, "hangs missed?"], style: .bad)
        }
        guard gaps.isEmpty else { return TopPiece(rank: 1, texts: ["data is missing", "gaps!"], style: .bad) }
        // What was saved does not always tell.
        guard isLive || sample.health != nil else { return nil }
        return TopPiece(rank: 4, texts: ["nothing dropped", "0 dropped"])
    }

    private var ownCost: TopPiece? {
        guard let cost else { return nil }
        let share = PercentOfCore.text(cost)
        return TopPiece(rank: 3, texts: ["top uses \(share) of a core", "top \(share)"], style: .dim)
    }

    /// What costs most. A hang that goes on takes its place, and that there is nothing is not said where data is missing.
    private var verdict: TopPiece? {
        guard hang == nil, let sample, let finding = sample.verdict?.first else { return nil }
        guard finding.kind.isMarked || sample.missing == 0 else { return nil }
        let mark = finding.kind.mark
        let short = mark + finding.short
        let place = finding.kind.isMarked ? finding.place.map { short + ": " + PathName.last(of: $0) } : nil
        // What is to be changed says more than how many views there are.
        let isPlaced = place.map { DisplayWidth.of($0) <= size.columns * 3 / 5 } ?? false
        let texts = [mark + MangledNames.readable(finding.text), place, isPlaced ? nil : short].compactMap(\.self)
        return TopPiece(rank: 2, texts: texts, style: finding.kind.style)
    }
}
