// SPDX-License-Identifier: MIT
// Where a format writes to: bytes in large pieces, texts in the form that it wants.

/// Collects bytes and hands them on in pieces of some ten kilobytes.
package struct TraceOutput {
    private var bytes: [UInt8] = []
    private let write: ([UInt8]) throws -> Void

    /// Makes an output; `write` gets the bytes in order, and what it throws ends the reading.
    package init(_ write: @escaping ([UInt8]) throws -> Void) {
        self.write = write
        bytes.reserveCapacity(80 << 10)
    }

    mutating func text(_ text: StaticString) {
        // `utf8Start` lives for ever, and is there because no caller's literal is a single scalar.
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func bytes(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    mutating func string(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func number(_ number: some BinaryInteger) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = UInt64(number.magnitude)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Nanoseconds as microseconds with three decimals.
    mutating func microseconds(_ nanoseconds: UInt64) {
        number(nanoseconds / 1_000)
        let rest = nanoseconds % 1_000
        bytes.append(UInt8(ascii: "."))
        for digit in [rest / 100, rest / 10 % 10, rest % 10] { bytes.append(UInt8(ascii: "0") + UInt8(digit)) }
    }

    /// Hands on what was collected if it is enough.
    mutating func flushIfFull() throws {
        if bytes.count >= 64 << 10 { try flush() }
    }

    mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// Texts of a trace as JSON has them, each made once.
struct JSONTexts {
    private var forms: [[UInt8]?] = []

    mutating func bytes(_ id: TextID, _ texts: TraceTexts) -> [UInt8] {
        let index = Int(id.index)
        forms.reach(index, with: nil)
        if let known = forms[index] { return known }
        let made = Self.quoted(texts[id])
        forms[index] = made
        return made
    }

    /// The text in quotation marks, control characters and what ends a script escaped.
    static func quoted(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F:
                bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}
