// SPDX-License-Identifier: MIT
// Standard output and standard error, and the output at the end of a run, if the command line asks for it.

import Foundation
import Rerender

/// The counts as a line of JSON, and the store's export.
struct DemoOutput {
    let printsCounts: Bool
    /// The file for the export.
    let export: String?

    func finish(_ store: RerenderStore, counts: some Encodable) throws {
        if printsCounts {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            Console.print(String(decoding: try encoder.encode(counts), as: UTF8.self))
        }
        if let export { try store.exportJSON().write(to: URL(fileURLWithPath: export)) }
    }
}

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
