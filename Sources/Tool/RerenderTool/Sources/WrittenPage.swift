// SPDX-License-Identifier: MIT
// What is said of a page that was written.

import FoundationEssentials
import RerenderShow

/// A page for a browser, once it is in its place.
struct WrittenPage: Sendable {
    let evaluations: UInt64
    var bytes: UInt64 = 0

    /// Says what was written and how to open it: on standard error where the page itself went to standard output.
    func say(path: String) throws {
        guard path != "-" else { return FailureText.note("rerenderctl: \(text("the page"))") }
        let address = FilePath.real(path).map { ". Open it in a browser: \(URL(filePath: $0).absoluteString)" } ?? ""
        try Console.output.show(text(Printable.text(path)) + address)
    }

    private func text(_ what: String) -> String {
        "wrote \(what): \(Counted.text(evaluations, "evaluation")), \(ByteText.short(bytes))"
    }
}
