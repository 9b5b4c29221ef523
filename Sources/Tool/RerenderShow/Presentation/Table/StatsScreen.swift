// SPDX-License-Identifier: MIT
// The output of `rerenderctl stats`: verdict, notes on processes and missing data, the table, and the number of views left out.

/// Everything that `stats` shows, as lines that fit a width.
package struct StatsScreen: Sendable {
    package let export: StatsExport
    package let health: HealthReport?
    package let order: StatsOrder
    /// How many views to show; nil for all. Views beyond it are only counted.
    package let limit: Int?
    /// How many views there are; nil where the export holds all of them.
    package var total: Int?
    /// The columns of the table; nil for those that fit.
    package var columns: [String]?
    /// Where the user switched Rerender off, if so.
    package var off: RuntimeDirectory?
    /// What is not counted of processes that run, as sentences.
    package var shortfalls: [String] = []
    /// What would bring names that are missing, as sentences.
    package var names: [String] = []
    /// The time that it is about, such as `since the mark`; nil for all.
    package var time: String?
    /// Whether rows are shown that only pass on, or were evaluated once, and all sentences above the table.
    package var showsAll = false
    /// Whether all sources and handlers are shown in the place of views.
    package var showsSources = false
    /// Lines that a command shows above these.
    package var linesAbove = 0

    package init(export: StatsExport, health: HealthReport?, order: StatsOrder, limit: Int?, total: Int? = nil) {
        (self.export, self.health, self.order, self.limit, self.total) = (export, health, order, limit, total)
    }

    /// The lines, each at most `width` columns wide, without line ends.
    package func lines(width: Int, colours: Bool) -> [String] {
        let (notes, table) = parts(width, colours)
        return notes.isEmpty ? table : notes + [""] + table
    }

    /// The notes above the blank line, and the table or a text below it.
    private func parts(_ width: Int, _ colours: Bool) -> (notes: [String], table: [String]) {
        guard !export.processes.isEmpty else {
            let text = Guidance.noProcess(off: off)
            return (
                fitted(shortfallNotes.map(\.line), width, colours),
                text.flatMap { $0.hasPrefix(" ") ? [$0] : Wrap.lines($0, width: width) }
            )
        }
        let above = notes(width, colours)
        let sources = LoopRowTable.lines(
            export.processes, limit: showsSources ? nil : LoopRowTable.few, width: width, colours: colours)
        if showsSources { return (above, sources.isEmpty ? Wrap.lines(Self.noSources, width: width) : sources) }
        let ranked = order.ranked(export.processes, export.verdict).filter(\.view.isRow)
        // Programs without views have nothing but their main loops.
        if ranked.isEmpty, !sources.isEmpty, export.processes.allSatisfy({ $0.kind == .loop }) {
            return (above, sources)
        }
        let folded = FoldedRows(ranked, isOn: !showsAll)
        let rows = Array(folded.rows.prefix(limit ?? folded.rows.count))
        let isWhole = total ?? ranked.count <= ranked.count
        let below = folded.line(isWhole: isWhole, how: "--all").map { Wrap.lines($0, width: width, indent: 2) } ?? []
        let notSeen = NotSeenText.lines(export.processes).flatMap { Wrap.lines($0, width: width, indent: 2) }
        return (
            above,
            table(rows, width, colours) + more(rows.count, folded.rows.count, of: ranked.count, width) + below + notSeen
                + (sources.isEmpty ? [] : [""] + sources)
        )
    }

    private static let noSources = "No source and no handler is known: no main loop told of one."

    private func notes(_ width: Int, _ colours: Bool) -> [String] {
        let ofStores = StatsNotes(stores: export.processes, health: health, order: order).notes
        let ofNames = names.map { TableNote(.names, StyledLine(text: $0)) }
        let notes = TableNote.verdict(export.verdict) + ofStores + ofNames + shortfallNotes
        return TableNote.lines(notes, all: showsAll, width: width, taken: linesAbove).map {
            $0.style.apply($0.text, colours: colours)
        }
    }

    private func fitted(_ lines: [StyledLine], _ width: Int, _ colours: Bool) -> [String] {
        lines.flatMap { line in
            Wrap.lines(line.text, width: width, indent: 2).map { line.style.apply($0, colours: colours) }
        }
    }

    private var shortfallNotes: [TableNote] {
        (shortfalls + GapText.lines(export.processes)).map {
            TableNote(.missing, StyledLine(text: "! " + $0, style: .bad))
        }
    }

    private func table(_ rows: [RankedView], _ width: Int, _ colours: Bool) -> [String] {
        guard !rows.isEmpty else {
            let text = [EmptyText.none(export.processes, in: time)] + EmptyText.views(export.processes)
            return text.flatMap { Wrap.lines($0, width: width) }
        }
        let table = ViewTable(
            order: order, stores: export.processes, rows: rows, now: export.generatedAt, columns: columns)
        return table.lines(width: width, colours: colours)
    }

    /// - Parameter unfolded: How many of `known` rows there are without folding.
    private func more(_ shown: Int, _ known: Int, of unfolded: Int, _ width: Int) -> [String] {
        let all = max(total ?? unfolded, unfolded) - (unfolded - known)
        return shown < all ? Wrap.lines(Self.more(shown, of: all, StoreWords(export.processes).noun), width: width) : []
    }

    /// The line below a table that leaves views out.
    package static func more(_ shown: Int, of all: Int, _ noun: String = "view") -> String {
        "… \(Counted.grouped(shown)) of \(Counted.text(all, noun)) shown; --limit all shows every \(noun)"
    }
}

