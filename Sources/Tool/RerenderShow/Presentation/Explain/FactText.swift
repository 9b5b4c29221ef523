// SPDX-License-Identifier: MIT
// What `explain` says of a widget that asks for frames. One that is not visible may be in no view: it was never drawn.

/// The sentences about what a main loop's facts say of a widget.
package enum FactText {
    /// How many frames it asked for, in which function, and why it cannot be seen, as far as that is known.
    static func sentences(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        let quiet = store.loop?.totals.isInputKnown == 0 ? "" : " without input"
        let texts = askers(of: view, store).map { fact in
            let all = Counted.text(fact.numbers.of, "frame")
            let writer = fact.writer.map { " in \(Printable.text($0))" } ?? ""
            let hidden = fact.hidden.map { ", and is not visible: \(Printable.text($0))" } ?? ""
            return "It asked for \(Counted.grouped(fact.numbers.count)) of \(all)\(quiet)\(writer)\(hidden)."
        }
        // Widgets of one key may say the same of themselves.
        return texts.enumerated().filter { place, text in !texts[..<place].contains(text) }.map(\.element)
    }

    /// Its slowest interaction, where that was long enough to be listed.
    static func interaction(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        let own = (store.loop?.facts ?? []).filter {
            $0.view == view.rawValue && $0.numbers.nanoseconds >= InteractionText.least
        }
        let slowest = own.filter { $0.interaction != nil }.max { $0.numbers.nanoseconds < $1.numbers.nanoseconds }
        guard let text = slowest.flatMap({ InteractionText.sentence($0) }) else { return [] }
        return ["Its slowest interaction: \(text)."]
    }

    /// Against frames that a visible widget asked for until the end, or asks for now.
    static func advice(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        guard let loop = store.loop, loop.totals.frames.isLong(at: store.connected ? nil : loop.endedAt),
            askers(of: view, store).contains(where: { $0.hidden == nil && $0.numbers.count >= $0.numbers.of / 2 })
        else { return [] }
        return ["It asks for most of the frames: end its animation, or what writes to it, when nothing has to change."]
    }

    private static func askers(of view: ViewKey, _ store: ProcessStats) -> [WidgetFact] {
        (store.loop?.facts ?? []).filter { $0.kind == .asker && $0.view == view.rawValue }
    }

    /// Widgets that the facts of a store name, and no view of its process.
    package static func keys(of store: ProcessStats, beside stores: [ProcessStats]) -> [ViewKey] {
        let named = Set((store.loop?.facts ?? []).map { ViewKey(rawValue: $0.view) })
        let views = named.isEmpty ? [] : stores.filter { $0.pid == store.pid }.flatMap(\.views)
        return named.subtracting(views.map(\.key)).sorted()
    }

    /// The store with a view of that key, if its facts name it and it has no view: with nothing counted.
    package static func store(_ store: ProcessStats, with view: ViewKey) -> ProcessStats {
        let isNamed = store.views.isEmpty && keys(of: store, beside: [store]).contains(view)
        return isNamed ? store.with(views: [Stats(key: view)]) : store
    }
}

extension CoreShares {
    /// A store with what is known of its process's main loop. One store alone has that, and its facts are of widgets of any store.
    package func whole(_ store: ProcessStats) -> ProcessStats {
        var whole = store
        whole.loop = store.loop ?? loop(of: store.pid)
        return whole
    }
}
