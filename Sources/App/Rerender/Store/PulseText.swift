// SPDX-License-Identifier: MIT
// Prints what is known of a view to stderr, when the view is pulsed.

import Glibc
import RerenderModel

/// Prints the first lines that `rerenderctl explain` has of a view: what happens, and why. An evaluation never prints.
enum PulseText {
    /// What a pipe takes at once, where it takes anything.
    private static let pieceBytes = 4_096

    /// Writes the text to stderr in one call.
    ///
    /// - Parameter waits: Whether it may wait for whoever reads it. Otherwise nothing is written where it would have to, and long
    ///   texts are cut.
    static func print(_ key: ViewKey, of core: StoreCore, waits: Bool = true) {
        guard waits || takesText else { return }
        let stats = unsafe core.knownView(key.rawValue).flatMap { view in
            unsafe view._withUnsafeGuaranteedRef { core.stats(of: $0, wallClock: WallClock()) }
        }
        let all = Array(text(key, store: core.name, stats, areWidgets: core.kind == .widgets).utf8)
        let bytes = waits ? all : Array(all.prefix(pieceBytes))
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Whether stderr takes a text now.
    private static var takesText: Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLOUT) != 0
    }

    static func text(_ key: ViewKey, store: String, _ stats: Stats?, areWidgets: Bool) -> String {
        let title = "[Rerender] \(key.displayName) in \(Printable.text(store))"
        guard let stats else { return "\(title): not \(areWidgets ? "drawn" : "evaluated") yet\n" }
        let place = stats.file.isEmpty ? "" : ", \(Printable.text(stats.file)):\(stats.line)"
        let instances = stats.instances == 0 ? "no live instance" : Counted.text(stats.instances, "live instance")
        let what = areWidgets ? "It was drawn" : "Its body was evaluated"
        let reasons = stats.reasons.prefix(mostReasons).flatMap { reason in
            ["  \(Counted.grouped(reason.count)) (\(Percent.text(reason.count, of: stats.count))) \(reason.marked)"]
                + reason.writers.prefix(1).map {
                    "      written by \(Printable.text($0.writer)) (\(Counted.grouped($0.count)))"
                }
        }
        let all = ["\(title)\(place)", "  \(what) \(Counted.text(stats.count, "time")); \(instances)."] + reasons
        return all.joined(separator: "\n") + "\n"
    }

    private static let mostReasons = 3
}
