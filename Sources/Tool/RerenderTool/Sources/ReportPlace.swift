// SPDX-License-Identifier: MIT
// What `report` reads: what was named, or else the newest recording, or else the last run.

import Glibc
import RerenderShow

/// A recording or an export, and how it was found.
struct ReportPlace: Sendable {
    let path: String
    /// What is to be said of it where nobody named it.
    var note: String?

    /// Whether it is a directory; a path that leads nowhere is taken for one, too.
    var isTrace: Bool { FilePath.kind(path).map { $0 == S_IFDIR } ?? true }

    /// Throws status 69 where nothing is named, and there is nothing, or a program reads the output.
    static func find(_ name: String?, isForPeople: Bool) throws(ToolFailure) -> ReportPlace {
        if let name { return ReportPlace(path: try RunHistory.path(name)) }
        guard isForPeople else {
            throw ToolFailure(
                ExitStatus.missingProgram,
                "no recording is named, and what programs read is only what was named.\n"
                    + "Name a recording or a run: rerenderctl report last --json")
        }
        if let newest = RecordingPlace.newest {
            return ReportPlace(path: newest, note: "the newest recording: \(Printable.text(newest))")
        }
        guard RunHistory.isOn, let last = RunHistory.current()?.runs().first else {
            throw ToolFailure(
                ExitStatus.missingProgram,
                "there is no recording in ~/lttng-traces, and no run is kept.\n"
                    + "Make one: rerenderctl record -- CMD, or: rerenderctl run -- CMD")
        }
        return ReportPlace(path: last.path, note: "there is no recording, so this is the last run")
    }
}
