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
                let high = Character(Unicode.Scalar(encoded[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(encoded[index + 2])).hexDigitValue
            {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
