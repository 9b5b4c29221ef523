// SPDX-License-Identifier: MIT
// Where the HUD's data come from, who does what it asks for, and evaluations per second from successive readings.

import Rerender
import RerenderModel

#if RERENDER_GTK
    /// The stores that the HUD shows. Called on GTK's thread.
    package protocol HUDSource: AnyObject {
        /// What is shown now.
        ///
        /// - Parameters:
        ///   - store: The place of the store among the names in the content; the first store where there is no such.
        ///   - expanded: The view whose details are wanted. Its row is not folded.
        ///   - showsAll: Whether rows that say nothing of their own are wanted, too.
        func content(store: Int, expanded: String?, showsAll: Bool) -> HUDContent

        /// Whether more is to be shown soon, though nothing new is counted: rates fall.
        var isSettling: Bool { get }

        /// Puts a border around the instances of a view, and returns a text that says how many; nil where that is not known.
        func pulse(_ key: String, store: Int) -> String?

        /// Prints what is known of a view to the console.
        func printStatistics(_ key: String, store: Int)

        /// Gives this moment the name ``HUDMark/name``; false where no daemon keeps it.
        func mark() -> Bool

        /// Begins or ends to flash what draws again.
        func highlight(_ isOn: Bool)

        /// Whether the user switched Rerender off: then nothing of it stays on the screen.
        var isOff: Bool { get }
    }

    extension HUDSource {
        package var isOff: Bool { false }
        package func mark() -> Bool { false }
    }

    /// The mark of the HUD's button.
    enum HUDMark {
        static let name = "hud"

        /// What the HUD says after a click.
        static func text(isKept: Bool) -> String {
            let command: ShellCommand = "rerenderctl stats --since \(name)"
            return isKept ? "marked: \(command)" : "not marked: no daemon is connected"
        }
    }
#endif

#if RERENDER_PROBES && RERENDER_GTK
    /// Remembers the counts of the last one to two seconds.
    struct HUDRates {
        /// The counts of all views by their places in the store, at a time in nanoseconds.
        private struct Reading {
            var time: UInt64
            var counts: [UInt64] = []

            init(_ briefs: [ViewBrief], at time: UInt64) {
                self.time = time
                counts = Array(repeating: 0, count: (briefs.lazy.map(\.index).max() ?? -1) + 1)
                for brief in briefs { counts[brief.index] = brief.count }
            }

            func count(_ index: Int) -> UInt64 { counts.indices.contains(index) ? counts[index] : 0 }
        }

        /// How old the older reading is at least before the newer one takes its place.
        private static let window: UInt64 = 1_000_000_000
        /// From so many nanoseconds on, a rate says something.
        private static let least: UInt64 = 400_000_000

        private var base: Reading?
        private var newer: Reading?
        private var now: UInt64 = 0
        /// Whether any count has risen since the older reading: then the rates fall if nothing more is counted.
        private(set) var areFalling = false

        mutating func note(_ briefs: [ViewBrief], at time: UInt64) {
            now = time
            let reading = Reading(briefs, at: time)
            guard let newer else {
                (base, self.newer) = (reading, reading)
                return areFalling = false
            }
            if time &- newer.time >= Self.window { (base, self.newer) = (newer, reading) }
            areFalling = briefs.contains { (base?.count($0.index) ?? 0) != $0.count }
        }

        /// Evaluations per second; nil where it is not known yet.
        func rate(of brief: ViewBrief) -> Double? {
            guard let base, now &- base.time >= Self.least else { return nil }
            let before = base.count(brief.index)
            // After a reset the counts begin again.
            guard brief.count >= before else { return nil }
            return Double(brief.count - before) / Double(now &- base.time) * 1e9
        }
    }
#endif
