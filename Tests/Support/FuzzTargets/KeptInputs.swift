// SPDX-License-Identifier: MIT
// The inputs that are kept of a fuzz target: each line of its file is one, in Base64.

import Foundation
import TestSupport

/// The kept inputs of a target.
package struct KeptInputs {
    private static let directory = Checkout.url("Tests/Pure/FuzzTests/Corpora")

    /// The names of the targets that have some.
    package static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".txt") }
            .map { String($0.dropLast(4)) }
    }

    package let lines: [Substring]

    package init(of name: String) throws {
        lines = try TestFile.text(Self.directory.path + "/\(name).txt").split(separator: "\n")
    }

    /// Each input; nil for a line that is no Base64.
    package var inputs: [[UInt8]?] { lines.map { line in Data(base64Encoded: String(line)).map { [UInt8]($0) } } }
}
