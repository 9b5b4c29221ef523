// SPDX-License-Identifier: MIT
// Numbers of seven bits a byte.

/// Numbers in as few bytes as they need: seven bits a byte, lowest first; all bytes but a number's last have the highest bit.
enum Varint {
    /// Adds a number to bytes.
    @inline(__always)
    static func add(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Takes the number that begins at a place, and goes on behind it.
    @inline(__always)
    static func take(_ bytes: [UInt8], _ place: inout Int) -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while true {
            let byte = bytes[place]
            place += 1
            number |= UInt64(byte & 127) << shift
            guard byte > 127 else { return number }
            shift += 7
        }
    }
}
