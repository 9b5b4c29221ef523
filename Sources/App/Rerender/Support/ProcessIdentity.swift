// SPDX-License-Identifier: MIT
// The identity of this process: its number, name and start.

import Glibc

/// The process as it names itself to the daemon.
struct ProcessIdentity: Sendable {
    let pid: Int32
    /// The file name of the executable.
    let name: String
    /// When the process started, in clock ticks since boot; with the pid it names a process for good.
    let startTicks: UInt64
    /// Which copy of the library this is, where a process has several: its app's and its plug-ins', and those of programs that it
    /// was before `exec`. The first is 0.
    var copy: UInt32 = 0

    /// Reads `/proc/self`; what cannot be read is empty or zero. Its start is not read where nobody will be told.
    static func current(readsStart: Bool = true) -> ProcessIdentity {
        ProcessIdentity(
            pid: getpid(), name: LoadedFile.programName ?? "", startTicks: readsStart ? startTicks() : 0)
    }

    private static func startTicks() -> UInt64 {
        let stat = DescriptorTable.run { contents(of: "/proc/self/stat") } ?? ""
        // The name, in parentheses, may hold spaces and parentheses; the fields after its end are plain.
        guard let end = stat.utf8.lastIndex(of: UInt8(ascii: ")")) else { return 0 }
        let fields = stat[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) ?? 0 : 0
    }

    private static func contents(of path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { buffer in
            let count = unsafe read(file, buffer.baseAddress, buffer.count)
            return unsafe String(decoding: buffer[0..<max(0, count)], as: UTF8.self)
        }
    }
}
