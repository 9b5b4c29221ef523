// SPDX-License-Identifier: MIT
// A control group with a limit of memory, of whichever version this machine has.

import Glibc
import TestSupport

/// A group for one process and its children; removed with its last owner.
final class MemoryGroup {
    /// Why there can be none here; nil if there can.
    static let obstacle: String? = {
        guard getuid() == 0 else { return "needs root to make a control group" }
        return (try? MemoryGroup(limit: 1 << 30)) == nil ? "cannot make a control group with a limit of memory" : nil
    }()

    private let directory: String
    private let names: (limit: String, peak: String)

    init(limit: Int) throws {
        let name = "rerender-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let versions = [
            ("/sys/fs/cgroup/", "memory.max", "memory.peak"),
            ("/sys/fs/cgroup/memory/", "memory.limit_in_bytes", "memory.max_usage_in_bytes"),
        ]
        for (root, limitName, peakName) in versions {
            let path = root + name
            guard mkdir(path, 0o755) == 0 else { continue }
            if access(path + "/" + limitName, W_OK) == 0, access(path + "/" + peakName, R_OK) == 0 {
                directory = path
                names = (limitName, peakName)
                try Self.write("\(limit)", to: path + "/" + limitName)
                return
            }
            rmdir(path)
        }
        throw NeverHappened(description: "no control group with a limit of memory")
    }

    deinit { rmdir(directory) }

    /// The file to which a process writes its number to become a member.
    var members: String { directory + "/cgroup.procs" }

    /// The most that its members took at any moment, with what the kernel took for them, in bytes.
    func peak() throws -> Int {
        let text = String(decoding: try TestFile.read(directory + "/" + names.peak), as: UTF8.self)
        return Int(text.filter(\.isNumber)) ?? .max
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw NeverHappened(description: "cannot write \(path)")
        }
    }
}
