// SPDX-License-Identifier: MIT
// Text of unknown origin made safe inside a page.

/// Escapes data for a page; ``Markup`` escapes what is shown.
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
}
