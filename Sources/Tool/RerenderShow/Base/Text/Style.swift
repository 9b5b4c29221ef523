// SPDX-License-Identifier: MIT
// Colour and weight of text on a terminal, and the lines of a verdict.

package import RerenderModel

/// How a piece of text is shown; several at once. Plain unless the output is a terminal.
package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    // The numbers of `cscreen_style`, which leaves what is good as it is.
    package static let plain: Style = []
    package static let bold = Style(rawValue: 1)
    package static let dim = Style(rawValue: 2)
    package static let reverse = Style(rawValue: 4)
    package static let notice = Style(rawValue: 8)
    package static let bad = Style(rawValue: 16)
    package static let good = Style(rawValue: 32)

    private static let codes: [(style: Style, code: String)] = [
        (.bold, "1"), (.dim, "2"), (.reverse, "7"), (.notice, "33"), (.bad, "31"), (.good, "32"),
    ]

    /// The text with the control sequences of this style around it, or as it is when colours are off.
    package func apply(_ text: String, colours: Bool) -> String {
        guard colours, !isEmpty, !text.isEmpty else { return text }
        let codes = Self.codes.filter { contains($0.style) }.map(\.code).joined(separator: ";")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }
}

package struct StyledLine: Hashable, Sendable {
    package var text: String
    package var style: Style = .plain

    package init(text: String, style: Style = .plain) {
        (self.text, self.style) = (text, style)
    }
}

extension Verdict {
    /// A line for each finding, with a mark before a fault and before what is busy; not yet fitted to a width.
    package var lines: [StyledLine] { lines(in: nil) }

    /// The same in a command, which does not name itself as the next one.
    package func lines(in command: String?) -> [StyledLine] {
        // Nothing has more than three of one process: the others come forth when these are mended.
        let hidden = "and \(Counted.text(more, "more finding")), shown once these are mended"
        let rest = more > 0 ? [StyledLine(text: hidden, style: .dim)] : []
        return findings.map { finding in
            let isThis = command.map { name in finding.command?.text.hasPrefix("rerenderctl \(name)") == true } ?? false
            let next = isThis ? "" : finding.command.map { ". Next: \($0)" } ?? ""
            return StyledLine(
                text: finding.kind.mark + MangledNames.readable(finding.text) + next, style: finding.kind.style)
        } + rest
    }
}

extension Verdict.Kind {
    /// The style of a finding.
    package var style: Style {
        switch self {
        case .hangs, .microHangs, .interactions: .bad
        case .sameFrames, .hiddenWidget, .spinning, .layout, .madeAnew, .lateFrames, .cycle, .waste: .notice
        case .nothing: .good
        case .busy, .notJudged, .nothingKnown: .plain
        }
    }
}
