// SPDX-License-Identifier: MIT
// Where a command's text goes, and what that place can show.

import RerenderModel

/// An output with what it can show.
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

    /// Colours go to terminals that know them, and to nobody who set `NO_COLOR` to anything.
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
