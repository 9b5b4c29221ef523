// SPDX-License-Identifier: MIT
// A file in memory. Every read is checked against the file's end.

import CRerender
import CShared
import Glibc

/// A file mapped privately and read-only, to be read as hostile input.
///
/// Proof of the unsafe parts: the mapping lives as long as this object and is never written, every access is checked
/// against `count`, and nothing that points into it is handed out. A copy is written before anything else has it.
/// What would fault is a page that was cut off the file later; the files read here are mapped as code by the loader, so
/// that cutting them off ends the app in any case.
@safe
final class MappedFile: @unchecked Sendable {
    /// Its size in bytes.
    let count: Int
    private let start: UnsafeRawPointer
    private let isMapped: Bool
    /// Whether it is in memory of its own, and not in the file's.
    let isCopy: Bool

    private init(copy start: UnsafeRawPointer, _ count: Int) {
        unsafe self.start = start
        self.count = count
        (isMapped, isCopy) = (true, true)
    }

    /// nil if the file cannot be opened or is empty, and where a limit leaves the host so little memory that it should have all of it.
    init?(path: String) {
        guard let (memory, count) = unsafe DescriptorTable.run({ unsafe Self.map(path) }) ?? nil else { return nil }
        unsafe start = memory
        self.count = count
        (isMapped, isCopy) = (true, false)
    }

    /// A copy of bytes, for fuzzers: Address Sanitizer knows where it ends, and of a mapping it does not. nil if there are none.
    init?(copying bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        unsafe copy.copyBytes(from: bytes)
        guard let start = copy.baseAddress else { return nil }
        unsafe self.start = UnsafeRawPointer(start)
        count = bytes.count
        (isMapped, isCopy) = (false, true)
    }

    /// Some pieces of a file, each at its own place, and zeros elsewhere: one that is cut off later does no harm. What cannot be read is zero,
    /// too. nil for a file that is larger than `largest`.
    ///
    /// - Parameter steps: Each says by what was read so far which pieces are wanted.
    static func reading(_ path: String, largest: Int, steps: [(MappedFile) -> [Range<Int>]]) -> MappedFile? {
        let found = DescriptorTable.run { () -> MappedFile? in
            withFile(path) { file, count in
                guard count <= largest, let room = unsafe room(count) else { return nil }
                let copy = unsafe MappedFile(copy: room, count)
                for step in steps {
                    for piece in step(copy).map({ $0.clamped(to: 0..<count) }) where !piece.isEmpty {
                        // Proof: the piece lies in the room, which nothing else has yet.
                        unsafe read(file, piece, to: room + piece.lowerBound)
                    }
                }
                return copy
            }
        }
        return found ?? nil
    }

