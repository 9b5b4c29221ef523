// SPDX-License-Identifier: MIT
// Finds processes in /proc.

internal import Glibc

/// Identifies a client: a process, also when its number is used again later, and the copy of the library in it.
struct ProcessInstance: Hashable, Sendable {
    /// The kernel's number.
    var pid: Int32
    /// When it started, in clock ticks since boot.
    var startTicks: UInt64
    /// The number that the daemon gave the copy of the library; 0 is the first of the process. A program that the process becomes by
    /// `exec` has others.
    var copy: UInt32 = 0

    /// When it started by the monotonic clock, or earlier if the machine has slept since. For programs, Linux counts 100 ticks a
    /// second.
    var startedAt: UInt64 {
        let (sinceBoot, isHostile) = startTicks.multipliedReportingOverflow(by: 10_000_000)
        return isHostile ? 0 : sinceBoot.saturatingDifference(Clocks.bootAhead)
    }

    /// Whether both are copies in the same process.
    func isSameProcess(as other: ProcessInstance) -> Bool { pid == other.pid && startTicks == other.startTicks }
}

/// Looks processes up in `/proc`.
enum ProcessTable {
    /// When a process started, in clock ticks since boot; nil if there is none or it has ended.
    ///
    /// A zombie has ended: it keeps its number until its parent waits for it, which may be never.
    static func startTicks(of pid: Int32) -> UInt64? {
        stat(of: pid).flatMap { startTicks(inStat: $0) }
    }

    private static func stat(of pid: Int32) -> [UInt8]? {
        pid > 0 ? try? Descriptor(path: "/proc/\(pid)/stat", flags: O_RDONLY).read(limit: 1_024) : nil
    }

    /// Reads field 22 of a `stat` line, unless field 3 says that the process has ended.
    ///
    /// A first thread that has ended before others is a zombie, too: field 20 counts them, and they may still run.
    static func startTicks(inStat bytes: [UInt8]) -> UInt64? {
        guard let letter = field(3, inStat: bytes)?.first, !Array("Xx".utf8).contains(letter) else { return nil }
        guard letter != UInt8(ascii: "Z") || number(20, inStat: bytes) ?? 0 > 1 else { return nil }
        return number(22, inStat: bytes)
    }

    /// Whether no process of that number runs; false for 0, by which the kernel names a process of a foreign pid namespace.
    static func hasEnded(_ pid: Int32) -> Bool { pid > 0 && startTicks(of: pid) == nil }

    static func isAlive(_ identity: ProcessInstance) -> Bool {
        startTicks(of: identity.pid) == identity.startTicks
    }

    /// Where the code of a process's program lies; nil if that may not be read, or there is no such process.
    static func startCode(of pid: Int32) -> UInt64? { stat(of: pid).flatMap { startCode(inStat: $0) } }

    /// Reads field 26 of a `stat` line.
    static func startCode(inStat bytes: [UInt8]) -> UInt64? {
        // The kernel gives 0 or 1 for a process that is ending, or that may not be inspected.
        number(26, inStat: bytes).flatMap { $0 > 1 ? $0 : nil }
    }

    /// A field of a `stat` line by its number in proc(5), from 3 on.
    ///
    /// The second field is the name in parentheses, in which anything may stand, parentheses too.
    static func field(_ number: Int, inStat bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > number - 3 ? fields[number - 3] : nil
    }

    private static func number(_ number: Int, inStat bytes: [UInt8]) -> UInt64? {
        field(number, inStat: bytes).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// Identifies this run of the kernel, in which pids and ticks are valid; empty if unknown.
    static var bootID: String {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let bytes = try? Descriptor(path: path, flags: O_RDONLY).read(limit: 64) else { return "" }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }
}
