// SPDX-License-Identifier: MIT
// What a run writes when it ends, if the command line asks for it.

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
