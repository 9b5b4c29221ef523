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
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
                safe += "\\u00\(String(byte, radix: 16))".utf8
            default: safe.append(byte)
            }
        }
        return safe
    }

    /// Text between tags or in an attribute.
    package static func markup(_ text: String) -> String {
        var safe = ""
        for character in text.unicodeScalars {
            switch character {
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "&": safe += "&amp;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(character)
            }
        }
        return safe
    }
}
