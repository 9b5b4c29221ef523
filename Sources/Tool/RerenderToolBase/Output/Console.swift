// SPDX-License-Identifier: MIT
// Standard output and standard error, with their width and colours.

import RerenderModel

/// An output and its abilities.
package struct Console: Sendable {
    package let stream: OutputStream
    package let isTerminal: Bool
    package let colours: Bool

    package static let output = Console(.standardOutput)
    package static let error = Console(.standardError)

    private init(_ stream: OutputStream) {
        self.stream = stream
        self.isTerminal = stream.isTerminal
        self.colours = Self.wantsColours(isTerminal: stream.isTerminal) { environmentVariable($0) }
    }

    /// Whether to use colours: on a capable terminal, unless `NO_COLOR` has a value.
    static func wantsColours(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") ?? "dumb" != "dumb"
    }

    /// Columns to fit text into.
    package var width: Int { TerminalSize.of(stream).columns }

    /// Writes lines.
    package func show(_ lines: [String]) throws {
        try stream.write(lines.map { $0 + "\n" }.joined())
    }

    /// Writes one line.
    package func show(_ line: String) throws {
        try show([line])
    }

    /// Writes sentences as lines that fit.
    package func say(_ text: String) throws {
        try show(Wrap.lines(text, width: width))
    }
}
