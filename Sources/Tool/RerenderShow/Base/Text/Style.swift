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

// Cuts and pads text to a width, and breaks it into lines.

/// Cuts and pads text to columns.
package enum Fit {
    /// Marks omitted text; one column.
    static let ellipsis = "…"

    /// The text in at most `width` columns, with its middle left out where it is longer.
    ///
    /// Names differ at their ends (`Shop/Cart.swift:12`), so both ends stay; the end gets the odd column.
    package static func middle(_ text: String, _ width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 1 else { return width == 1 ? ellipsis : "" }
        let head = prefix(text, (width - 1) / 2)
        let tail = suffix(text, width - 1 - DisplayWidth.of(head))
        return head + ellipsis + tail
    }

    /// The text in at most `width` columns, with its end left out where it is longer.
    package static func end(_ text: String, _ width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 0 else { return "" }
        return prefix(text, width - 1) + ellipsis
    }

    /// The text with blanks up to `width` columns on its right or, for numbers, on its left.
    package static func pad(_ text: String, _ width: Int, toTheRight: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        return toTheRight ? blanks + text : text + blanks
    }

    private static func prefix(_ text: String, _ width: Int) -> String {
        var left = width
        return String(
            text.prefix {
                left -= DisplayWidth.of($0)
                return left >= 0
            })
    }

    private static func suffix(_ text: String, _ width: Int) -> String {
        var left = width
        var tail: [Character] = []
        for character in text.reversed() {
            left -= DisplayWidth.of(character)
            guard left >= 0 else { break }
            tail.append(character)
        }
        return String(tail.reversed())
    }
}

extension Fit {
    /// A number with zeros before it up to `digits`.
    package static func zeros(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// Breaks text at blanks.
///
/// A command is neither broken nor cut: the second line of one that was copied would be another command. It is what follows one of
/// ``commandLabels``, or begins with the variable that chooses a daemon, to the end of its line.
package enum Wrap {
    private static let commandLabels: Set<Substring> = ["Run:", "run:", "Next:", "See:", "was:"]

    /// The text in lines of at most `width` columns; lines after the first start with `indent` blanks.
    ///
    /// A word that is longer than a line is shortened in its middle, or left as it is where `cutting` is false.
    package static func lines(_ text: String, width: Int, indent: Int = 0, cutting: Bool = true) -> [String] {
        let width = max(width, indent + 8)
        let blanks = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        let words = text.split(separator: " ")
        let plain =
            words.firstIndex { commandLabels.contains($0) || $0.hasPrefix("RERENDER_RUNTIME_DIR=") } ?? words.count
        let command = words[plain...].first.map { [text[$0.startIndex...]] } ?? []
        func fit(_ word: Substring, _ width: Int) -> String {
            cutting && word.startIndex != command.first?.startIndex ? Fit.middle(String(word), width) : String(word)
        }
        for word in words[..<plain] + command {
            let start = line.isEmpty ? (lines.isEmpty ? "" : blanks) : line + " "
            if !line.isEmpty, DisplayWidth.of(start) + DisplayWidth.of(word) > width {
                lines.append(line)
                line = blanks + fit(word, width - indent)
            } else {
                line = start + fit(word, width - DisplayWidth.of(start))
            }
        }
        return lines + [line]
    }

    /// A text of several lines: those that fit stay as they are, and those that do not fit keep their indent.
    package static func text(_ text: String, width: Int, cutting: Bool) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            guard DisplayWidth.of(line) > width else { return [String(line)] }
            let indent = String(line.prefix { $0 == " " })
            let room = max(1, width - indent.count)
            return lines(String(line), width: room, indent: 2, cutting: cutting).map { indent + $0 }
        }
    }
}
