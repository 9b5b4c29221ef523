// SPDX-License-Identifier: MIT
// What the HUD says on a screen of characters.

import RerenderModel

/// What the HUD says as characters.
@_spi(Bridge)
public enum HUDLines: Sendable {
    private static let mostRows = 8

    /// A line for the store, one for what costs most in it, and one for each of the views that were evaluated most. Without a store, of the
    /// oldest one. Empty in a release build.
    public static func text(of store: RerenderStore?) -> String {
        #if RERENDER_PROBES
            let stores = LiveStore.all
            let place = store.map { LiveStore.place(of: $0, in: stores) } ?? 0
            guard let place, stores.indices.contains(place) else { return "Rerender: no store" }
            let brief = stores[place].brief
            let briefs = brief.ranked
            let rows = briefs.prefix(mostRows)
            let width = rows.map(\.key.rawValue.count).max() ?? 0
            let rest = briefs.count > mostRows ? ["and \(briefs.count - mostRows) more views"] : []
            return
                (["Rerender: \(stores[place].name)"] + verdict(of: brief) + rows.map { row($0, width: width) }
                + rest)
                .joined(separator: "\n")
        #else
            return ""
        #endif
    }

    #if RERENDER_PROBES
        /// What costs most, in few words, with a mark before what is known to cost something.
        private static func verdict(of store: StoreBrief) -> [String] {
            var builder = VerdictBuilder()
            store.judge(in: &builder)
            return (builder.verdict?.first).map { [($0.kind.isMarked ? "! " : "") + $0.short] } ?? []
        }

        private static func row(_ brief: ViewBrief, width: Int) -> String {
            let key = brief.key.rawValue
            // No spaces in between: what lies below would be seen through them.
            let dots = String(repeating: ".", count: width - key.count + 2)
            let wasted = brief.costs.wasted
            return "\(key)\(dots)\(brief.count)" + (wasted > 0 ? ", \(wasted) wasted" : "")
        }
    #endif
}
