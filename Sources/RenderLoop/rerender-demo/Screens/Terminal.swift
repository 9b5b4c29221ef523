// SPDX-License-Identifier: MIT
// A terminal for a program that draws: taken over, and given back on every way out but SIGKILL.

import CShared
import Foundation

/// The terminal, as bytes.
///
/// Proof of the unsafe parts: buffers, settings and numbers are local, lent for the call, and written within their size.
/// What restores the screen is a constant, which lives as long as the process.
enum Terminal {
    private static let opening = "\u{1B}[?1049h\u{1B}[?25l"
    private static let closing: StaticString = "\u{1B}[?25h\u{1B}[?1049l\0"
    private static let endOfTransmission: UInt8 = 4

    /// Takes the terminal over: keys come as bytes and are not shown, on a screen of their own without a cursor. Ctrl-C
    /// still is SIGINT; Ctrl-Z is not SIGTSTP. Once in a process.
    static func take() throws(TerminalError) {
        let fault = cterminal_restore_prepare()
        guard fault == 0 else { throw TerminalError(number: fault) }
        var raw = unsafe cterminal_restore_saved().pointee
        raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
        unsafe withUnsafeMutableBytes(of: &raw.c_cc) { keys in
            unsafe keys[Int(VSUSP)] = 0
            unsafe keys[Int(VMIN)] = 1
            unsafe keys[Int(VTIME)] = 0
        }
        guard atexit(cterminal_restore_now) == 0 else { throw TerminalError(number: ENOMEM) }
        // Armed before the terminal changes, so that there is no moment in which nothing would restore it.
        unsafe cterminal_restore_arm(UnsafeRawPointer(closing.utf8Start).assumingMemoryBound(to: CChar.self))
        while unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0 {
            if errno == EINTR { continue }
            let error = errno
            cterminal_restore_disarm()
            throw TerminalError(number: error)
        }
        Console.write(opening)
    }

    /// What was typed; nothing more to come is a key of its own, which a terminal that is gone is too. To be called when
    /// there is something to read.
    static func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        var count = 0
        repeat {
            count = unsafe Foundation.read(STDIN_FILENO, &bytes, bytes.count)
        } while count < 0 && errno == EINTR
        return count > 0 ? Array(bytes.prefix(count)) : [endOfTransmission]
    }

    /// The size of the terminal in cells; what is usual where it does not say.
    static func size() -> (columns: Int, lines: Int) {
        var size = winsize()
        if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) != 0 { size = winsize() }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

/// The terminal cannot be taken over.
struct TerminalError: Error, CustomStringConvertible {
    let number: CInt

    var description: String { "the terminal cannot be taken over (errno \(number)); give a script: --script STEPS" }
}
