// SPDX-License-Identifier: MIT
// Chooses and creates the directory of a new trace.

import FoundationEssentials
import Glibc
package import RerenderShow

/// Finds and makes the directory that a trace is written to.
package enum RecordingPlace {
    /// Makes the directory, with all above it; throws status 73 where it cannot be made, or holds something already.
    ///
    /// - Parameter wanted: As the user typed it; nil for a new one where LTTng keeps its traces.
    package static func make(_ wanted: String?) throws(ToolFailure) -> String {
        if let wanted { return try made(absolute(wanted)) }
        guard let home else {
            throw ToolFailure(
                ExitStatus.cannotCreate, "no directory for traces: HOME is not set.\nChoose one: --output DIR")
        }
        let usual = "\(home)/lttng-traces/\(prefix)\(LocalTime.compact(.now))"
        // Two in the same second: the second one gets a number.
        let path = ([""] + (2...99).map { "-\($0)" }).map { usual + $0 }.first { unsafe access($0, F_OK) != 0 }
        return try made(path ?? usual)
    }

    /// The newest recording where ``make(_:)`` puts them, by its name; nil where there is none.
    package static var newest: String? {
        guard let traces = home.map({ $0 + "/lttng-traces" }) else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: traces)) ?? []
        let ours = names.filter { name in
            name.hasPrefix(prefix) && name.dropFirst(prefix.count).allSatisfy { $0.isNumber || $0 == "-" }
        }
        return ours.sorted(by: >).lazy.map { "\(traces)/\($0)" }.first { path in
            FilePath.kind(path) == S_IFDIR && (try? Directory.isEmpty(path)) == false
        }
    }

    private static let prefix = "rerender-"

    private static var home: String? {
        let home = environmentVariable("LTTNG_HOME") ?? environmentVariable("HOME")
        return home.flatMap { PathName.isAbsolute($0) ? $0 : nil }
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
        PathName.isAbsolute(path) ? path : FileManager.default.currentDirectoryPath + "/" + path
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
