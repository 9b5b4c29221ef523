// SPDX-License-Identifier: MIT
// Marks: moments with a name, from which on somebody wants to know what happened.

/// What `POST /v1/mark` takes.
package struct MarkRequest: Hashable, Codable, Sendable {
    /// The longest name, in bytes.
    package static let longestName = 128

    /// What the moment is called: `tap Add`.
    package var name: String
    /// A pid or the name of a process; nil for all.
    package var process: String?

    /// Makes a request.
    package init(name: String, process: String?) { (self.name, self.process) = (name, process) }
}

/// What became of a mark.
package struct MarkReport: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version = StatsExport.currentVersion
    package var name: String
    /// The moment.
    package var at: Timestamp
    /// The connected processes whose counts are kept.
    package var processes: [Process] = []
    /// Connected processes for which there was no room; nil from a daemon that does not tell.
    package var left: Int?

    /// A process whose counts are kept.
    package struct Process: Hashable, Codable, Sendable {
        package var pid: Int32
        package var name: String
        /// Views whose counts are kept.
        package var views: Int
        /// Views for which there was no room: what they do from now on is not known.
        package var left: Int

        package init(pid: Int32, name: String, views: Int, left: Int) {
            (self.pid, self.name, self.views, self.left) = (pid, name, views, left)
        }
    }

    /// Makes a report of no process.
    package init(name: String, at: Timestamp) { (self.name, self.at) = (name, at) }
}

/// What `GET /v1/mark` answers: what a process had counted at its latest mark of a name.
package struct MarkedCounts: Codable, Sendable {
    /// The version of the document: 1.
    package var version = StatsExport.currentVersion
    package var name: String
    /// The moment.
    package var at: Timestamp
    package var pid: Int32
    /// Views that are not among the lines, for want of room.
    package var left: Int
    /// Each store without its views, and its views behind it.
    package var lines: [ExportLine]

    /// Makes an answer without lines.
    package init(name: String, at: Timestamp, pid: Int32, left: Int) {
        (self.name, self.at, self.pid, self.left, lines) = (name, at, pid, left, [])
    }

    /// The stores with their views.
    package var processes: [ProcessStats] {
        var export = StatsExport(generatedAt: at, processes: [], verdict: nil)
        for line in lines { export.add(line) }
        return export.processes
    }
}
