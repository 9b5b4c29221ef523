// SPDX-License-Identifier: MIT
// Whether a trace's metadata is all there: libbabeltrace2 2.0.4 reads on for ever in a packet that was cut off.

internal import FoundationEssentials
internal import Glibc

/// The file `metadata` of a trace: text, or packets of text, each with its size before it.
enum MetadataFile {
    private static let magic: UInt32 = 0x75D1_1D57
    /// Magic, UUID, checksum, content and packet size in bits, five bytes of kinds and version.
    private static let header = 37
    /// More than any tracer writes: a megabyte is some thousand kinds of events.
    private static let mostBytes = 256 << 20

    /// False where a packet says that it is longer than the file, or shorter than its own header.
    static func isWhole(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_size <= mostBytes,
            let data = try? Data(contentsOf: URL(filePath: path))
        else { return false }
        return isWhole(Array(data))
    }

    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return !bytes.isEmpty }
        let isSwapped = word(bytes, 0, isSwapped: false) == magic.byteSwapped
        guard isSwapped || word(bytes, 0, isSwapped: false) == magic else { return true }
        var start = 0
        while start < bytes.count {
            guard bytes.count - start >= header, word(bytes, start, isSwapped: isSwapped) == magic else { return false }
            let content = Int(word(bytes, start + 24, isSwapped: isSwapped) / 8)
            let packet = Int(word(bytes, start + 28, isSwapped: isSwapped) / 8)
            guard content >= header, packet >= content, packet <= bytes.count - start else { return false }
            start += packet
        }
        return true
    }

    private static func word(_ bytes: [UInt8], _ start: Int, isSwapped: Bool) -> UInt32 {
        let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
        return isSwapped ? word.byteSwapped : word
    }
}
