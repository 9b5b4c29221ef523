// SPDX-License-Identifier: MIT
// Reads files of the kernel.

import FoundationEssentials

/// Files of the kernel, whose size is not known before they are read.
package enum ProcFile {
    /// The file's text; empty where it cannot be read.
    package static func read(_ path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
