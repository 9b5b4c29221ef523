// SPDX-License-Identifier: MIT
// Names a recording's session after its process, to recognise sessions that a killed process left.

import Glibc

/// Names sessions after the process that records.
package struct RecordingName: Hashable, Sendable {
    package static let prefix = "rerender-record-"

    let pid: pid_t
    /// When that process started, in the kernel's ticks: a number is given again, and not with the same start.
    let start: UInt64

    /// This process's.
    package static var ours: RecordingName { RecordingName(pid: getpid(), start: startTicks(of: getpid()) ?? 0) }

    package var session: String { "\(Self.prefix)\(pid)-\(start)" }

    /// Whether the process that records is gone.
    var isLeftBehind: Bool { Self.startTicks(of: pid) != start }

    /// Field 22 of the kernel's line; the program's name before it may hold anything.
    private static func startTicks(of pid: pid_t) -> UInt64? {
        let text = ProcFile.read("/proc/\(pid)/stat")
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) : nil
    }
}

extension RecordingName {
    /// Reads a session's name; nil for one that is not of a recording.
    init?(session: String) {
        let parts = session.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard session.hasPrefix(Self.prefix), parts.count == 2, let pid = pid_t(parts[0]), let start = UInt64(parts[1])
        else { return nil }
        self.init(pid: pid, start: start)
    }
}
