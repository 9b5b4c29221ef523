// SPDX-License-Identifier: MIT
// Reads short texts of the kernel's, and memory of this process.

import CRerender
import RerenderModel

/// Texts of /proc, as they are. Names of threads, processes and files may be anything: they are made safe to print here, and
/// quoted where they could be taken for words of a sentence.
///
/// Proof of the unsafe parts: each call gets a buffer of the size that it is told, and says how much of it it filled.
enum ProcText {
    /// The beginning of a file; empty if it cannot be had.
    static func file(_ path: String, limit: Int = 4_096) -> String {
        unsafe text(limit) { buffer, size in
            DescriptorTable.run { unsafe crerender_read_file(path, buffer, size) } ?? 0
        }
    }

    /// Where a symbolic link leads; empty if it cannot be had.
    static func link(_ path: String) -> String {
        unsafe text(1_024) { buffer, size in unsafe crerender_read_link(path, buffer, size) }
    }

    /// Bytes of this process's memory; fewer than asked for where there is no more.
    static func memory(_ address: UInt64, count: Int) -> [UInt8] {
        guard let address = UInt(exactly: address), address != 0 else { return [] }
        return unsafe Array(unsafeUninitializedCapacity: count) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            filled = unsafe min(count, crerender_read_memory(address, start, count))
        }
    }

    /// An integer in this process's memory.
    static func integer<Value: FixedWidthInteger>(_ address: UInt64, as type: Value.Type) -> Value? {
        let bytes = memory(address, count: MemoryLayout<Value>.size)
        guard bytes.count == MemoryLayout<Value>.size else { return nil }
        return Value(littleEndian: bytes.reversed().reduce(into: 0) { $0 = $0 &* 256 &+ Value(truncatingIfNeeded: $1) })
    }

    /// A text in this process's memory, up to its NUL.
    static func string(_ address: UInt64) -> String {
        String(decoding: memory(address, count: 1_024).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// What the kernel tells of a thread, after the name: from the thread's state on.
    static func stat(ofThread thread: Int32) -> [Substring] {
        // The name may hold anything.
        let stat = file("/proc/self/task/\(thread)/stat", limit: 1_024)
        return stat.utf8.lastIndex(of: UInt8(ascii: ")")).map {
            stat[$0...].split(separator: " ").dropFirst().map { $0 }
        } ?? []
    }

    /// The name of a process or, with `thread`, of one of this process's threads; nil if there is none.
    static func name(ofProcess process: Int32) -> String? { line("/proc/\(process)/comm") }
    static func name(ofThread thread: Int32) -> String? { line("/proc/self/task/\(thread)/comm") }

    private static func line(_ path: String) -> String? {
        let line = file(path, limit: 64)
        guard !line.isEmpty else { return nil }
        // The end of the line.
        return quoted(String(line.dropLast()))
    }

    /// The last part of a path, without what the kernel says of one that is deleted.
    static func fileName(_ path: String) -> String {
        let deleted = " (deleted)"
        return quoted(PathName.last(of: path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path))
    }

    /// A name, safe to print; in quotation marks unless it is a plain word.
    static func quoted(_ name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "._-:/+#@~%".unicodeScalars.contains(scalar)
            }
        if isPlain { return name }
        var text = "\"".unicodeScalars
        for scalar in Printable.text(name).unicodeScalars {
            if scalar == "\"" { text.append("\\") }
            text.append(scalar)
        }
        text.append("\"")
        return String(text)
    }

    private static func text(
        _ limit: Int, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> String {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: limit) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            filled = unsafe min(limit, read(start, limit))
        }
        return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
