// SPDX-License-Identifier: MIT
// Chooses and creates the directory of a new trace.

import FoundationEssentials
import Glibc
package import RerenderToolBase

/// Finds and makes the directory that a trace is written to.
package enum RecordingPlace {
    /// Makes the directory, with all above it; throws status 73 where it cannot be made, or holds something already.
    ///
    /// - Parameter wanted: As the user typed it; nil for a new one where LTTng keeps its traces.
    package static func make(_ wanted: String?) throws(ToolFailure) -> String {
        if let wanted { return try made(absolute(wanted)) }
        guard let home = environmentVariable("LTTNG_HOME") ?? environmentVariable("HOME"), home.hasPrefix("/") else {
            throw ToolFailure(
                ExitStatus.cannotCreate, "no directory for traces: HOME is not set.\nChoose one: --output DIR")
        }
        let usual = "\(home)/lttng-traces/rerender-\(LocalTime.compact(.now))"
        // Two in the same second: the second one gets a number.
        let path = ([""] + (2...99).map { "-\($0)" }).map { usual + $0 }.first { unsafe access($0, F_OK) != 0 }
        return try made(path ?? usual)
    }

    /// Removes the directory and those in it, as far as no file is in them.
    static func removeEmpty(_ path: String, depth: Int = 0) {
        guard depth < 8 else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            removeEmpty(path + "/" + name, depth: depth + 1)
        }
        // Fails for files and for directories that hold some; does not follow links.
        _ = unsafe rmdir(path)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func made(_ path: String) throws(ToolFailure) -> String {
        try Directory.make(path)
        guard try Directory.isEmpty(path) else {
            throw ToolFailure(
                ExitStatus.cannotCreate,
                "\(Printable.text(path)) is not empty.\nGive a directory that is new or empty: --output DIR")
        }
        return path
    }
}
