// SPDX-License-Identifier: MIT
// The output of `rerenderctl hangs`: hangs, micro-hangs, and unwatched processes.

/// Everything that `hangs` shows, as lines that fit a width.
package struct HangsScreen: Sendable {
    package let hangs: [Hang]
    package let stores: [ProcessStats]
    package let health: HealthReport?
    package var now: Timestamp = .now
    /// What costs most of what runs, hang or not; nil where that is not known.
    package var verdict: Verdict?

    package init(
        hangs: [Hang], stores: [ProcessStats], health: HealthReport?, now: Timestamp = .now, verdict: Verdict? = nil
    ) {
        (self.hangs, self.stores, self.health, self.now) = (hangs, stores, health, now)
        self.verdict = verdict
    }

    package func lines(width: Int, colours: Bool) -> [String] {
        var lines = hangs.isEmpty ? [StyledLine(text: isCertain ? "No hang." : "No hang was seen.")] : []
        for hang in hangs {
            if !lines.isEmpty { lines.append(StyledLine(text: "")) }
            lines += HangText(hang: hang, now: now).lines(indent: 0, rest: 4)
        }
        let notes = notes
        if !notes.isEmpty { lines.append(StyledLine(text: "")) }
        let first = verdict.map { $0.lines(in: "hangs") + [StyledLine(text: "")] } ?? []
        return Self.fit(first + lines + notes, width: width, colours: colours)
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
    private var notes: [StyledLine] { microHangs + unwatched + missed + forgotten }

    private var microHangs: [StyledLine] {
        let labels = StoreLabels(stores)
        return stores.filter { $0.microHangs > 0 }.map { store in
            let text =
                "\(Counted.text(store.microHangs, "micro-hang")) (\(store.microHangThresholdMilliseconds) ms or more) in "
                + labels.full(store)
            return StyledLine(text: text)
        }
    }

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
