// SPDX-License-Identifier: MIT
// Reads how long the threads of this process have run.

import CRerender
import Glibc
import RerenderModel
import Synchronization

/// The threads of this process but the main loop's and those of the library and of LTTng-UST. Any thread; two short files for each thread.
///
/// Proof of the unsafe parts: `readdir` gives an entry that is valid until the next call, and its name is copied before, up to its NUL.
/// A buffer has the size that the C function gets, which says how much of it it filled.
final class OwnThreads: Sendable {
    /// More are not looked at: some five milliseconds.
    private static let most = 512

    /// How many there were of each name; nil before the first look.
    private let first = Mutex<[String: UInt64]?>(nil)

    /// What they had run when all began anew; nil where it is to be read.
    private let before = Mutex<[ThreadTime]?>([])

    /// Begins anew with their times, from the next look on.
    func wasReset() { before.withLock { $0 = nil } }

    /// Notes how many threads there are, the first time that it is called, and after a reset what they have run.
    func lookFirst() {
        if before.withLock({ $0 == nil }) {
            let times = ThreadTime.grouped(Self.threads(timed: true), atFirst: [:])
            before.withLock { $0 = $0 ?? times }
        }
        guard first.withLock({ $0 == nil }) else { return }
        let counts = Self.threads(timed: false).reduce(into: [String: UInt64]()) { $0[$1.name, default: 0] += 1 }
        first.withLock { if $0 == nil { $0 = counts } }
    }

    /// The threads by their names, most processor time first.
    func read() -> [ThreadTime] {
        let threads = ThreadTime.grouped(Self.threads(timed: true), atFirst: first.withLock { $0 ?? [:] })
        return ThreadTime.since(before.withLock { $0 ?? [] }, threads)
    }

    /// Reads names, and times only where they are asked for. None in a forked child.
    private static func threads(timed: Bool) -> [(name: String, processor: UInt64)] {
        let loop = crerender_account_thread()
        return DescriptorTable.run { () -> [(name: String, processor: UInt64)] in
            numbers().compactMap { number -> (name: String, processor: UInt64)? in
                // The last byte is the end of the line.
                let name = String(text("/proc/self/task/\(number)/comm").dropLast())
                guard number != loop, !name.isEmpty, !ThreadTime.isOfTracing(name) else { return nil }
                return (name, timed ? processor(text("/proc/self/task/\(number)/schedstat")) : 0)
            }
        } ?? []
    }

    /// The first number: for how long the thread has run.
    private static func processor(_ schedstat: String) -> UInt64 {
        schedstat.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
    }

    private static func numbers() -> [Int32] {
        guard let directory = unsafe opendir("/proc/self/task") else { return [] }
        defer { unsafe closedir(directory) }
        var numbers: [Int32] = []
        while numbers.count < most, let entry = unsafe readdir(directory) {
            let start = unsafe UnsafeRawPointer(entry) + nameOffset
            let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers
    }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 19

    private static func text(_ path: String) -> String {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: 128) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            filled = unsafe min(128, crerender_read_file(path, start, 128))
        }
        return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
