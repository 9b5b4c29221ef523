// SPDX-License-Identifier: MIT
// The query API: paths of the HTTP server on the query socket, and the JSON bodies that it takes and gives.

/// The daemon's paths; each is served on `query.sock` over HTTP/1.1 with JSON bodies.
///
/// A parameter or a field of a body that a path does not know is refused, so that no selection is missed by a misspelling.
public enum QueryPath: String, Sendable, CaseIterable {
    /// GET: a ``StatsExport``. Parameters: `sort` (``StatsOrder``), `limit` (views in all), `process` (a pid or name),
    /// `key` (a view's key), `match` (a part of its key, the case of ASCII letters aside), `skip` (so many of the first are
    /// left out; with `limit`). With `limit`, `matchingViews` beside the processes is the number of views that there are without it.
    case stats = "/v1/stats"
    /// GET: a ``ProcessList``.
    case processes = "/v1/processes"
    /// GET: a ``HealthReport``.
    case health = "/v1/health"
    /// GET: ``LiveEvent`` as JSON lines until the client closes.
    case events = "/v1/events"
    /// POST a ``ProcessSelection``: a ``CommandReport``.
    case reset = "/v1/reset"
    /// GET: a ``ConfigurationList``. POST a ``ConfigurationChange``: a ``CommandReport``.
    case config = "/v1/config"
    /// POST a ``PulseRequest``: a ``CommandReport``.
    case pulse = "/v1/pulse"
    /// GET: a ``HangList``. Parameters: `process` (a pid or name), `since` (an ISO 8601 time; hangs that ended before it are
    /// left out), `limit` (at most so many, the newest).
    case hangs = "/v1/hangs"
}

/// By what views are ranked; equal ones by key.
public enum StatsOrder: String, Sendable, Codable, CaseIterable {
    /// Most evaluations first.
    case count
    /// Most nanoseconds wasted first, then most evaluations wasted.
    case wasted
    /// Most body time first.
    case time
    /// Most hangs first.
    case hangs
    /// By name.
    case key
}

/// The processes without their views: the entries of ``StatsExport`` with `views` empty.
public struct ProcessList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    public var version: Int
    /// One entry for each store of each process.
    public var processes: [ProcessStats]

    /// Makes a list.
    public init(processes: [ProcessStats]) {
        self.version = StatsExport.currentVersion
        self.processes = processes
    }
}

/// How the daemon itself is.
public struct HealthReport: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    public var version: Int = 1
    /// The daemon's process.
    public var pid: Int32 = 0
    /// When it started.
    public var startedAt: Timestamp = Timestamp(nanosecondsSince1970: 0)
    /// The version of the push protocol that it speaks.
    public var protocolVersion: Int = 0
    /// The directory of its sockets.
    public var runtimeDirectory: String = ""
    /// Where the sockets came from: `systemd` or `own`.
    public var sockets: String = ""
    /// Apps connected now.
    public var connections: Int = 0
    /// Processes that ended and are still shown.
    public var endedProcesses: Int = 0
    /// Processes that were forgotten since the start, because their time was over or there were too many.
    public var forgottenProcesses: UInt64 = 0
    /// Views held.
    public var views: Int = 0
    /// Totals taken in since the start.
    public var totalsReceived: UInt64 = 0
    /// Bytes taken in since the start.
    public var bytesReceived: UInt64 = 0
    /// The thread that watches main loops.
    public var watchdog: Watchdog = Watchdog()
    /// What was refused or lost since the start, by cause.
    public var dropped: Drops = Drops()

    /// How the thread is that watches main loops.
    public struct Watchdog: Hashable, Codable, Sendable {
        /// How its priority was obtained: `RLIMIT_RTPRIO`, `rtkit`, `nice` or `none`.
        public var priority: String = "none"
        /// The real-time priority; 0 if it has none.
        public var realtimePriority: Int = 0
        /// The nice value; 0 if it was not changed.
        public var nice: Int = 0
        /// What stood in the way of more, for people to read; empty if nothing did.
        public var hindrance: String = ""
        /// Processes that it watches.
        public var watched: Int = 0
        /// How often it looked since the start.
        public var looks: UInt64 = 0
        /// How late it woke up: the median, in nanoseconds.
        public var latenessP50Nanoseconds: UInt64 = 0
        /// The 99th percentile.
        public var latenessP99Nanoseconds: UInt64 = 0
        /// The latest.
        public var latenessMaxNanoseconds: UInt64 = 0
        /// Hangs that it opened, also those that did not count in the end.
        public var hangs: UInt64 = 0
        /// Hangs that were forgotten to make room.
        public var hangsForgotten: UInt64 = 0
        /// Long turns that had left their flight page before it looked.
        public var missed: UInt64 = 0
        /// Readings that could not be true, and were left out.
        public var ignoredReadings: UInt64 = 0
        /// Hangs, or news of one, that found no room on their way to the list or to the app.
        public var dropped: UInt64 = 0

        /// A watchdog that has not begun.
        public init() {}
    }

    /// What was refused or lost, by cause.
    public struct Drops: Hashable, Codable, Sendable {
        /// Connections over the limit.
        public var connections: UInt64 = 0
        /// Connections of other users.
        public var foreignPeers: UInt64 = 0
        /// Connections of another protocol version.
        public var versions: UInt64 = 0
        /// Connections closed because of bytes that could not be read.
        public var malformed: UInt64 = 0
        /// Views over the limit of a process.
        public var views: UInt64 = 0
        /// Stores over the limit of a process.
        public var stores: UInt64 = 0
        /// Totals of an unknown view or an older epoch.
        public var totals: UInt64 = 0
        /// Flight pages that could not be read.
        public var flightPages: UInt64 = 0
        /// Event lines that a slow reader missed.
        public var events: UInt64 = 0
        /// Ended processes that were forgotten early because there were too many.
        public var endedProcesses: UInt64 = 0

        /// Nothing dropped.
        public init() {}
    }

    /// A report of nothing.
    public init() {}
}

