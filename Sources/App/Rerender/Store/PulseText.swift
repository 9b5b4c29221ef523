// SPDX-License-Identifier: MIT
// Prints what is known of a view to stderr, when the view is pulsed.

import Glibc
import RerenderModel

/// Prints everything known of one view; an evaluation never prints.
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
        let told =
            waits
            ? Self.text(key, store: core.name, stats: stats)
            : Self.first(key, store: core.name, stats, areWidgets: core.kind == .widgets)
        let all = Array(told.utf8)
        let text = waits ? all : Array(all.prefix(pieceBytes))
        _ = unsafe text.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Whether stderr takes a text now.
    private static var takesText: Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLOUT) != 0
    }

    static func text(_ key: ViewKey, store: String, stats: Stats?) -> String {
        let title = "[Rerender] \(key.displayName) (store \(Printable.text(store)))"
        guard let stats else { return "\(title): not evaluated yet\n" }
        var lines = [title]
        if !stats.file.isEmpty { lines.append("  at        \(Printable.text(stats.file)):\(stats.line)") }
        let passes = stats.passes.map { $0 > 0 ? " (\($0) passes)" : "" } ?? ""
        lines.append("  count     \(stats.count)\(passes), \(stats.commits) committed, \(stats.instances) live")
        lines.append("  body      \(durations(stats.body))")
        lines.append("  total     \(durations(stats.total))")
        if stats.wasted.count > 0 { lines.append("  wasted    \(waste(stats.wasted))") }
        lines += stats.reasons.flatMap(because)
        if let time = stats.lastRenderedAt {
            lines.append("  last      \(time.iso8601), because \(Printable.text(stats.lastReason))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The first lines that `rerenderctl explain` has of a view: what happens, and why.
    static func first(_ key: ViewKey, store: String, _ stats: Stats?, areWidgets: Bool) -> String {
        let title = "[Rerender] \(key.displayName) in \(Printable.text(store))"
        guard let stats else { return "\(title): not \(areWidgets ? "drawn" : "evaluated") yet\n" }
        let place = stats.file.isEmpty ? "" : ", \(Printable.text(stats.file)):\(stats.line)"
        let instances = stats.instances == 0 ? "no live instance" : Counted.text(stats.instances, "live instance")
        let what = areWidgets ? "It was drawn" : "Its body was evaluated"
        let reasons = stats.reasons.prefix(firstReasons).flatMap { reason in
            ["  \(Counted.grouped(reason.count)) (\(Percent.text(reason.count, of: stats.count))) \(reason.marked)"]
                + reason.writers.prefix(1).map {
                    "      written by \(Printable.text($0.writer)) (\(Counted.grouped($0.count)))"
                }
        }
        let all = ["\(title)\(place)", "  \(what) \(Counted.text(stats.count, "time")); \(instances)."] + reasons
        return all.joined(separator: "\n") + "\n"
    }

    /// Reasons that it has.
    private static let firstReasons = 3

    private static func because(_ reason: ReasonCount) -> [String] {
        ["  because   \(Printable.text(reason.reason)) × \(reason.count)"]
            + reason.writers.map { "    by      \(Printable.text($0.writer)) × \($0.count)" }
            + reason.chains.map { "    from    \(Printable.text($0.chain)) × \($0.count)" }
    }

    private static func waste(_ waste: Waste) -> String {
        let kinds = WasteKind.allCases.compactMap { kind in waste.kinds[kind].map { "\(kind.rawValue) \($0)" } }
        return "\(waste.measured) measured, \(microseconds(waste.measuredNanoseconds)); \(waste.inferred) inferred, "
            + "\(microseconds(waste.inferredNanoseconds)); " + kinds.joined(separator: ", ")
    }

    private static func durations(_ timing: Timing) -> String {
        """
        last \(microseconds(timing.lastNanoseconds)), average \(microseconds(timing.averageNanoseconds)), \
        p50 \(microseconds(timing.p50Nanoseconds)), p95 \(microseconds(timing.p95Nanoseconds)), \
        p99 \(microseconds(timing.p99Nanoseconds)), max \(microseconds(timing.maxNanoseconds)), \
        sum \(microseconds(timing.totalNanoseconds))
        """
    }

    private static func microseconds(_ nanoseconds: UInt64) -> String {
        "\(nanoseconds / 1_000).\(nanoseconds % 1_000 / 100) µs"
    }
}