    /// The checksum of a whole file as the name of one with debug information has it; nil for larger files.
    static func checksum(of path: String, largest: Int) -> UInt32? {
        let sum = DescriptorTable.run { () -> UInt32? in
            withFile(path) { file, count in
                guard count <= largest else { return nil }
                let step = 16_384
                return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: step) { buffer in
                    guard let start = buffer.baseAddress else { return nil }
                    return stride(from: 0, to: count, by: step).reduce(into: UInt32(0)) { sum, at in
                        // Proof: the buffer has room for a step, and is read as far as it was filled.
                        let piece = at..<min(at + step, count)
                        unsafe read(file, piece, to: UnsafeMutableRawPointer(start))
                        sum = unsafe csymbols_crc(sum, start, piece.count)
                    }
                }
            }
        }
        return sum ?? nil
    }

    /// A copy of pieces of the file, one behind the other. One with a size is expanded to that. nil if one cannot be.
    func joined(_ pieces: [(bytes: Range<Int>, expanded: Int?)]) -> MappedFile? {
        let count = pieces.reduce(0) { $0 + ($1.expanded ?? $1.bytes.count) }
        guard count > 0, pieces.allSatisfy({ $0.bytes.lowerBound >= 0 && $0.bytes.upperBound <= self.count }),
            let room = unsafe Self.room(count)
        else { return nil }
        let copy = unsafe MappedFile(copy: room, count)
        var at = 0
        for (bytes, expanded) in pieces {
            // Proof: both are inside, of the file and of the room, which nothing else has yet.
            let from = unsafe start + bytes.lowerBound
            let to = unsafe room + at
            if let expanded {
                let isSound = unsafe csymbols_inflate(
                    from.assumingMemoryBound(to: UInt8.self), bytes.count, to.assumingMemoryBound(to: UInt8.self),
                    expanded)
                guard isSound else { return nil }
            } else {
                unsafe to.copyMemory(from: from, byteCount: bytes.count)
            }
            at += expanded ?? bytes.count
        }
        return copy
    }

    /// Memory of zeros; nil where a limit leaves the host so little that it should have all of it.
    private static func room(_ count: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard count > 0, cdescriptors_have_memory(2),
            let memory = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe memory != MAP_FAILED
        else { return nil }
        return unsafe memory
    }

    /// Fills a piece with the file's bytes, as far as they can be read.
    private static func read(_ file: CInt, _ piece: Range<Int>, to memory: UnsafeMutableRawPointer) {
        var filled = 0
        while filled < piece.count {
            let more = unsafe pread(file, memory + filled, piece.count - filled, piece.lowerBound + filled)
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { return }
            filled += more
        }
    }

    private static func withFile<Read>(_ path: String, _ read: (_ file: CInt, _ count: Int) -> Read?) -> Read? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        return read(file, Int(status.st_size))
    }

    private static func map(_ path: String) -> (UnsafeRawPointer, Int)? {
        guard cdescriptors_have_memory(1) else { return nil }
        return unsafe withFile(path) { unsafe map($0, $1) }
    }

    private static func map(_ file: CInt, _ count: Int) -> (UnsafeRawPointer, Int)? {
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

    /// The direct calls and jumps of code in this file that begins at an address, to functions that are in order of address; of more than the
    /// limit, the first ones.
    func directCalls(
        in code: Range<Int>, at address: UInt64, to functions: [UInt64], limit: Int
    ) -> [csymbols_direct_call] {
        guard code.lowerBound >= 0, code.upperBound <= count else { return [] }
        return unsafe [csymbols_direct_call](unsafeUninitializedCapacity: limit) { buffer, found in
            guard let first = buffer.baseAddress else { return }
            let all = unsafe csymbols_direct_calls(
                start + code.lowerBound, code.count, address, functions, functions.count, first, limit)
            found = min(all, limit)
        }
    }

    /// What tells the file from another build of it.
    func fingerprint(of size: Int) -> UInt64? {
        size <= count ? unsafe csymbols_fingerprint(start, size) : nil
    }
}

// Work with descriptors, done where the host does not see them.

/// The table of descriptors that belongs to this library alone.
///
/// Whatever opens, reads, writes or closes a descriptor of ours runs in ``run(_:)``: on a host's thread the number could come to
/// mean a file of the host's at any moment.
package enum DescriptorTable {
    /// Runs `body` on the thread that has the table, while this one waits.
    ///
    /// - Returns: What it returned; nil, without running it, in a forked child and where the kernel gives no table of our own
    ///   (before Linux 5.9, or where a sandbox refuses `close_range`).
    package static func run<Value>(_ body: () -> Value) -> Value? {
        var value: Value?
        withoutActuallyEscaping({ value = body() }) { work in
            var work: () -> Void = work
            // Proof: the other thread has done with the closure, and with what it captures, when the call returns.
            unsafe withUnsafeMutablePointer(to: &work) { work in
                _ = unsafe cdescriptors_run({ unsafe $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, work)
            }
        }
        return value
    }

    /// Has what the calling thread runs not wait for what the host's threads run, nor they for it. For threads of ours.
    package static func serveApart() { cdescriptors_work_apart() }
}
