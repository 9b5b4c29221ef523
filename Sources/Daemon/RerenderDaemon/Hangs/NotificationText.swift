// SPDX-License-Identifier: MIT
// A hang in the words of a notification.

import RerenderModel

/// What a notification says of a hang.
struct NotificationText: Hashable, Sendable {
    var summary: String
    /// Markup, for some desktops; so nothing of an app's is in it unescaped.
    var body: String

    /// Longer names fill a desktop; what matters stands at their beginning.
    private static let longest = 80

    init(_ hang: Hang, suppressed: UInt64) {
        summary = "\(Self.plain(hang.process)) hung for \(Self.duration(hang.durationNanoseconds))"
        var sentences = [Self.blame(hang)]
        if let waitingOn = hang.waitingOn { sentences.append("It waited in \(Self.escaped(waitingOn)).") }
        if suppressed > 0 {
            sentences.append("\(suppressed) more \(suppressed == 1 ? "hang" : "hangs") since the last notice.")
        }
        body = sentences.joined(separator: " ")
    }

    private static func blame(_ hang: Hang) -> String {
        guard let view = hang.view else {
            return hang.verdict == .starved ? "Other programs took the processor." : "No view is blamed."
        }
        let name = escaped(view.displayName)
        switch hang.attribution {
        case .inBody: return "In the body of \(name)."
        case .share: return "Most of it was spent in \(name)."
        case .lastRendered: return "\(name) was evaluated last before it; that is a guess."
        case .none: return "No view is blamed."
        }
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

    private static func escaped(_ text: String) -> String {
        var markup = ""
        for character in plain(text) {
            switch character {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            default: markup.append(character)
            }
        }
        return markup
    }
}
