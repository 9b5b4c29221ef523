// SPDX-License-Identifier: MIT
// Standard output and standard error, with their width and colours.

import RerenderModel
import Synchronization

/// When there are colours.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    private static let chosen = Mutex(ColorChoice.auto)

    /// What a command line asked for; ``auto`` where it asked for nothing.
    static var current: ColorChoice { chosen.withLock { $0 } }

    /// Says what a command line asked for, before anything is shown.
    package static func choose(_ choice: ColorChoice) { chosen.withLock { $0 = choice } }

    /// Whether there are colours.
    ///
    /// The command line decides, then `NO_COLOR`, then `FORCE_COLOR`, if they have a value; else a terminal that is not `dumb` has some.
    func areThere(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        func has(_ name: String) -> Bool { environment(name)?.isEmpty == false }
        switch self {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if has("NO_COLOR") { return false }
        if has("FORCE_COLOR") { return true }
        return isTerminal && environment("TERM") ?? "dumb" != "dumb"
    }
}

/// An output and its abilities.
package struct Console: Sendable {
    package let stream: OutputStream
    package let isTerminal: Bool

    package static let output = Console(.standardOutput)
    package static let error = Console(.standardError)

    private init(_ stream: OutputStream) {
        self.stream = stream
        self.isTerminal = stream.isTerminal
    }

    /// Whether text has colours: see ``ColorChoice``.
    package var colours: Bool {
        ColorChoice.current.areThere(isTerminal: isTerminal) { environmentVariable($0) }
    }

    /// Columns to break sentences for.
    package var width: Int { TerminalSize.of(stream).columns }

    /// Columns to fit tables into. Off a terminal nothing is cut, unless `COLUMNS` says where.
    package var tableWidth: Int {
        isTerminal ? width : TerminalSize.of(stream, columns: TerminalSize.unlimitedColumns).columns
    }

    /// Writes lines, in ASCII where the locale has no more.
    package func show(_ lines: [String]) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try stream.write(ASCIIText.isUTF8 { environmentVariable($0) } ? text : ASCIIText.of(text))
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
