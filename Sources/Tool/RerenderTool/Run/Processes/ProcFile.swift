// SPDX-License-Identifier: MIT
// Reads files of the kernel, and finds the process of LTTng's session daemon by them.

import RerenderShow

/// Files of the kernel, whose size is not known before they are read.
package enum ProcFile {
    /// The file's text, all of it; empty where it cannot be read.
    ///
    /// Not by Foundation, which takes what the kernel hands over at first, 4 KiB of a list, for all of it.
    package static func read(_ path: String) -> String {
        var bytes: [UInt8] = []
        let fault = { (number: CInt) in ToolFailure(ExitStatus.system, SystemText.of(number)) }
        guard (try? InputFile.read(path, fault: fault, take: { bytes += $0 })) != nil else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// `/proc/PID/status`.
enum ProcStatus {
    /// The words of the line with this name.
    static func words(_ name: String, in status: String) -> [Substring] {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }) else { return [] }
        return line.dropFirst(name.count + 1).split { $0 == " " || $0 == "\t" }
    }
}

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
