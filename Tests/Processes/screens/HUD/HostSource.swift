// SPDX-License-Identifier: MIT
// Made-up data for the HUD.

import RerenderGTK

#if RERENDER_GTK
    /// Rows that the test asks for, and what the HUD asked for, printed.
    final class HostSource: HUDSource {
        var rows = 6
        /// Added to the counts: other data.
        var round: UInt64 = 0
        private static let stores = ["injected", "main"]
        private static let names = [
            "MathWindow/GtkSourceView", "EpisodesView", "HeaderView", "Sidebar.Row", "CartTotal", "PlayerControls",
        ]

        var isSettling: Bool { false }

        private func key(_ index: Int) -> String {
            index < Self.names.count ? Self.names[index] : "Generated.View\(index)"
        }

        private func row(_ index: Int) -> HUDRow {
            let count = UInt64(max(1, 4_812 / (index + 1))) + round
            return HUDRow(
                key: key(index), count: count, rate: index == 4 ? nil : 59.6 / Double(index + 1),
                wasted: index == 1 ? count / 3 : index == 5 ? nil : 0, isWasteInferred: index == 1,
                why: index == 0 ? "cursor ← blink_cb" : "items 62% ← Model.load()", hangs: index == 2 ? 2 : 0)
        }

        func content(store: Int, expanded: String?, showsAll: Bool) -> HUDContent {
            let rows = store == 1 ? [HUDRow(key: "OnlyOne", count: 3 + round)] : (0..<rows).map(row)
            return HUDContent(stores: Self.stores, store: store, rows: rows, details: expanded.map(details))
        }

        private func details(_ key: String) -> HUDDetails {
            HUDDetails(
                key: key, body: HUDTimes(last: 412_300, average: 380_100),
                total: HUDTimes(last: 1_204_000, average: 1_100_000),
                place: "Sources/Shop/\(key).swift:42",
                hangs: key == "HeaderView" ? HUDHangs(last: 611_000_000, worst: 1_204_000_000) : nil,
                reasons: [
                    HUDReason("items", count: 2_977, writer: "Model.load() Model.swift:31"),
                    HUDReason("parent: EpisodesView", count: 611), HUDReason("state: hover", count: 24),
                ])
        }

        func pulse(_ key: String, store: Int) -> String? {
            print("pulse \(key)")
            return nil
        }

        func printStatistics(_ key: String, store: Int) { print("statistics \(key)") }

        func highlight(_ isOn: Bool) { print("highlight \(isOn)") }
    }
#endif
