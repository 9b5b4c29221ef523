// SPDX-License-Identifier: MIT
// The columns and lines of a terminal.

import Glibc
import RerenderModel

/// The size of a terminal, or an assumed one.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var lines: Int

    package init(columns: Int, lines: Int) {
        (self.columns, self.lines) = (columns, lines)
    }

    /// Where nothing says how wide the output is.
    package static let fallback = TerminalSize(columns: 80, lines: 24)
    /// Wide enough that nothing is cut.
    package static let unlimitedColumns = 100_000

    /// `$COLUMNS` and `$LINES` where they are set, else what the terminal says, else 80 by 24.
    ///
    /// Widths outside of 20...1000 are ignored.
    ///
    /// - Parameter columns: What takes the place of the 80.
    package static func of(
        _ stream: OutputStream, columns otherwise: Int = fallback.columns,
        environment: (String) -> String? = { environmentVariable($0) }
    ) -> TerminalSize {
        let asked = ask(stream.descriptor)
        let columns =
            plausible(environment("COLUMNS").flatMap { Int($0) }, 20...1_000) ?? plausible(asked?.columns, 20...1_000)
        let lines = plausible(environment("LINES").flatMap { Int($0) }, 5...1_000) ?? plausible(asked?.lines, 5...1_000)
        return TerminalSize(columns: columns ?? otherwise, lines: lines ?? fallback.lines)
    }

    private static func plausible(_ number: Int?, _ range: ClosedRange<Int>) -> Int? {
        number.flatMap { range.contains($0) ? $0 : nil }
    }

    private static func ask(_ descriptor: CInt) -> TerminalSize? {
        var size = winsize()
        // TIOCGWINSZ writes one winsize, which is what it is given.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }
}
