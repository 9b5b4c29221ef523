// SPDX-License-Identifier: MIT
// Who holds a lock of a file, as the kernel's list of locks says.

import CRerender
import Glibc

/// The kernel's list of file locks.
enum FileLocks {
    /// Enough for some hundred locks; one beyond is not known.
    private static let bytes = 65_536

    /// Who holds a lock of the file, in words after the lock.
    static func holder(of file: OpenFile) -> String {
        var own = crerender_file()
        guard unsafe crerender_file_of(file.descriptor, &own) else { return "; the holder is not known" }
        // NUMBER: KIND ADVISORY WRITE PID MAJOR:MINOR:INODE START END; one that waits has an arrow.
        let lines = ProcText.file("/proc/locks", limit: bytes).split(separator: "?")
        let place = "\(hex(own.major)):\(hex(own.minor)):\(own.inode)"
        let holder = lines.lazy.compactMap { line -> Int32? in
            let words = line.split(separator: " ")
            guard words.count == 8, words[5] == place else { return nil }
            return Int32(words[4])
        }.first { $0 > 0 }
        guard let holder else { return "; the holder is not known" }
        return holder == getpid() ? " that this process holds" : " that \(ProcessName(holder).text) holds"
    }

    private static func hex(_ number: UInt32) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16)
    }
}
