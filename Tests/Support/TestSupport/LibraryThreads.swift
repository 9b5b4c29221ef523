// SPDX-License-Identifier: MIT
// The threads that Rerender has in a process, by their names.

import Foundation

/// Rerender's threads in a process that a test started.
package enum LibraryThreads {
    /// The names of those that have begun: a thread has its host's name until then.
    package static func names(_ pid: Int32) throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").compactMap {
                (try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/comm", encoding: .utf8))?
                    .trimmingCharacters(in: .newlines)
            }.filter { $0.hasPrefix("rerender") })
    }

    /// Waits until all have begun.
    package static func waitUntilBegun(_ pid: Int32) async throws {
        try await eventually("Rerender's threads", seen: { try names(pid) }) {
            try names(pid).isSuperset(of: ["rerender-uplink", "rerender-watch", "rerender-alarm"]) ? () : nil
        }
    }

    /// Waits until none is left but those that have our table of descriptors and sleep.
    package static func waitUntilLeft(_ pid: Int32) async throws {
        try await eventually("the end of Rerender's threads", seen: { try names(pid) }) {
            try names(pid).isSubset(of: ["rerender-files"]) ? () : nil
        }
    }
}
