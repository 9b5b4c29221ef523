// SPDX-License-Identifier: MIT
// Text of unknown origin made safe inside a page.

/// Escapes for the two places where a page holds text of a trace.
package enum PageText: Sendable {
    /// JSON that cannot end the element it stands in, whatever strings it holds.
    ///
    /// Only strings can hold these characters, and in strings they may be written as escapes.
    package static func script(json: some Sequence<UInt8>) -> [UInt8] {
        var safe: [UInt8] = []
        for byte in json {
            if "<>&".utf8.contains(byte) {
                safe += "\\u00\(String(byte, radix: 16))".utf8
            } else {
                safe.append(byte)
            }
        }
        return safe
    }

    /// Text between tags or in an attribute.
    package static func markup(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = [
            "<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;",
        ]
        return text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
