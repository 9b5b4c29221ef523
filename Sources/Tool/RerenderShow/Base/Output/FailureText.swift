// SPDX-License-Identifier: MIT
// Prints failures and notes on standard error.

/// Failures on standard error.
package enum FailureText {
    /// Writes what happened and what to do. A failed write is ignored: the exit status stays.
    ///
    /// Broken into lines for a terminal alone, and no path or command within a word: they are there to be copied.
    package static func show(_ failure: ToolFailure) {
        note("rerenderctl: \(failure.message)")
    }

    /// Writes a note beside the output of a command.
    package static func note(_ text: String) {
        let console = Console.error
        try? console.show(console.isTerminal ? Wrap.text(text, width: console.width, cutting: false) : [text])
    }
}
