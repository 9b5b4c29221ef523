// SPDX-License-Identifier: MIT
// Where a command's text goes, and what that place can show.

import RerenderModel

/// An output with what it can show.
struct Console: Sendable {
    let stream: OutputStream
    let isTerminal: Bool
    let colours: Bool

    static let output = Console(.standardOutput)
    static let error = Console(.standardError)

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
    var width: Int { TerminalSize.of(stream).columns }

    /// Writes lines.
    func show(_ lines: [String]) throws {
        try stream.write(lines.map { $0 + "\n" }.joined())
    }

    /// Writes one line.
    func show(_ line: String) throws {
        try show([line])
    }

    /// Writes sentences as lines that fit.
    func say(_ text: String) throws {
        try show(Wrap.lines(text, width: width))
    }
}
