// SPDX-License-Identifier: MIT
// Writing what is generated in documents anew: samples of output, and the help.

import Foundation

/// With `RERENDER_WRITE_SAMPLES` in the environment, as `Scripts/samples` sets it, tests first write what they then compare.
enum Recording {
    static let isOn = ProcessInfo.processInfo.environment["RERENDER_WRITE_SAMPLES"] != nil

    static func replace(_ path: String, with text: String) throws {
        guard isOn else { return }
        try text.write(to: Document.root.appending(path: path), atomically: true, encoding: .utf8)
    }
}
