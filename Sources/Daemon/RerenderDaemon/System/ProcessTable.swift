// SPDX-License-Identifier: MIT
// Which processes live, as /proc tells it.

internal import Glibc

/// Tells a process from another that is given the same number later.
struct ProcessInstance: Hashable, Sendable {
    /// The kernel's number.
    var pid: Int32
    /// When it started, in clock ticks since boot.
    var startTicks: UInt64
}

/// Tells a program from another that the same process becomes by `exec`.
struct ProgramIdentity: Hashable, Sendable {
    /// The executable.
    var file: FileIdentity
    /// Where its code lies: the same file once more is loaded elsewhere, if it can be.
    var startCode: UInt64
}

/// Looks processes up in `/proc`.
enum ProcessTable {
    /// When a process started, in clock ticks since boot; nil if there is none or it has ended.
    ///
    /// A zombie has ended: it keeps its number until its parent looks, which may be never.
    static func startTicks(of pid: Int32) -> UInt64? {
        guard pid > 0, let file = try? Descriptor(path: "/proc/\(pid)/stat", flags: O_RDONLY),
            let bytes = try? file.read(limit: 1_024)
        else { return nil }
        return startTicks(inStat: bytes)
    }

    /// Reads field 22 of a `stat` line, unless field 3 says that the process has ended.
    ///
    /// The second field is the name in parentheses, in which anything may stand, parentheses too.
    static func startTicks(inStat bytes: [UInt8]) -> UInt64? {
        guard let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let state = fields[0].first else { return nil }
        guard ![UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x")].contains(state) else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }

    static func isAlive(_ identity: ProcessInstance) -> Bool {
        startTicks(of: identity.pid) == identity.startTicks
    }

    /// The program that a process runs; nil if we may not know, or there is no such process.
    static func program(of pid: Int32) -> ProgramIdentity? {
        guard pid > 0, let file = FileSystem.target(of: "/proc/\(pid)/exe"),
            let stat = try? Descriptor(path: "/proc/\(pid)/stat", flags: O_RDONLY),
            let bytes = try? stat.read(limit: 1_024), let startCode = field(26, inStat: bytes),
            // 0 and 1 are said of a process that is ending, and of one that may not be looked at.
            startCode > 1
        else { return nil }
        return ProgramIdentity(file: FileIdentity(file), startCode: startCode)
    }

    private static func field(_ number: Int, inStat bytes: [UInt8]) -> UInt64? {
        guard let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(nameEnd + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > number - 3 else { return nil }
        return UInt64(String(decoding: fields[number - 3], as: UTF8.self))
    }

    /// Tells this run of the kernel from any other, so that pids and ticks mean the same; empty if unknown.
    static var bootID: String {
        guard let file = try? Descriptor(path: "/proc/sys/kernel/random/boot_id", flags: O_RDONLY),
            let bytes = try? file.read(limit: 64)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }
}
