// SPDX-License-Identifier: MIT
// Writes JSON piece by piece, byte for byte as `JSONEncoder` writes it, at the speed of copying.

/// JSON under construction: call the members in the order of the text, keys in sorted order.
///
/// Exists because a `JSONEncoder` holds the whole document and needs 20 µs for each view. What it writes is fixed by
/// ``StatsExport/encoder()``; the tests compare the two byte for byte.
package struct JSONText: Sendable {
    /// How the text is laid out.
    package enum Style: Sendable {
        /// Two blanks a level, as `.prettyPrinted`.
        case pretty
        /// On one line.
        case compact
    }

    /// What was written and not yet taken.
    package private(set) var bytes: [UInt8] = []
    private let style: Style
    private var depth = 0
    private var isFirst = true

    package init(_ style: Style) {
        self.style = style
    }

    /// Hands out what was written and begins with an empty buffer of the same capacity.
    package mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        taken.reserveCapacity(bytes.count)
        swap(&taken, &bytes)
        return taken
    }

    /// Ends a document of JSON lines.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        isFirst = true
    }

    // MARK: Structure

    package mutating func object(_ members: (inout JSONText) -> Void) {
        open(UInt8(ascii: "{"))
        members(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array<Elements: Sequence>(
        _ elements: Elements, _ element: (inout JSONText, Elements.Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for one in elements {
            separate()
            element(&self, one)
        }
        close(UInt8(ascii: "]"))
    }

    package mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        depth += 1
        isFirst = true
    }

    package mutating func close(_ bracket: UInt8) {
        if style == .pretty {
            if isFirst { bytes.append(UInt8(ascii: "\n")) }
            depth -= 1
            newLine()
        }
        bytes.append(bracket)
        isFirst = false
    }

    /// Stands before each element of an array.
    package mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if style == .pretty { newLine() }
    }

    /// Stands before each value of an object.
    package mutating func key(_ name: String) {
        separate()
        string(name)
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth * 2 { bytes.append(UInt8(ascii: " ")) }
    }

    // MARK: Values

    package mutating func flag(_ value: Bool) {
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// A finite number, as short as it can be and still be itself.
    mutating func number(_ value: Double) {
        bytes.append(contentsOf: "\(value)".utf8)
    }

    package mutating func integer<T: FixedWidthInteger>(_ value: T) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = UInt64(value.magnitude)
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            rest = quotient
        } while rest > 0
        bytes[start...].reverse()
    }

    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let utf8 = text.utf8
        if utf8.contains(where: Self.isEscaped) {
            for byte in utf8 { append(escaping: byte) }
        } else {
            bytes.append(contentsOf: utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(escaping byte: UInt8) {
        guard Self.isEscaped(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(Array("0123456789abcdef".utf8)[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
