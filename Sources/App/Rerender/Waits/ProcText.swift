// SPDX-License-Identifier: MIT
// Reads short texts and addresses of sockets from the kernel, and memory of this process.

import CRerender
import Glibc
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
    static func fileName(_ path: String) -> String { quoted(PathName.last(of: LoadedFile.unmarked(path))) }

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

/// Addresses of the internet protocols, as people write them.
///
/// Proof of the unsafe parts: the kernel fills at most the size that it gets, and each address is read by the family
/// that it has.
enum SocketAddress {
    /// The other end of a connected socket; nil for other families, and of a socket without one.
    static func peer(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &size) == 0
            }
        }
        return isKnown ? text(unsafe withUnsafeBytes(of: &storage) { unsafe Array($0) }) : nil
    }

    /// An address as it is in memory: of the internet protocols, or the path of a Unix socket.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 8 else { return nil }
        let port = Int(bytes[2]) << 8 | Int(bytes[3])
        switch Int32(bytes[0]) | Int32(bytes[1]) << 8 {
        case AF_INET:
            return bytes[4..<8].map { String($0) }.joined(separator: ".") + ":\(port)"
        case AF_INET6:
            guard bytes.count >= 24 else { return nil }
            let groups = stride(from: 8, to: 24, by: 2).map {
                String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
            }
            return "[" + groups.joined(separator: ":") + "]:\(port)"
        default: return nil
        }
    }

    /// The path of a Unix socket's address.
    static func path(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2, Int32(bytes[0]) | Int32(bytes[1]) << 8 == AF_UNIX, bytes[2] != 0 else { return nil }
        return ProcText.fileName(String(decoding: bytes[2...].prefix { $0 != 0 }, as: UTF8.self))
    }
}
