// SPDX-License-Identifier: MIT
// What the query socket answers beside exports: lists of processes, settings and hangs, the daemon's health, live events, and overlays.

/// The processes without their views: the entries of ``StatsExport`` with `views` empty.
package struct ProcessList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version = StatsExport.currentVersion
    /// One entry for each store of each process.
    package var processes: [ProcessStats]

    /// Makes a list.
    package init(processes: [ProcessStats]) {
        self.processes = processes
    }
}

/// What `GET /v1/hangs` answers: hangs, newest first.
package struct HangList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version = StatsExport.currentVersion
    package var generatedAt: Timestamp
    /// Hangs, newest first.
    package var hangs: [Hang]

    /// Makes a list.
    package init(generatedAt: Timestamp, hangs: [Hang]) {
        (self.generatedAt, self.hangs) = (generatedAt, hangs)
    }
}

/// How the daemon itself is.
package struct HealthReport: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version: Int = 1
    /// The release that the daemon is of, as `rerenderd --version` prints it; nil if it is older than this field.
    package var daemonVersion: String?
    /// The daemon's process.
    package var pid: Int32 = 0
    /// When it started.
    package var startedAt: Timestamp = Timestamp(nanosecondsSince1970: 0)
    /// The version of the push protocol that it speaks.
    package var protocolVersion: Int = 0
    /// The directory of its sockets.
    package var runtimeDirectory: String = ""
    /// Where the sockets came from: `systemd` or `own`.
    package var sockets: String = ""
    /// Apps connected now.
    package var connections: Int = 0
    /// Processes that ended and are still shown.
    package var endedProcesses: Int = 0
    /// Processes that were forgotten since the start, because their time was over or there were too many.
    package var forgottenProcesses: UInt64 = 0
    /// Views held.
    package var views: Int = 0
    /// Totals taken in since the start.
    package var totalsReceived: UInt64 = 0
    /// Bytes taken in since the start.
    package var bytesReceived: UInt64 = 0
    /// Whether the daemon has taken in everything that processes sent before they ended.
    package var drained: Bool = false
    /// The thread that watches main loops.
    package var watchdog: Watchdog = Watchdog()
    /// What was refused or lost since the start, by cause.
    package var dropped: Drops = Drops()

    /// How the thread is that watches main loops.
    package struct Watchdog: Hashable, Codable, Sendable {
        /// How its priority was obtained: `RLIMIT_RTPRIO`, `rtkit` or `none`.
        package var priority: String = "none"
        /// The real-time priority; 0 if it has none.
        package var realtimePriority: Int = 0
        /// What stood in the way of more, for people to read; empty if nothing did.
        package var hindrance: String = ""
        /// Processes that it watches.
        package var watched: Int = 0
        /// How often it looked since the start.
        package var looks: UInt64 = 0
        /// How late it woke up: the median, in nanoseconds.
        package var latenessP50Nanoseconds: UInt64 = 0
        /// The 99th percentile.
        package var latenessP99Nanoseconds: UInt64 = 0
        /// The latest.
        package var latenessMaxNanoseconds: UInt64 = 0
        /// Hangs that it opened, also those that did not count in the end.
        package var hangs: UInt64 = 0
        /// Hangs that were forgotten to make room.
        package var hangsForgotten: UInt64 = 0
        /// Long turns that had left their flight page before it looked, and what may have been one after `dispatchMain()` while the
        /// app's own thread, which looks, got no processor.
        package var missed: UInt64 = 0
        /// Readings that could not be true, and were left out.
        package var ignoredReadings: UInt64 = 0
        /// Hangs, or news of one, that found no way to the list, to the app or, at once, to the state file.
        package var dropped: UInt64 = 0

        /// A watchdog that has not begun.
        package init() {}
    }

    /// What was refused or lost, by cause.
    package struct Drops: Hashable, Codable, Sendable {
        /// Connections over the limit.
        package var connections: UInt64 = 0
        /// Connections of other users.
        package var foreignPeers: UInt64 = 0
        /// Connections of another protocol version.
        package var versions: UInt64 = 0
        /// Connections closed because of bytes that could not be read.
        package var malformed: UInt64 = 0
        /// Views over the limit of a process.
        package var views: UInt64 = 0
        /// Stores over the limit of a process.
        package var stores: UInt64 = 0
        /// Totals of an unknown view or an older epoch.
        package var totals: UInt64 = 0
        /// Flight pages that could not be read.
        package var flightPages: UInt64 = 0
        /// Ended processes that were forgotten early because there were too many.
        package var endedProcesses: UInt64 = 0

        /// Nothing dropped.
        package init() {}
    }

    /// A report of nothing.
    package init() {}
}

/// One line of `/v1/events`: a JSON object on one line, keys sorted.
///
/// The stream starts with one ``Kind/connected`` for each store that is connected and one ``Kind/view`` for each of
/// its views; so a reader needs no other request. Totals are cumulative; between two lines of the same view any number
/// of updates may have been merged. A reader that is too slow gets everything anew.
package struct LiveEvent: Hashable, Codable, Sendable {
    /// What the line says.
    package enum Kind: String, Hashable, Codable, Sendable {
        /// A store is there: `process` without views.
        case connected
        /// A store's settings or totals changed, or a new epoch began: `process` without views.
        case store
        /// Its app ended or lost its connection: `process` without views.
        case disconnected
        /// A view's totals: `view`.
        case view
        /// A hang began, goes on (at most once a second), ended, or got a trace after that: `hang`.
        case hang
        /// A hang that was told of turned out to be none: `hangID`.
        case hangDropped
    }

    /// What the line says.
    package var event: Kind
    /// When the daemon wrote the line.
    package var at: Timestamp
    /// The process.
    package var pid: Int32?
    /// The store's name, for the lines about stores and views.
    package var store: String?
    /// The store's number, which is its own in the process.
    package var storeNumber: UInt32?
    /// The store, for ``Kind/connected``, ``Kind/store`` and ``Kind/disconnected``.
    package var process: ProcessStats?
    /// The view, for ``Kind/view``.
    package var view: Stats?
    /// The hang, for ``Kind/hang``.
    package var hang: Hang?
    /// The number of the hang, for ``Kind/hangDropped``.
    package var hangID: UInt64?

    /// Makes a line with nothing but its kind and time.
    package init(event: Kind, at: Timestamp = .now) {
        self.event = event
        self.at = at
    }
}

/// What lies above the views of an app until it is switched off.
package enum ScreenOverlay: String, Hashable, Codable, Sendable, CaseIterable {
    /// The table of views.
    case hud
    /// Flashes over what draws again.
    case highlight
}

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
