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
