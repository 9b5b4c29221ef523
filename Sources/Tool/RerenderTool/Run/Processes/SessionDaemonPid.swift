// SPDX-License-Identifier: MIT
// Finds the process of LTTng's session daemon.

/// Reads LTTng's pid file.
package enum SessionDaemonPid {
    /// The pid in the file, if it still belongs to a session daemon; nil otherwise.
    ///
    /// A daemon that crashed leaves its file behind, and the kernel gives pids again. The next daemon writes over what is there: after
    /// `32767`, the file of daemon 578 is `578`, and `7` on a line of its own.
    ///
    /// - Parameter read: The text of a file; empty where it cannot be read.
    package static func inFile(_ path: String, read: (String) -> String = ProcFile.read) -> Int32? {
        guard let pid = read(path).split(whereSeparator: \.isWhitespace).first.flatMap({ Int32($0) }),
            read("/proc/\(pid)/comm").hasPrefix("lttng-sessiond")
        else { return nil }
        return pid
    }
}
