// SPDX-License-Identifier: MIT
// A hang in the words of a notification.

import RerenderModel

/// What a notification says of a hang.
struct NotificationText: Hashable, Sendable {
    var summary: String
    /// Markup, for some desktops.
    var body: Markup

    /// Longer names fill a desktop; what matters stands at their beginning.
    private static let longest = 80

    init(_ hang: Hang, suppressed: UInt64) {
        summary = "\(Self.plain(hang.process)) hung for \(Self.duration(hang.durationNanoseconds))"
        var sentences: [Markup] = [Self.blame(hang)] + Self.threshold(hang)
        if let share = Self.percent(hang.starvedNanoseconds, of: hang, least: 5) {
            sentences.append("The thread had no processor for \(share) of it.")
        }
        if let share = Self.percent(hang.stoppedNanoseconds, of: hang, least: 5) {
            sentences.append("The process was stopped for \(share) of it.")
        }
        if let waitingOn = hang.waitingOn { sentences.append("It waited in \(Self.plain(waitingOn)).") }
        if suppressed > 0 {
            sentences.append("\(suppressed) more \(suppressed == 1 ? "hang" : "hangs") since the last notice.")
        }
        body = sentences.joined(separator: " ")
    }

    private static func blame(_ hang: Hang) -> Markup {
        guard let blamed = hang.blamedName else {
            return hang.unattributedNanoseconds == nil
                ? "How long each body ran in it is not known." : "No view had a fifth of it."
        }
        let phase = (hang.phase ?? .body).rawValue
        let name = (hang.handler == nil ? "the \(phase) of " : "the handler ") + plain(blamed)
        let share = percent(hang.share ?? 0, of: hang, least: 1) ?? "Part"
        return hang.guess ? "Perhaps in \(name)." : "\(share) of it was in \(name)."
    }

    /// Who ran when the threshold was crossed, if that is another view.
    private static func threshold(_ hang: Hang) -> [Markup] {
        guard let view = hang.viewAtThreshold, !hang.isInBodyAtThreshold else { return [] }
        return ["\(plain(view.displayName)) ran when it became a hang."]
    }

    /// A part in percent; nil below `least`.
    private static func percent(_ nanoseconds: UInt64, of hang: Hang, least: UInt64) -> String? {
        let percent = min(100, nanoseconds / max(1, hang.durationNanoseconds / 100))
        return percent < least ? nil : "\(percent)%"
    }

    private static func duration(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    private static func plain(_ text: String) -> String {
        let safe = Printable.text(text)
        return safe.count > longest ? String(safe.prefix(longest)) + "…" : safe
    }
}
