// SPDX-License-Identifier: MIT
// The sections of an ELF file by kind and name. Treats the file as hostile input.

/// The section headers of an ELF64 file.
struct FileSections: Sendable {
    /// A part of the file: offsets from its beginning.
    struct Section: Sendable {
        let kind: UInt32
        let link: UInt32
        /// Empty if the file does not have the bytes, or has them compressed.
        let bytes: Range<Int>
        /// Empty if it does not have them compressed; with a header of their own.
        let packed: Range<Int>
        /// Where the file asks for it in memory; empty if it is not loaded with its bytes.
        let memory: Range<UInt64>
        fileprivate let name: UInt32
    }

    let all: [Section]
    private let file: MappedFile
    let names: Range<Int>

    private static let kindWithoutBytes: UInt32 = 8
    private static let compressed: UInt64 = 0x800
    private static let loaded: UInt64 = 0x2
    private static let ofThread: UInt64 = 0x400

    /// How long the header is that says where the headers of sections are.
    static let headerBytes = 64

    /// Where the headers of the sections are, and how many bytes each has; nil as for ``init(_:)``.
    static func headers(of file: MappedFile) -> (all: Range<Int>, step: Int)? {
        // "\u{7f}ELF", 64 bits, little-endian.
        guard file.integer(at: 0, as: UInt32.self) == 0x464C_457F, file.integer(at: 4, as: UInt16.self) == 0x0102,
            let headers = file.integer(at: 0x28, as: UInt64.self).flatMap(Int.init(exactly:)),
            let step = file.integer(at: 0x3A, as: UInt16.self), step >= 64,
            let count = file.integer(at: 0x3C, as: UInt16.self), headers > 0, headers < file.count,
            Int(count) * Int(step) <= file.count - headers
        else { return nil }
        return (headers..<(headers + Int(count) * Int(step)), Int(step))
    }

    /// nil if it is no ELF64 file of this machine's byte order, or is damaged.
    init?(_ file: MappedFile) {
        guard let headers = Self.headers(of: file), let names = file.integer(at: 0x3E, as: UInt16.self) else {
            return nil
        }
        var found: [Section] = []
        for header in stride(from: headers.all.lowerBound, to: headers.all.upperBound, by: headers.step) {
            guard let section = Self.section(of: file, at: header) else { return nil }
            found.append(section)
        }
        all = found
        self.file = file
        self.names = Int(names) < found.count ? found[Int(names)].bytes : 0..<0
    }

    private static func section(of file: MappedFile, at header: Int) -> Section? {
        guard let name = file.integer(at: header, as: UInt32.self),
            let kind = file.integer(at: header + 4, as: UInt32.self),
            let flags = file.integer(at: header + 8, as: UInt64.self),
            let address = file.integer(at: header + 0x10, as: UInt64.self),
            let start = file.integer(at: header + 0x18, as: UInt64.self),
            let size = file.integer(at: header + 0x20, as: UInt64.self),
            let link = file.integer(at: header + 0x28, as: UInt32.self)
        else { return nil }
        let isInside = start <= file.count && size <= UInt64(file.count) - start
        let isThere = isInside && kind != kindWithoutBytes
        let isReadable = isThere && flags & compressed == 0
        let isLoaded = isReadable && flags & (loaded | ofThread) == loaded && address <= UInt64.max - size
        return Section(
            kind: kind, link: link, bytes: isReadable ? Int(start)..<Int(start + size) : 0..<0,
            packed: isThere && !isReadable ? Int(start)..<Int(start + size) : 0..<0,
            memory: isLoaded ? address..<(address + size) : 0..<0, name: name)
    }

    /// Where the section with this name is; empty if there is none, or not as plain bytes.
    func bytes(of name: String) -> Range<Int> { section(name)?.bytes ?? 0..<0 }

    func section(_ name: String) -> Section? {
        all.first { file.text(at: names.lowerBound + Int($0.name), before: names.upperBound) == name }
    }
}
