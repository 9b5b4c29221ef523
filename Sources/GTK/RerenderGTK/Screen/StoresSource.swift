// SPDX-License-Identifier: MIT
// The stores of this process, as the HUD shows them.

import CRerenderGTK
@_spi(Bridge) import Rerender
import RerenderModel

#if RERENDER_PROBES && RERENDER_GTK
    /// Reads the live stores. On GTK's thread.
    package final class StoresSource: HUDSource {
        private var rates = HUDRates()
        /// The store that was shown last.
        private var shown = ""

        /// Called when the HUD is shown for the first time.
        private var whenShown: (() -> Void)?

        package init(whenShown: (() -> Void)? = nil) { self.whenShown = whenShown }

        /// Whether something goes on without input that the first line may name, and that ends without a change.
        private var isIdleShown = false

        package var isSettling: Bool { rates.areFalling || isIdleShown }

        package func content(store: Int, expanded: String?, showsAll: Bool) -> HUDContent {
            whenShown?()
            whenShown = nil
            let stores = LiveStore.all
            guard !stores.isEmpty else { return HUDContent() }
            let place = stores.indices.contains(store) ? store : 0
            let (store, read, loop) = (stores[place], stores.map(\.brief), LiveStore.loop)
            let verdict = Self.verdict(of: read, loop)
            let (briefs, counted) = (read[place].views, read[place].countedNanoseconds)
            let (order, folding) = read[place].ranked(verdict, loop)
            let open = order.firstIndex { briefs[$0].key.rawValue == expanded }
            let places = showsAll ? Array(order.indices) : folding.shown(with: open)
            if store.name != shown { rates = HUDRates() }
            shown = store.name
            rates.note(briefs, at: HUDCost.now)
            var content = HUDContent(
                stores: stores.map { Printable.text($0.name) }, store: place,
                rows: places.prefix(HUDContent.mostRows).map { index in
                    row(briefs[order[index]], counted, loop, showsAll ? "" : folding.note(under: index, with: open))
                }, total: places.count,
                details: expanded.flatMap { store.stats(of: ViewKey(rawValue: $0)) }.map(Self.details))
            (content.verdict, content.areWidgets) = (verdict?.first, store.areWidgets)
            content.folded = order.count - places.count
            content.gaps = read[place].gaps.map { Printable.text($0) }
            isIdleShown = loop.map { Self.endsByItself($0, at: .now) } ?? false
            return content
        }

        /// What lasted longer stays in the verdict.
        static func endsByItself(_ loop: LoopStats, at now: Timestamp) -> Bool {
            [loop.totals.frames, loop.totals.spinning, loop.totals.busy].contains {
                $0.nanoseconds < QuietStretch.leastOver && $0.isLong(at: now)
            }
        }

        /// What costs most in all stores, whichever is shown.
        private static func verdict(of stores: [StoreBrief], _ loop: LoopStats?) -> Verdict? {
            var builder = VerdictBuilder(now: .now)
            for (place, store) in stores.enumerated() { store.judge(in: &builder, loop: place == 0 ? loop : nil) }
            return builder.verdict
        }

        /// - Parameter note: What is folded under it.
        private func row(_ brief: ViewBrief, _ counted: UInt64?, _ loop: LoopStats?, _ note: String) -> HUDRow {
            let costs = brief.costs
            // Where nothing was judged, nothing is known of waste.
            let isKnown = costs.wasted > 0 || costs.unjudged < brief.count
            return HUDRow(
                key: brief.key.rawValue, count: brief.count, rate: rates.rate(of: brief),
                wasted: isKnown ? costs.wasted : nil,
                isWasteInferred: costs.inferred > 0 && costs.inferred == costs.wasted,
                isWasteful: VerdictFloor.isWasteful(
                    costs.wastedNanoseconds, of: counted, running: loop?.bodiesRunning ?? 1),
                why: brief.mainReason?.text ?? "", note: note, hangs: costs.hangs.count)
        }

        private static func details(_ stats: Stats) -> HUDDetails {
            HUDDetails(
                key: stats.key.rawValue, body: times(stats.body, stats.count), total: times(stats.total, stats.count),
                place: stats.file.isEmpty ? nil : Printable.text("\(stats.file):\(stats.line)"),
                hangs: stats.hangs.count == 0
                    ? nil : HUDHangs(last: stats.hangs.lastNanoseconds, worst: stats.hangs.worstNanoseconds),
                reasons: stats.reasons.map { reason in
                    HUDReason(
                        reason.marked, count: reason.count,
                        writer: reason.namedWriter.map { Printable.text($0.writer) })
                })
        }

        private static func times(_ timing: Timing, _ count: UInt64) -> HUDTimes {
            guard count > 0 else { return HUDTimes() }
            return HUDTimes(last: timing.lastNanoseconds, average: timing.averageNanoseconds)
        }

        package var isOff: Bool { LiveStore.isSwitchedOff }

        // MARK: Actions

        private func store(_ place: Int) -> LiveStore? {
            let stores = LiveStore.all
            return stores.indices.contains(place) ? stores[place] : stores.first
        }

        package func pulse(_ key: String, store place: Int) -> String? {
            store(place)?.pulse(ViewKey(rawValue: key), ScreenReply { _ in })
            var instances = 0
            let shown = unsafe crerender_pulse_view(key, &instances)
            // Views that are no widgets of GTK have bridges of their own.
            guard instances > 0 else { return nil }
            return Self.shown(UInt64(shown), of: UInt64(instances))
        }

        private static func shown(_ shown: UInt64, of instances: UInt64) -> String {
            let all = instances == 1 ? "1 instance" : "\(HUDNumbers.count(instances)) instances"
            if shown == instances { return "\(all) on the screen" }
            return shown == 0 ? "none of \(all) is on the screen" : "\(HUDNumbers.count(shown)) of \(all) on the screen"
        }

        package func printStatistics(_ key: String, store place: Int) {
            store(place)?.printStatistics(of: ViewKey(rawValue: key))
        }

        package func mark() -> Bool { LiveStore.mark(HUDMark.name) }

        package func highlight(_ isOn: Bool) {
            crerender_highlight_set(isOn)
            // Views that are no widgets of GTK flash by bridges of their own.
            for store in LiveStore.all { store.highlight(isOn) }
        }
    }
#endif
