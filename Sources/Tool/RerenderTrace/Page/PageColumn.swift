// SPDX-License-Identifier: MIT
// Columns of numbers, packed: what the page has a million of.

/// Numbers of seven bits a byte, lowest first, as Base64.
package enum PageColumn: Sendable {
    /// The largest number that JavaScript holds exactly; larger ones are cut to it.
    package static let largest: UInt64 = (1 << 53) - 1

    /// Packs numbers.
    package static func pack(_ numbers: some Sequence<UInt64>) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers {
            var rest = Swift.min(number, largest)
            while rest > 127 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
        return bytes
    }

    /// Packs rising numbers as what each adds to the one before.
    package static func packRising(_ numbers: some Sequence<UInt64>) -> [UInt8] {
        var last: UInt64 = 0
        return pack(
            numbers.lazy.map { number in
                let number = Swift.max(last, Swift.min(number, largest))
                defer { last = number }
                return number - last
            })
    }

    /// Base64 with padding.
    package static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = Swift.min(3, bytes.count - start)
            var bits: UInt32 = 0
            for offset in 0..<3 { bits = bits << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for digit in 0..<4 {
                text.append(digit <= count ? letters[Int(bits >> (18 - 6 * UInt32(digit)) & 63)] : UInt8(ascii: "="))
            }
        }
        return text
    }
}
