// SPDX-License-Identifier: MIT
// The terminal of `top`. All calls into curses are here.

import CScreen

/// The terminal, taken over. Curses is for one thread, and that is the main one.
@MainActor
struct TopScreen {
    /// Takes the terminal over; throws status 64 where it cannot show a screen.
    ///
    /// Catch the signals first that are to be caught.
    init(colours: Bool) throws(ToolFailure) {
        switch cscreen_open(colours) {
        case CSCREEN_OPEN: break
        case CSCREEN_SYSTEM:
            throw ToolFailure(ExitStatus.inputOutput, "the terminal cannot be set up: \(SystemText.latest)")
        case CSCREEN_NO_CURSOR:
            throw .usage("this terminal (TERM=\(Self.terminal)) cannot position its cursor.\n\(Self.alternative)")
        default:
            throw .usage(
                "TERM=\(Self.terminal) is not a known terminal.\n"
                    + "Set TERM to the terminal's type, such as xterm-256color. \(Self.alternative)")
        }
    }

    private static var terminal: String { Printable.text(environmentVariable("TERM") ?? "") }
    private static let alternative = "For a plain table, use: rerenderctl stats"

    /// Gives the terminal back as it was.
    func close() { cscreen_close() }

    /// Takes it again.
    func resume() { cscreen_resume() }

    /// Has all of the next frame sent.
    func repaint() { cscreen_repaint() }

    /// How large it is now.
    func measure() -> TerminalSize {
        var (columns, lines): (CInt, CInt) = (0, 0)
        // Fills the two local variables.
        unsafe cscreen_measure(&columns, &lines)
        return TerminalSize(columns: max(1, Int(columns)), lines: max(1, Int(lines)))
    }

    /// Shows a frame.
    ///
    /// - Parameter old: The one before; empty where the screen may show anything. Lines that stayed the same are left alone.
    func draw(_ frame: TopFrame, over old: TopFrame) {
        if old.lines.isEmpty { cscreen_begin() }
        for number in 0..<max(frame.lines.count, old.lines.count)
        where frame.line(at: number) != old.line(at: number) {
            cscreen_clear(CInt(number))
            if let line = frame.line(at: number) { put(line, at: number) }
        }
        cscreen_show()
    }

    private func put(_ line: TopLine, at number: Int) {
        var column = 0
        for span in line.spans {
            // Each at its own place: where the terminal's idea of a width is another, the error ends with the span.
            // The text is lent for the call.
            unsafe cscreen_put(CInt(number), CInt(column), span.text, span.style.rawValue)
            column += DisplayWidth.of(span.text)
        }
    }

    /// The next known key; nil where no key waits.
    func next() -> TopEvent? {
        while true {
            let input = cscreen_read()
            if input.kind == CSCREEN_NOTHING { return nil }
            if let known = Self.event(input) { return known }
        }
    }

    private static func event(_ input: cscreen_input) -> TopEvent? {
        switch input.kind {
        case CSCREEN_CHARACTER: Unicode.Scalar(input.code).map { .key(.character(Character($0))) }
        case CSCREEN_UP: .key(.up)
        case CSCREEN_DOWN: .key(.down)
        case CSCREEN_LEFT: .key(.left)
        case CSCREEN_RIGHT: .key(.right)
        case CSCREEN_TAB: .key(.tab)
        case CSCREEN_BACK_TAB: .key(.backTab)
        case CSCREEN_PAGE_UP: .key(.pageUp)
        case CSCREEN_PAGE_DOWN: .key(.pageDown)
        case CSCREEN_HOME: .key(.home)
        case CSCREEN_END: .key(.end)
        case CSCREEN_ENTER: .key(.enter)
        case CSCREEN_BACKSPACE: .key(.backspace)
        case CSCREEN_ESCAPE: .key(.escape)
        default: nil
        }
    }
}
