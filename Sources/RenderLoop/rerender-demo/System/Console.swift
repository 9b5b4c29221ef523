// SPDX-License-Identifier: MIT
// Standard output and standard error.

import Foundation

/// Output that a reader at the other end of a pipe sees at once.
enum Console {
    static func print(_ text: String) { write(text + "\n", to: .standardOutput) }
    static func error(_ text: String) { write(text + "\n", to: .standardError) }
    /// As it is, without the end of a line.
    static func write(_ text: String) { write(text, to: .standardOutput) }

    private static func write(_ text: String, to file: FileHandle) {
        // A reader that has left is no reason to stop.
        try? file.write(contentsOf: Data(text.utf8))
    }
}
