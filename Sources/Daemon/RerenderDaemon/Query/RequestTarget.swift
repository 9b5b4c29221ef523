// SPDX-License-Identifier: MIT
// The target of an HTTP request taken apart: path and parameters.

/// The path and the parameters of a request.
struct RequestTarget {
    var path: String
    var parameters: [(name: String, value: String)]

    /// Splits `path?name=value&…` and undoes the percent encoding; bytes that are no UTF-8 become U+FFFD.
    init(_ uri: String) {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts.first ?? "", plusIsBlank: false)
        parameters = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                Self.decoded(sides[0], plusIsBlank: true),
                sides.count > 1 ? Self.decoded(sides[1], plusIsBlank: true) : ""
            )
        }
    }

    private static func decoded(_ text: Substring, plusIsBlank: Bool) -> String {
        let encoded = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            if byte == UInt8(ascii: "%"), index + 2 < encoded.count,
                let high = hexDigit(encoded[index + 1]), let low = hexDigit(encoded[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
