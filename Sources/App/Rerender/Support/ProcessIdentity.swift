// SPDX-License-Identifier: MIT
// This process: its number, name and start, the numbers of the library's copies in it, and the names of its functions.

import CRerender
import Glibc
import RerenderModel
import Synchronization

/// The process as it names itself to the daemon.
struct ProcessIdentity: Sendable {
    let pid: Int32
    /// The file name of the executable, or of the script that it interprets: see ``ScriptName``.
    let name: String
    /// When the process started, in clock ticks since boot; with the pid it names a process for good.
    let startTicks: UInt64
    /// Which copy of the library this is in this program, where it has several: its app's and its plug-ins'. The first is 0.
    var copy: UInt32 = 0

    /// Reads `/proc/self`; what cannot be read is empty or zero. Its start is not read where nobody will be told.
    static func current(readsStart: Bool = true) -> ProcessIdentity {
        let program = LoadedFile.programName ?? ""
        let script = readsStart && ScriptName.isInterpreter(program) ? script(of: program) : nil
        return ProcessIdentity(pid: getpid(), name: script ?? program, startTicks: readsStart ? startTicks() : 0)
    }

    /// The first arguments are enough: the script stands in front of its own.
    private static func script(of program: String) -> String? {
        let text = DescriptorTable.run { contents(of: "/proc/self/cmdline", atMost: 4_096) } ?? ""
        let arguments = text.utf8.split(separator: 0, omittingEmptySubsequences: false)
        return ScriptName.of(program: program, arguments: arguments.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func startTicks() -> UInt64 {
        let stat = DescriptorTable.run { contents(of: "/proc/self/stat", atMost: 1_024) } ?? ""
        // The name, in parentheses, may hold spaces and parentheses; the fields after its end are plain.
        guard let end = stat.utf8.lastIndex(of: UInt8(ascii: ")")) else { return 0 }
        let fields = stat[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) ?? 0 : 0
    }

    private static func contents(of path: String, atMost bytes: Int) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes) { buffer in
            let count = unsafe read(file, buffer.baseAddress, buffer.count)
            return unsafe String(decoding: buffer[0..<max(0, count)], as: UTF8.self)
        }
    }
}

/// How the numbers of stores are divided among the copies of the library in a process.
///
/// A trace and a flight page name views by the numbers of their stores, and know nothing of copies. The daemon numbers copies beside
/// that: see ``Hello/copy``.
enum CopyNumber {
    /// Copies below that number have a flight page that tells them apart; those above have none.
    static let copiesWithPage: UInt32 = 2_048
    /// A million stores for each of 4,096 copies. After those a store may have the number of another copy's.
    private static let bits: UInt32 = 20

    static func first(ofCopy copy: UInt32) -> UInt32 { copy << bits }

    static func copy(of storeID: UInt32) -> UInt32 { storeID >> bits }

    /// For a copy that could make no page: a number that comes from where its code lies.
    static var copyWithoutPage: UInt32 {
        copiesWithPage + UInt32(truncatingIfNeeded: mixed(UInt64(crerender_own_address()))) % copiesWithPage
    }
}

/// Names of functions by address, from symbol tables that are read once per file.
enum ProcessSymbols {
    private static let tables = Mutex(SymbolTables())

    /// The mangled name of the function that holds this address; nil without one, as ``SymbolTables`` says.
    /// Any thread that may wait: the first question about a file reads its symbols.
    static func name(at address: UInt) -> String? { tables.withLock { $0.name(at: address) } }

    /// Whether a function begins at this address, as far as its file tells.
    static func isStart(_ address: UInt) -> Bool { tables.withLock { $0.start(of: address) == address } }

    /// Where the function begins that the one at this address calls, if that is a wrapper of Vala's compiler.
    static func wrapped(at address: UInt) -> UInt? { tables.withLock { $0.wrapped(at: address) } }
}

// Reads how long the threads of this process have run.

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
