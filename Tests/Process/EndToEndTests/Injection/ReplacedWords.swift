// SPDX-License-Identifier: MIT
// What of Rerender's stands in the files of a process, read from outside: the kernel shows its memory.

import Foundation
import TestSupport
import Testing

/// Words in files of a process that lead to code of Rerender's. Rerender's own files are not looked at, nor what the loader itself binds to the
/// preloaded library, which is there before the program begins.
struct ReplacedWords: CustomStringConvertible {
    /// How many words of the part of a file that can be written, or could until it was loaded: by the file's name.
    private(set) var leading: [String: Int] = [:]
    /// The files whose code or constants differ from what is on the disk.
    private(set) var changed: [String] = []

    var areNone: Bool { leading.isEmpty && changed.isEmpty }
    var description: String { "leading: \(leading), changed: \(changed)" }

    init(of process: Int32) async throws {
        let mappings = try TestFile.text("/proc/\(process)/maps").split(separator: "\n")
            .compactMap { FileMapping(line: $0) }
        let memory = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/mem"))
        let bound = try await Self.bound(of: mappings)
        let code = mappings.filter { $0.isCode && $0.name.hasPrefix("librerender-") }
        let programs = Set(mappings.filter(\.isCode).map(\.path))
        var known: Set<String> = []
        // Of each, the first mapping is that of the file's beginning.
        for first in mappings where programs.contains(first.path) && known.insert(first.path).inserted {
            if first.isOfOurs { continue }
            guard let file = try? Data(contentsOf: URL(filePath: first.path)) else { continue }
            let segments = FilePart.segments(of: file)
            guard let lowest = segments.first else { continue }
            func read(_ part: FilePart) throws -> Data {
                try memory.seek(toOffset: first.low - lowest.address / 4096 * 4096 + part.address)
                let found = try memory.read(upToCount: part.size) ?? Data()
                try #require(found.count == part.size, "\(first.path)")
                return found
            }
            // Swift's default linker puts constants into the segment that can be written.
            let constants = segments.filter { !$0.isWritten } + FilePart.constants(of: file).filter(\.isWritten)
            if try constants.contains(where: { try read($0) != file.dropFirst($0.offset).prefix($0.size) }) {
                changed.append(first.name)
            }
            let count = try segments.filter(\.isWritten).flatMap { Self.words(of: try read($0)) }.count { word in
                !bound.contains(word) && code.contains { $0.low <= word && word < $0.high }
            }
            if count > 0 { leading[first.name] = count }
        }
    }

    private static func words(of bytes: Data) -> [UInt64] {
        [UInt8](bytes).withUnsafeBytes { all in
            stride(from: 0, to: all.count / 8 * 8, by: 8).map { all.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
    }

    /// Where the functions are that the preloaded library has for all by their names.
    private static func bound(of mappings: [FileMapping]) async throws -> Set<UInt64> {
        guard let library = mappings.first(where: { $0.name == "librerender-preload.so" }) else { return [] }
        let nm = try #require(ChildProcess.path(of: "nm"))
        let symbols = try await ChildProcess.run([nm, "-D", "--defined-only", library.path]).standardOutput
        let places = symbols.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        return Set(places.compactMap { UInt64($0, radix: 16) }.map { library.low + $0 })
    }
}

/// A line of /proc/PROCESS/maps, of a file.
private struct FileMapping {
    let low: UInt64, high: UInt64
    let isCode: Bool
    let path: String

    var name: String { URL(filePath: path).lastPathComponent }
    /// What Rerender brings may call it.
    var isOfOurs: Bool { ["librerender-", "liblttng-", "liburcu"].contains { name.hasPrefix($0) } }

    init?(line: Substring) {
        guard let start = line.firstIndex(of: "/") else { return nil }
        let fields = line[..<start].split(separator: " ")
        let places = fields.first?.split(separator: "-").compactMap { UInt64($0, radix: 16) } ?? []
        guard fields.count == 5, places.count == 2 else { return nil }
        (low, high) = (places[0], places[1])
        (isCode, path) = (fields[1].contains("x"), String(line[start...]))
    }
}

/// A segment or a section of a file that is loaded (elf(5)).
private struct FilePart {
    let address: UInt64
    let offset: Int, size: Int
    let isWritten: Bool

    /// In the order of their addresses; none where the file is no program and no library.
    static func segments(of file: Data) -> [FilePart] {
        entries(of: file, table: 32, counts: 54).compactMap { entry in
            let (kind, access) = (number(entry, UInt32.self, of: file), number(entry + 4, UInt32.self, of: file))
            guard kind == 1 else { return nil }
            return FilePart(
                address: number(entry + 16, UInt64.self, of: file),
                offset: Int(number(entry + 8, UInt64.self, of: file)),
                size: Int(number(entry + 32, UInt64.self, of: file)), isWritten: access & 2 != 0)
        }
    }

    /// The sections that are called `.rodata`.
    static func constants(of file: Data) -> [FilePart] {
        let sections = entries(of: file, table: 40, counts: 58)
        let names = Int(number(62, UInt16.self, of: file))
        guard sections.indices.contains(names) else { return [] }
        let strings = Int(number(sections[names] + 24, UInt64.self, of: file))
        return sections.compactMap { entry in
            let name = strings + Int(number(entry, UInt32.self, of: file))
            guard file.dropFirst(name).starts(with: Array(".rodata".utf8) + [0]) else { return nil }
            return FilePart(
                address: number(entry + 16, UInt64.self, of: file),
                offset: Int(number(entry + 24, UInt64.self, of: file)),
                size: Int(number(entry + 32, UInt64.self, of: file)),
                isWritten: number(entry + 8, UInt64.self, of: file) & 1 != 0)
        }
    }

    /// Where the entries of a table begin, whose place is at `table`, and their size and number at `counts`.
    private static func entries(of file: Data, table: Int, counts: Int) -> [Int] {
        guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { return [] }
        let (place, size) = (Int(number(table, UInt64.self, of: file)), Int(number(counts, UInt16.self, of: file)))
        return (0..<Int(number(counts + 2, UInt16.self, of: file))).map { place + $0 * size }
    }

    private static func number<Number: FixedWidthInteger>(_ place: Int, _ type: Number.Type, of file: Data) -> Number {
        file.dropFirst(place).prefix(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
