// SPDX-License-Identifier: MIT
// Quotes text for a shell.

/// Words as a shell takes them.
package enum ShellWord {
    /// The word, quoted where a shell would change it.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || plain.contains($0) }
        return isPlain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }

    /// Words as one line.
    package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// A path in a command that is to be copied.
    package static func path(_ path: String) -> String { quoted(Printable.text(path)) }

    private static let plain = Set("0123456789-_./:=,@%+".unicodeScalars)
}