/// Which stores a command is for; nil stands for all.
public struct ProcessSelection: Hashable, Codable, Sendable {
    /// A pid, or the name of a process.
    public var process: String?
    /// The name of a store.
    public var store: String?

    /// Makes a selection.
    public init(process: String? = nil, store: String? = nil) {
        self.process = process
        self.store = store
    }
}

/// What `POST /v1/pulse` takes.
public struct PulseRequest: Hashable, Codable, Sendable {
    /// The view's key.
    public var key: String
    /// A pid or the name of a process; nil for all.
    public var process: String?
    /// The name of a store; nil for all.
    public var store: String?

    /// Makes a request.
    public init(key: String, process: String? = nil, store: String? = nil) {
        self.key = key
        self.process = process
        self.store = store
    }
}

/// What `POST /v1/config` takes; nil leaves a setting as it is.
public struct ConfigurationChange: Hashable, Codable, Sendable {
    /// A pid or the name of a process; nil for all.
    public var process: String?
    /// The name of a store; nil for all.
    public var store: String?
    /// Whether evaluations are counted.
    public var enabled: Bool?
    /// From when on a turn of the main loop is a hang; within ``HangThreshold/allowedMilliseconds``.
    public var hangThresholdMilliseconds: UInt32?
    /// From when on it is a micro-hang.
    public var microHangThresholdMilliseconds: UInt32?
    /// Whether stacks are taken in hangs; see `store.recordsHangStacks`.
    public var stacks: Bool?
    /// Whether the daemon shows a desktop notification for each hang. The daemon's own setting: `process` and `store` must be
    /// nil with it.
    public var notify: Bool?

    /// Makes a change of nothing.
    public init(process: String? = nil, store: String? = nil) {
        self.process = process
        self.store = store
    }
}

/// The settings of each store that is connected.
public struct ConfigurationList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    public var version: Int = 1
    /// One entry for each store.
    public var stores: [Entry]
    /// Whether the daemon shows a desktop notification for each hang.
    public var notify: Bool = false

    /// The settings of one store.
    public struct Entry: Hashable, Codable, Sendable {
        /// The process.
        public var pid: Int32
        /// Its name.
        public var name: String
        /// The store's name.
        public var store: String
        /// Whether evaluations are counted.
        public var enabled: Bool
        /// From when on a turn of the main loop is a hang.
        public var hangThresholdMilliseconds: UInt32
        /// From when on it is a micro-hang.
        public var microHangThresholdMilliseconds: UInt32
        /// Whether stacks are taken in hangs.
        public var stacks: Bool

        /// The settings among a store's statistics.
        public init(_ process: ProcessStats) {
            pid = process.pid
            name = process.name
            store = process.store
            enabled = process.enabled
            hangThresholdMilliseconds = process.hangThresholdMilliseconds
            microHangThresholdMilliseconds = process.microHangThresholdMilliseconds
            stacks = process.stacks
        }
    }

    /// Makes a list.
    public init(stores: [Entry]) {
        self.stores = stores
    }
}

/// What became of a command.
public struct CommandReport: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    public var version: Int = 1
    /// Apps that the command was sent to.
    public var sent: Int
    /// Apps that said in time that they had carried it out.
    public var confirmed: Int
    /// What it reached in them: stores, or for a pulse the handlers that ran.
    public var reached: Int

    /// Makes a report.
    public init(sent: Int, confirmed: Int, reached: Int) {
        self.sent = sent
        self.confirmed = confirmed
        self.reached = reached
    }
}

/// The body of every answer that is no success.
public struct QueryError: Hashable, Codable, Sendable, Error {
    /// What happened, and what to do next.
    public var error: String
    /// The paths that there are, where the path was not known.
    public var paths: [String]?

    /// Makes an error.
    public init(_ error: String, paths: [String]? = nil) {
        self.error = error
        self.paths = paths
    }
}

/// One line of `/v1/events`: a JSON object on one line, keys sorted.
///
/// The stream starts with one ``Kind/connected`` for each store that is connected and one ``Kind/view`` for each of
/// its views; so a reader needs no other request. Totals are cumulative; between two lines of the same view any number
/// of updates may have been merged. A reader that is too slow gets newer totals instead of every one, and
/// ``Kind/dropped`` says how many lines it missed.
public struct LiveEvent: Hashable, Codable, Sendable {
    /// What the line says.
    public enum Kind: String, Hashable, Codable, Sendable {
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
        /// Lines that this reader missed: `count`.
        case dropped
    }

    /// What the line says.
    public var event: Kind
    /// When the daemon wrote the line.
    public var at: Timestamp
    /// The process, for all but ``Kind/dropped``.
    public var pid: Int32?
    /// The store's name, for all but ``Kind/dropped``.
    public var store: String?
    /// The store, for ``Kind/connected``, ``Kind/store`` and ``Kind/disconnected``.
    public var process: ProcessStats?
    /// The view, for ``Kind/view``.
    public var view: Stats?
    /// How many lines were missed, for ``Kind/dropped``.
    public var count: UInt64?
    /// The hang, for ``Kind/hang``.
    public var hang: Hang?
    /// The number of the hang, for ``Kind/hangDropped``.
    public var hangID: UInt64?

    /// Makes a line with nothing but its kind and time.
    public init(event: Kind, at: Timestamp = .now) {
        self.event = event
        self.at = at
    }
}
