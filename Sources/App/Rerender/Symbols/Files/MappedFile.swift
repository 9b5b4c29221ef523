// SPDX-License-Identifier: MIT
// A file in memory. Every read is checked against the file's end.

import CRerender
import CShared
import Glibc

/// A file mapped privately and read-only, to be read as hostile input.
///
/// Proof of the unsafe parts: the mapping lives as long as this object and is never written, every access is checked
/// against `count`, and nothing that points into it is handed out.
/// What would fault is a page that was cut off the file later; the files read here are mapped as code by the loader, so
/// that cutting them off ends the app in any case.
@safe
final class MappedFile: @unchecked Sendable {
    /// Its size in bytes.
    let count: Int
    private let start: UnsafeRawPointer
    private let isMapped: Bool

    /// nil if the file cannot be opened or is empty, and where a limit leaves the host so little memory that it should have all of it.
    init?(path: String) {
        guard let (memory, count) = unsafe DescriptorTable.run({ unsafe Self.map(path) }) ?? nil else { return nil }
        unsafe start = memory
        self.count = count
        isMapped = true
    }

    /// A copy of bytes, for fuzzers: Address Sanitizer knows where it ends, and of a mapping it does not. nil if there are none.
    init?(copying bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        unsafe copy.copyBytes(from: bytes)
        guard let start = copy.baseAddress else { return nil }
        unsafe self.start = UnsafeRawPointer(start)
        count = bytes.count
        isMapped = false
    }

    private static func map(_ path: String) -> (UnsafeRawPointer, Int)? {
        guard cdescriptors_have_memory(1) else { return nil }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        let count = Int(status.st_size)
        guard let memory = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), unsafe memory != MAP_FAILED else {
            return nil
        }
        return (UnsafeRawPointer(memory), count)
    }

    deinit {
        let memory = unsafe UnsafeMutableRawPointer(mutating: start)
        if isMapped { unsafe munmap(memory, count) } else { unsafe memory.deallocate() }
    }

    /// The integer at this offset; nil beyond the end.
    @inline(__always)
    func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T? {
        guard offset >= 0, offset <= count - MemoryLayout<T>.size else { return nil }
        return unsafe start.loadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// The NUL-terminated text at this offset; nil if it does not end before `end` and the file's end.
    func text(at offset: Int, before end: Int) -> String? {
        let limit = min(end, count)
        guard offset >= 0, offset < limit else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start + offset, count: limit - offset)
        guard let length = unsafe bytes.firstIndex(of: 0) else { return nil }
        return unsafe String(validating: UnsafeRawBufferPointer(rebasing: bytes[..<length]), as: UTF8.self)
    }

    /// The bytes for C code that checks its own reads against `count`, and keeps no pointer to them.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe body(start.assumingMemoryBound(to: UInt8.self))
    }

    /// The functions among the ELF64 symbols between two offsets, as `csymbols_order_functions` notes them.
    func functions(from first: Int, to end: Int) -> [UInt64] {
        guard first >= 0, end <= count, first < end else { return [] }
        let symbols = (end - first) / 24
        let needed = unsafe csymbols_order_functions(start + first, symbols, nil, nil, 0)
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: needed) { spare in
            unsafe Array(unsafeUninitializedCapacity: needed) { buffer, found in
                let all = unsafe csymbols_order_functions(
                    start + first, symbols, buffer.baseAddress, spare.baseAddress, needed)
                found = min(needed, all)
            }
        }
    }

    /// The numbers of the ELF64 symbols that `csymbols_find_declarations` notes.
    func declarations(among symbols: Range<Int>, names: Range<Int>) -> [UInt32] {
        guard symbols.lowerBound >= 0, symbols.upperBound <= count, names.lowerBound >= 0, names.upperBound <= count,
            !symbols.isEmpty, !names.isEmpty
        else { return [] }
        let all = symbols.count / 24
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: all) { room in
            guard let first = room.baseAddress else { return [] }
            let found = unsafe csymbols_find_declarations(
                start + symbols.lowerBound, all, start + names.lowerBound, names.count, first)
            return unsafe Array(room.prefix(found))
        }
    }

    /// What tells the file from another build of it.
    func fingerprint(of size: Int) -> UInt64? {
        size <= count ? unsafe csymbols_fingerprint(start, size) : nil
    }
}
