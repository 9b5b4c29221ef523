// SPDX-License-Identifier: MIT
// Finds the process of LTTng's session daemon.

/// Reads LTTng's pid file.
package enum SessionDaemonPid {
    /// The pid in the file, if it still belongs to a session daemon; nil otherwise.
    ///
    /// A daemon that crashed leaves its file behind, and the kernel gives pids again.
    ///
    /// - Parameter read: The text of a file; empty where it cannot be read.
    package static func inFile(_ path: String, read: (String) -> String = ProcFile.read) -> Int32? {
        guard let pid = Int32(read(path).filter { !$0.isWhitespace }),
            read("/proc/\(pid)/comm").hasPrefix("lttng-sessiond")
        else { return nil }
        return pid
    }
}
