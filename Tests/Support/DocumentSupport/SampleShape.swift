// SPDX-License-Identifier: MIT
// What must be the same in a sample of output and in a run: every word, but no number.

import Foundation

/// Output without its numbers and line breaks.
struct SampleShape {
    private let words: [String]

    init(_ text: String) { words = Self.words(of: text) }

    /// The lines of a sample that a run did not print.
    func missing(from sample: [String]) -> [String] {
        sample.filter { line in
            let wanted = Self.words(of: line)
            return !wanted.isEmpty && !contains(wanted)
        }
    }

    private func contains(_ wanted: [String]) -> Bool {
        guard wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { start in
            words[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }

    /// Columns of a table that are there if they fit, which the widths of numbers decide.
    private static let whatFits: Set = [
        "RATE", "INST", "AVG", "P95", "P99", "MAX", "SELF", "TOTAL", "WTIME", "AGO", "PLACE", "COMMITS",
    ]

    /// Numbers in a row with their units and signs become one `#`, also the `-` of a cell without one. What the thread did in a hang
    /// depends on what else the machine does. A file's module is left out where a wide number takes its room.
    static func words(of text: String) -> [String] {
        let verdict = /running,|starved of a processor,|blocked in \S+ \(\S+\),/
        let text = text.replacing(verdict, with: "VERDICT,").replacing(/\w+\/(\w+\.swift)/) { $0.1 }
        return text.split(whereSeparator: \.isWhitespace).map(String.init).filter {
            $0 != "…" && !whatFits.contains($0)
        }.map { word in
            if word == "-" { return "#" }
            let number = /[~<]*\d[\d,.:]*(?:ns|µs|ms|s|k|m|MB|MiB|KiB|kB|GiB|B)?(?:\/s)?%?/
            return word.replacing(/[█▁▂▃▄▅▆▇]+/, with: "#").replacing(number, with: "#")
        }.reduce(into: []) { words, word in
            if word != "#" || words.last != "#" { words.append(word) }
        }
    }
}
