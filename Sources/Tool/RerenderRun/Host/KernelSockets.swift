// SPDX-License-Identifier: MIT
// What the kernel knows of the connections to a Unix socket.

import FoundationEssentials
import Glibc

/// Connections to one socket, as `/proc/net/unix` lists them on the listening side.
struct KernelSockets: Hashable, Sendable {
    /// Connections that nobody has accepted yet.
    var waiting = 0
    /// Connections that are accepted and not closed.
    var accepted = 0

    /// The connections now; none where the kernel's list cannot be read.
    static func now(to path: String) -> KernelSockets {
        // Read with POSIX calls in one go: the file has no size, and pieces could tear a line.
        let text = ProcFile.read("/proc/net/unix")
        return KernelSockets(parsing: text, path: path)
    }

    /// Reads the kernel's list: `Num RefCount Protocol Flags Type St Inode Path`.
    ///
    /// A listening socket has bit 16 of the flags set. A connection that waits has no inode, because no descriptor
    /// belongs to it yet.
    init(parsing text: String, path: String) {
        for line in text.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            guard fields.count == 8, fields[7] == path, let flags = UInt32(fields[3], radix: 16) else { continue }
            if flags & 0x10000 != 0 { continue }
            if fields[6] == "0" { waiting += 1 } else { accepted += 1 }
        }
    }
}

/// Files of the kernel, whose size is not known before they are read.
package enum ProcFile {
    /// The file's text; empty where it cannot be read.
    package static func read(_ path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
