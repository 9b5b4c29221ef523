// SPDX-License-Identifier: MIT
// The terminal of `top`, and links in it. All calls into curses are here.

import CScreen
import Glibc

/// The terminal, taken over. Curses is for one thread, and that is the main one.
@MainActor
struct TopScreen {
    let look: TopLook
    /// Whether links are sent (OSC 8). A terminal that knows none shows the text alone.
    private let hasLinks: Bool

    /// Rows that one step of the wheel moves.
    private static let wheelRows = 3

    /// Takes the terminal over; throws status 64 where it cannot show a screen.
    ///
    /// Catch the signals first that are to be caught.
    init(colours: Bool) throws(ToolFailure) {
        var look = cscreen_look()
        // Fills the two flags of the local variable.
        switch unsafe cscreen_open(colours, &look) {
        case CSCREEN_OPEN:
            self.look = TopLook(isUTF8: look.is_utf8, hasColours: look.has_colours)
            hasLinks = TerminalLink.isKnown(by: environmentVariable("TERM") ?? "")
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
        let changed = (0..<max(frame.lines.count, old.lines.count)).filter { frame.line(at: $0) != old.line(at: $0) }
        for number in changed {
            let line = frame.line(at: number)
            // Curses does not know of links: where one is gone, it would leave the text as it is.
            if hasLinks, let before = old.line(at: number), links(of: before) != links(of: line) {
                cscreen_redraw(CInt(number))
            }
            cscreen_clear(CInt(number))
            if let line { put(line, at: number) }
        }
        cscreen_show()
        guard hasLinks else { return }
        // Of a line that stayed the same, curses sends nothing.
        for number in changed {
            for link in links(of: frame.line(at: number)) { show(link, at: number) }
        }
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

    private func show(_ link: Link, at line: Int) {
        let address = TerminalLink.address(of: link.file)
        // The texts are lent for the call.
        unsafe cscreen_link(CInt(line), CInt(link.column), link.span.text, link.span.style.rawValue, address)
    }

    /// A place in a line that opens a file.
    private struct Link: Hashable {
        let column: Int
        let span: TopSpan
        let file: String
    }

    private func links(of line: TopLine?) -> [Link] {
        guard let line, line.spans.contains(where: { $0.file != nil }) else { return [] }
        var links: [Link] = []
        var column = 0
        for span in line.spans {
            if let file = span.file { links.append(Link(column: column, span: span, file: file)) }
            column += DisplayWidth.of(span.text)
        }
        return links
    }

    /// The next known input to what is shown; nil if there is none.
    func next(in frame: TopFrame) -> TopEvent? {
        while true {
            let input = cscreen_read()
            if input.kind == CSCREEN_NOTHING { return nil }
            if let known = Self.event(input, frame) { return known }
        }
    }

    private static func event(_ input: cscreen_input, _ frame: TopFrame) -> TopEvent? {
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
        case CSCREEN_CLICK: frame.target(line: Int(input.line), column: Int(input.column)).map { .click($0) }
        case CSCREEN_WHEEL_UP: .wheel(-wheelRows)
        case CSCREEN_WHEEL_DOWN: .wheel(wheelRows)
        default: nil
        }
    }
}

/// What terminals understand beside texts.
enum TerminalLink {
    /// Terminals that print control sequences (OSC) which they do not know, or have neither links nor a clipboard.
    private static let plain = ["linux", "dumb", "ansi", "vt", "cons", "sun", "hurd"]

    /// Whether a terminal of this type may have links and a clipboard; false where it is known to lack them.
    static func isKnown(by terminal: String) -> Bool { !plain.contains { terminal.hasPrefix($0) } }

    /// The address of a file on this machine.
    static func address(of path: String) -> String {
        let escaped = path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
            let hex = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(Character(scalar)) : "%" + (hex.utf8.count < 2 ? "0" : "") + hex
        }
        return "file://\(host)\(escaped)"
    }

    /// Without it, a terminal on another machine would look for the file there.
    private static let host: String = {
        var bytes = [UInt8](repeating: 0, count: 256)
        // Fills at most as many bytes as it gets here, one less than there are.
        let isNamed = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe gethostname(start.assumingMemoryBound(to: CChar.self), buffer.count - 1) == 0
        }
        let name = isNamed ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : ""
        return name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") } ? name : ""
    }()
}
