// SPDX-License-Identifier: MIT
// The output of `rerenderctl hangs`: hangs, micro-hangs and unwatched processes.

/// Everything that `hangs` shows, as lines that fit a width.
package struct HangsScreen: Sendable {
    package let hangs: [Hang]
    package let stores: [ProcessStats]
    package let health: HealthReport?
    package var now: Timestamp = .now
    /// What costs most of what runs, hang or not; nil where that is not known.
    package var verdict: Verdict?
    /// What would bring names that are missing, as sentences.
    package var names: [String] = []
    /// What a command that asks for more ends with; nil where the line is left out.
    package var asks: ShellCommand?
    /// Why no hang is listed, as sentences.
    package var reasons: [String] = []
    /// The slowest interactions, a line for each, and how many of these lines are shown.
    package var interactions: [String] = []
    package var limit = Int.max
    /// How many older hangs are not listed because of a limit.
    package var left = 0

    package init(
        hangs: [Hang], stores: [ProcessStats], health: HealthReport?, now: Timestamp = .now, verdict: Verdict? = nil
    ) {
        (self.hangs, self.stores, self.health, self.now) = (hangs, stores, health, now)
        self.verdict = verdict
    }

    package func lines(width: Int, colours: Bool) -> [String] {
        var lines = hangs.isEmpty ? [StyledLine(text: isCertain ? "No hang." : "No hang was seen.")] : []
        if hangs.isEmpty { lines += reasons.map { StyledLine(text: $0) } }
        for hang in hangs {
            if !lines.isEmpty { lines.append(StyledLine(text: "")) }
            var text = HangText(hang: hang, now: now)
            text.asks = asks
            lines += text.lines(indent: 0, rest: 4)
        }
        if left > 0 { lines += [StyledLine(text: ""), Self.rest(left, "older hang", of: hangs.count + left)] }
        if !interactions.isEmpty {
            let head = ["", "From input to the frame that shows what it led to, the slowest first:"]
            lines += (head + interactions.prefix(limit).map { "  " + $0 }).map { StyledLine(text: $0) }
            let left = interactions.count - limit
            if left > 0 { lines.append(Self.rest(left, "more line", of: interactions.count, indent: "  ")) }
        }
        let notes = notes
        if !notes.isEmpty { lines.append(StyledLine(text: "")) }
        let first = verdict.map { $0.lines(in: "hangs") + [StyledLine(text: "")] } ?? []
        // A pipe gets lines with a bound, as those of a table: a name may have 1,024 bytes.
        return Self.fit(
            first + lines + notes, width: width < TerminalSize.unlimitedColumns ? width : Table.pipeRow,
            colours: colours)
    }

    /// How many are not listed because of a limit, and which limit shows them.
    private static func rest(_ left: Int, _ noun: String, of all: Int, indent: String = "") -> StyledLine {
        let option = "--limit \(all) shows \(left == 1 ? "it" : "them")"
        return StyledLine(text: "\(indent)… \(Counted.text(left, noun)); \(option)", style: .dim)
    }

    /// The lines broken to a width, with their indent kept.
    package static func fit(_ lines: [StyledLine], width: Int, colours: Bool) -> [String] {
        lines.flatMap { line -> [String] in
            let indent = String(line.text.prefix { $0 == " " })
            let text = String(line.text.dropFirst(indent.count))
            return Wrap.lines(text, width: max(20, width - indent.count), indent: 2).map {
                indent + line.style.apply($0, colours: colours)
            }
        }
    }

    /// What a reader of the list must know besides.
    private var notes: [StyledLine] {
        microHangs + unwatched + missed + forgotten + names.map { StyledLine(text: $0) }
    }

    /// How many there were and how long they took, and below that what took most of them.
    private var microHangs: [StyledLine] {
        let labels = StoreLabels(stores)
        return stores.filter { $0.microHangs > 0 }.flatMap { store -> [StyledLine] in
            let all = store.hangs.microNanoseconds
            let sum = all > 0 ? ", \(DurationText.short(all)) in all," : ""
            let text =
                "\(Counted.text(store.microHangs, "micro-hang")) (\(store.microHangThresholdMilliseconds) ms or more)\(sum) in "
                + labels.full(store)
            // A function's time has the wait for a processor in it, and that of all of them has not.
            let rows = (store.loop?.rows ?? []).filter { $0.thread == nil && min($0.numbers.micro, all) > 0 }
            let most = rows.sorted { $0.numbers.micro > $1.numbers.micro }.prefix(Self.mostOfMicroHangs).map { row in
                "  \(DurationText.short(min(row.numbers.micro, all))) of that in \(row.words), whose longest call took "
                    + DurationText.short(row.numbers.longest)
            }
            return ([text] + most).map { StyledLine(text: $0) }
        }
    }

    /// Sources and handlers that are named for micro-hangs.
    private static let mostOfMicroHangs = 3

    private var unwatched: [StyledLine] {
        let silent = stores.filter { $0.connected && $0.mainLoop == .none }
        guard !silent.isEmpty else { return [] }
        let names = Array(Set(silent.map { "\(Printable.text($0.name))[\($0.pid)]" })).sorted()
        let text = "\(Counted.list(names)): no watched main loop, so no hangs can be detected."
        return [StyledLine(text: text, style: .dim)]
    }

    /// Whether every hang is in the list.
    private var isCertain: Bool { health.map { $0.watchdog.unwatchedTurns == nil } ?? false }

    private var missed: [StyledLine] {
        guard let health else {
            return [StyledLine(text: "! it is unknown whether the daemon missed a hang", style: .bad)]
        }
        guard let turns = health.watchdog.unwatchedTurns else { return [] }
        return [StyledLine(text: "! " + turns + StatsNotes.mayBeMissing, style: .bad)]
    }

    private var forgotten: [StyledLine] {
        guard let watchdog = health?.watchdog, watchdog.hangsForgotten > 0 else { return [] }
        let text = "! \(Counted.text(watchdog.hangsForgotten, "older hang")) dropped to save memory"
        return [StyledLine(text: text, style: .bad)]
    }
}