/// The lines above the table of views.
package struct StatsNotes: Sendable {
    package let stores: [ProcessStats]
    package let health: HealthReport?
    package let order: StatsOrder
    private let labels: StoreLabels

    package init(stores: [ProcessStats], health: HealthReport?, order: StatsOrder) {
        (self.stores, self.health, self.order) = (stores, health, order)
        labels = StoreLabels(stores)
    }

    /// Stores that are listed by themselves; the others are counted.
    static let listedStores = 8

    /// The connected stores, then what is missing. Not yet fitted to a width.
    package var lines: [StyledLine] { notes.map(\.line) }

    /// The same, each with what it is about.
    var notes: [TableNote] {
        let isAlone = stores.count == 1
        let parts: [(TableNote.Rank, [StyledLine])] = [
            (.subject, isAlone ? [] : [summary]), (isAlone ? .subject : .others, storeLines), (.loops, loopLines),
            (.frames, frameLines), (.idle, idleLines), (.missing, warnings),
        ]
        return parts.flatMap { rank, lines in lines.map { TableNote(rank, $0) } }
    }

    private var summary: StyledLine {
        let processes = Dictionary(grouping: stores, by: \.pid).values
        let connected = processes.count { $0.contains(where: \.connected) }
        let evaluations = stores.reduce(UInt64(0)) { $0 &+ $1.evaluations }
        let text =
            "\(Counted.text(connected, "process", "processes")) connected, \(processes.count - connected) ended; "
            + "\(Counted.text(stores.count, "store")), \(StoreWords(stores).events(evaluations)), by \(order.rawValue)"
        return StyledLine(text: text)
    }

    private var storeLines: [StyledLine] {
        let ordered = stores.sorted {
            $0.connected != $1.connected ? $0.connected : $0.evaluations > $1.evaluations
        }
        let listed = ordered.prefix(Self.listedStores).map(line)
        let others = ordered.dropFirst(Self.listedStores)
        guard !others.isEmpty else { return listed }
        let connected = others.count(where: \.connected)
        let text = "and \(Counted.text(others.count, "more store")) (\(connected) connected): see --process NAME"
        return listed + [StyledLine(text: text, style: .dim)]
    }

    private func line(_ store: ProcessStats) -> StyledLine {
        // One that `rerenderctl off` switched off may go on.
        let state = store.connected ? "connected" : store.enabled ? "ended" : "ended or switched off"
        // Only what is connected can be enabled; a program that `rerenderctl off` switched off has ended its connection.
        let remedy =
            store.connected
            ? ", DISABLED (enable with: rerenderctl config set enabled=true)" : ", disabled at its end"
        let off = store.enabled ? "" : remedy
        let views = store.kind == .loop ? "no views" : StoreWords(store.kind).events(store.evaluations)
        let text = "\(labels.full(store)): \(state), \(views)\(Self.loop(store))"
        return StyledLine(text: text + off, style: store.connected ? .plain : .dim)
    }

    /// What main loops and other threads took, where the app says so.
    private var loopLines: [StyledLine] {
        let told = Array(stores.filter { $0.loop != nil }.prefix(Self.listedStores))
        return LoopNotes.lines(told, among: stores).map { StyledLine(text: $0) }
    }

    /// What the frames of each process cost, where they are seen.
    private var frameLines: [StyledLine] {
        let shares = CoreShares(stores)
        return stores.filter { $0.frames != nil }.prefix(Self.listedStores).compactMap { store in
            let loop = shares.loop(of: store.pid)
            return store.frames.map { StyledLine(text: "\(labels.full(store)): \(FrameText.summary($0, loop))") }
        }
    }

    /// What goes on without input, where somebody tells of that.
    private var idleLines: [StyledLine] { IdleText.lines(stores).map { StyledLine(text: $0) } }

    /// Empty without a watched main loop: many processes have none.
    private static func loop(_ store: ProcessStats) -> String {
        store.mainLoop == .none ? "" : ", main loop \(store.mainLoop.rawValue)"
    }

    /// What is missing from the numbers.
    package var warnings: [StyledLine] {
        let lost = missing(\.lost, "LOST", "the process ended first")
        let dropped = missing(\.dropped, "DROPPED", "too many keys in one process")
        return (lost + dropped + daemonDrops + unwatched).map {
            StyledLine(text: "! " + $0, style: .bad)
        }
    }

    private func missing(_ amount: KeyPath<ProcessStats, UInt64>, _ name: String, _ why: String) -> [String] {
        let concerned = stores.filter { $0[keyPath: amount] > 0 }
        guard concerned.count > Self.listedStores else {
            return concerned.map {
                "\(StoreWords($0.kind).events($0[keyPath: amount])) \(name) in \(labels.full($0)), \(Self.notShown): \(why)"
            }
        }
        let all = concerned.reduce(UInt64(0)) { $0 &+ $1[keyPath: amount] }
        let stores = Counted.text(concerned.count, "store")
        return ["\(StoreWords(concerned).events(all)) \(name) in \(stores), \(Self.notShown): \(why)"]
    }

    private static let notShown = "not in the table"

    private var daemonDrops: [String] {
        let causes = health?.dropped.causes ?? []
        guard !causes.isEmpty else { return [] }
        return ["dropped by the daemon since it started: " + causes.joined(separator: ", ")]
    }
}

extension StatsNotes {
    private var unwatched: [String] { health?.watchdog.unwatchedTurns.map { [$0 + Self.mayBeMissing] } ?? [] }

    /// The consequence of unwatched turns.
    package static let mayBeMissing = " since the daemon started: hangs may be missing"
}
