// SPDX-License-Identifier: MIT
// Why a list is empty, as sentences.

/// Says why there is nothing to show.
package enum EmptyText {
    /// That no view of these stores was evaluated, or no widget drawn.
    ///
    /// - Parameter time: In which time, such as `since the mark`; nil for all of it.
    package static func none(_ stores: [ProcessStats], in time: String? = nil) -> String {
        let words = StoreWords(stores)
        if time == nil, stores.contains(where: \.connected) {
            return "No \(words.noun) has been \(words.participle) yet."
        }
        return "No \(words.noun) was \(words.participle)\(time.map { " " + $0 } ?? "")."
    }

    /// Why no view of these stores was evaluated, beyond that none was; empty where nothing else is known.
    package static func views(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        func names(_ stores: [ProcessStats]) -> String {
            let more = stores.count > listed ? ["\(stores.count - listed) more"] : []
            return Counted.list(stores.prefix(listed).map(labels.full) + more)
        }
        let loops = stores.filter { $0.kind == .loop }
        let off = stores.filter { $0.kind != .loop && $0.connected && !$0.enabled }
        let silent = stores.filter { $0.kind != .loop && $0.evaluations > 0 }
        let words = StoreWords(silent)
        return [
            off.isEmpty
                ? nil : "Counting is switched off in \(names(off)): rerenderctl config set enabled=true",
            silent.isEmpty
                ? nil
                : "\(names(silent)) counted \(words.event)s that are in no \(words.noun): they were lost, or were over a limit.",
            loops.isEmpty || loops.count < stores.count
                ? nil : "\(names(loops)): a main loop and no views. See: rerenderctl stats --sources",
        ].compactMap(\.self)
    }

    /// Why a list of hangs is empty that has a filter.
    ///
    /// - Parameters:
    ///   - earlier: How many hangs of the process were not in the time that was asked for; nil without a time.
    ///   - others: How many hangs other processes had; nil where no process was selected.
    ///   - options: The options that name the time. With any but `--since`, the hangs may also have been after it.
    package static func hangs(earlier: Int?, others: Int?, options: String = "--since") -> [String] {
        func when(_ count: Int) -> String {
            options == "--since" ? "ended before that time" : "\(count == 1 ? "was" : "were") at another time"
        }
        return [
            earlier.flatMap { filtered($0, when($0), options) },
            others.flatMap { filtered($0, "\($0 == 1 ? "is" : "are") of other processes", "--process") },
        ].compactMap(\.self)
    }

    private static func filtered(_ count: Int, _ what: String, _ option: String) -> String? {
        guard count > 0 else { return nil }
        return "\(Counted.text(count, "hang")) \(what): leave out \(option) to see \(count == 1 ? "it" : "them")."
    }

    /// Stores that are named.
    private static let listed = 3
}
