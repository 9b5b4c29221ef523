// SPDX-License-Identifier: MIT
// Links in a terminal: OSC 8.

import Glibc

/// What terminals understand beside texts.
enum TerminalLink {
    /// Terminals that print control sequences (OSC) which they do not know, or have neither links nor a clipboard.
    private static let plain = ["linux", "dumb", "ansi", "vt", "cons", "sun", "hurd"]

    /// Whether a terminal of this type may have links and a clipboard; false where it is known to lack them.
    static func isKnown(by terminal: String) -> Bool { !plain.contains { terminal.hasPrefix($0) } }

    /// The address of a file on this machine.
    static func address(of path: String) -> String {
        let escaped = path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(scalar))
            let hex = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(Character(scalar)) : "%" + (hex.utf8.count < 2 ? "0" : "") + hex
        }
        return "file://\(host)\(escaped)"
    }

    /// Without it, a terminal on another machine would look for the file there.
    private static let host: String = {
        var bytes = [UInt8](repeating: 0, count: 256)
        // Fills at most as many bytes as it is told, one less than there are.
        let isNamed = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe gethostname(start.assumingMemoryBound(to: CChar.self), buffer.count - 1) == 0
        }
        let name = isNamed ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : ""
        return name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") } ? name : ""
    }()
}
