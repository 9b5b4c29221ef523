// SPDX-License-Identifier: MIT
// Breaks text into lines.

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

    /// A text of several lines, of which those that fit stay as they are, and those that do not keep their indent.
    package static func text(_ text: String, width: Int, cutting: Bool) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            guard DisplayWidth.of(line) > width else { return [String(line)] }
            let indent = String(line.prefix { $0 == " " })
            let room = max(1, width - indent.count)
            return lines(String(line), width: room, indent: 2, cutting: cutting).map { indent + $0 }
        }
    }
}
