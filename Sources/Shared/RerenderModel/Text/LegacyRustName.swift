// SPDX-License-Identifier: MIT
// Reads the names that older compilers of Rust mangle.

/// The legacy form: names with their lengths, as C++ has them, and a hash.
enum LegacyRustName {
    /// `h` and sixteen digits.
    private static let hashBytes = 17

    static func read(_ symbol: [UInt8]) -> (path: String, length: Int)? {
        var at = 3
        var parts: [String] = []
        while at < symbol.count, symbol[at] != UInt8(ascii: "E") {
            guard let count = DecimalDigits.read(symbol, &at), count > 0, count <= symbol.count - at else { return nil }
            parts.append(String(decoding: symbol[at..<(at + count)], as: UTF8.self))
            at += count
        }
        guard at < symbol.count, let hash = parts.popLast(), isHash(hash), !parts.isEmpty else { return nil }
        var path = ""
        for part in parts {
            guard let name = unescaped(part) else { return nil }
            path += (path.isEmpty ? "" : "::") + name
        }
        return (path.replacing("{{", with: "{").replacing("}}", with: "}"), at + 1)
    }

    private static func isHash(_ text: String) -> Bool {
        text.utf8.count == hashBytes && text.utf8.first == UInt8(ascii: "h")
            && text.utf8.dropFirst().allSatisfy { DecimalDigits.hexValue($0) != nil }
    }

    private static let escapes: [Substring: String] = [
        "SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",",
    ]

    /// `<alloc::boxed::Box<T>>` of `_$LT$alloc..boxed..Box$LT$T$GT$$GT$`.
    private static func unescaped(_ part: String) -> String? {
        var rest = part[...]
        if rest.hasPrefix("_$") { rest = rest.dropFirst() }
        var name = ""
        while let first = rest.first {
            if rest.hasPrefix("..") {
                name += "::"
                rest = rest.dropFirst(2)
            } else if first == "$" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "$"), let character = character(rest[..<end]) else { return nil }
                name += character
                rest = rest[rest.index(after: end)...]
            } else {
                name.append(first)
                rest = rest.dropFirst()
            }
        }
        return name
    }

    private static func character(_ code: Substring) -> String? {
        if let known = escapes[code] { return known }
        guard code.hasPrefix("u"), code.utf8.count <= 7, let number = UInt32(code.dropFirst(), radix: 16) else {
            return nil
        }
        return Unicode.Scalar(number).map { String(Character($0)) }
    }
}
