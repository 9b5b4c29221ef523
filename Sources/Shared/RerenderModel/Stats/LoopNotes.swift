// SPDX-License-Identifier: MIT
// The lines about main loops: what the main thread did, how often it woke up, and what other threads took.

/// Lines about the main loops of some processes: facts and no warnings.
package enum LoopNotes {
    /// In a loop that turns more often, a clock is read at each hundredth turn alone.
    private static let mostTurns = 1_000.0
    /// Of a shorter time, a share of a core says nothing.
    private static let leastCounted: UInt64 = 1_000_000_000
    /// Other threads that are named.
    private static let namedThreads = 3

    /// Two lines for each process whose main loop was counted for a second or more; not yet fitted to a width.
    ///
    /// - Parameter all: The stores of these processes, where there are more: one of a process tells of its loop, whatever the others have.
    package static func lines(_ stores: [ProcessStats], among all: [ProcessStats]? = nil) -> [String] {
        stores.flatMap { store -> [String] in
            guard let loop = store.loop, loop.totals.counted >= leastCounted else { return [] }
            let name = "\(Printable.text(store.name))[\(store.pid)]"
            let words = StoreWords((all ?? stores).filter { $0.pid == store.pid })
            return ([mainThread(loop.totals, words)] + otherThreads(loop)).map { "\(name) \($0)" }
        }
    }

    /// `main thread: 14.0% of a core (bodies 6.0%, layout 3.1%, not known 0.8%); turns 60/s, wake-ups 12/s`.
    static func mainThread(_ totals: LoopTotals, _ words: StoreWords) -> String {
        let seconds = Double(totals.counted) / 1e9
        let (turns, wakeups) = (Double(totals.turns) / seconds, Double(totals.wakeups) / seconds)
        let rates = "turns \(RateText.cell(turns)), wake-ups \(RateText.cell(wakeups))"
        guard totals.processor > 0, let all = CoreShare(totals.processor, of: totals.counted) else {
            return "main thread: \(rates); its processor time is not known"
        }
        let isShared = turns > mostTurns
        let shown = parts(totals, words).sorted { $0.processor > $1.processor }.compactMap { part -> String? in
            guard part.processor > 0, part.processor >= totals.processor / 100 else { return nil }
            return CoreShare(part.processor, of: totals.counted, isShared: isShared).map { "\(part.name) \($0.text)" }
        }
        let rest = CoreShare(totals.rest, of: totals.counted).map { ["not known \($0.text)"] } ?? []
        let split = (shown + (totals.rest == 0 ? [] : rest)).joined(separator: ", ")
        return "main thread: \(all.text) of a core" + (split.isEmpty ? "" : " (\(split))") + "; \(rates)"
    }

    /// The parts of the main thread's time by what they are called.
    static func parts(_ totals: LoopTotals, _ words: StoreWords) -> [(name: String, processor: UInt64)] {
        [
            (words.areWidgets ? "widgets" : "bodies", totals.bodies.processor), ("style", totals.style.processor),
            ("layout", totals.layout.processor), ("frame updates", totals.update.processor),
            ("snapshot", totals.snapshot.processor), ("drawing", totals.drawing.processor),
            ("sources and handlers", totals.sources.processor), ("the loop itself", totals.loop.processor),
        ]
    }

    /// Where they take 5 % of a core together.
    private static func otherThreads(_ loop: LoopStats) -> [String] {
        let busy = loop.busyThreads
        let drawing = busy.filter(\.isDrawing).map {
            "\($0.sentence(of: loop.totals.counted)), which draw the frames without a graphics card"
        }
        let others = busy.filter { !$0.isDrawing }
        let named = others.prefix(namedThreads).map { $0.sentence(of: loop.totals.counted) }
        let more = others.count - named.count
        let rest = more > 0 ? [Counted.rest(more, "name", see: "--json")] : []
        let isBusy = others.reduce(UInt64(0)) { $0.clampedSum($1.processor) } >= loop.totals.counted / 20
        let notUI = isBusy ? ["\(named.joined(separator: "; ")): it is not the UI"] + rest : []
        let all = drawing + notUI + [loop.unlistedThreads].compactMap(\.self)
        return all.isEmpty ? [] : ["other threads: " + all.joined(separator: "; ")]
    }
}
