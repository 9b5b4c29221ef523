// SPDX-License-Identifier: MIT
// What can be asked on the query socket: its paths, questions about views and hangs, and what a client posts to change something.

/// The daemon's paths; each is served on `query.sock` over HTTP/1.1 with JSON bodies.
///
/// A parameter or a field of a body that a path does not know is refused, so that no selection is missed by a misspelling.
package enum QueryPath: String, Sendable, CaseIterable {
    /// GET: a ``StatsExport``, or its ``ExportLine``s where ``MediaType/lines`` are accepted. Parameters: `sort` (``StatsOrder``), `limit`
    /// (views in all), `process` (a pid or name), `key` (a view's key), `match` (a part of its key, the case of ASCII letters aside),
    /// `skip` (so many of the first are left out; with `limit`), `reverse` (`true`: the last come first), `handles` (`true`: each view has
    /// its handle). With `limit`, `matchingViews`
    /// beside the processes is the number of views that there are without it; views that were not seen are not among these.
    case stats = "/v1/stats"
    /// GET: a ``ProcessList``.
    case processes = "/v1/processes"
    /// GET: a ``HealthReport``.
    case health = "/v1/health"
    /// GET: ``LiveEvent`` as JSON lines until the client closes.
    case events = "/v1/events"
    /// POST a ``ProcessSelection``: a ``CommandReport``.
    case reset = "/v1/reset"
    /// POST a ``ConfigurationChange``: a ``CommandReport``. A store's settings are in the ``ProcessList``.
    case config = "/v1/config"
    /// POST a ``PulseRequest``: a ``CommandReport``.
    case pulse = "/v1/pulse"
    /// POST an ``OverlayRequest``: a ``CommandReport``.
    case overlay = "/v1/overlay"
    /// GET: a ``HangList``. Parameters: `process` (a pid or name), `since` (an ISO 8601 time; hangs that ended before it are
    /// left out), `limit` (at most so many, the newest).
    case hangs = "/v1/hangs"
    /// POST a ``MarkRequest``: a ``MarkReport``. GET: ``MarkedCounts`` of the latest mark of a name in a process. Parameters: `name`,
    /// `process` (a pid or name).
    case mark = "/v1/mark"
}

/// By what views are ranked; equal ones by key.
package enum StatsOrder: String, Sendable, Codable, CaseIterable {
    /// Faults first, then what is busy, then the others; in each class, what cost most by itself. See ``RowRank``.
    case cost
    /// Most evaluations first.
    case count
    /// Most nanoseconds wasted first, then most evaluations wasted.
    case wasted
    /// Most self time first: time in bodies, without those inside of them.
    case time
    /// Most hangs first.
    case hangs
    /// By name.
    case key
    /// Most evaluations per second first. Only `top` ranks by it: a daemon's answer has the counts of one moment.
    case rate
    /// The largest part of its evaluations wasted first.
    case share
    /// Longest average time in the body first.
    case average
    /// By the name of the process.
    case process
    /// By the text of the main reason.
    case reason
    /// By file and line.
    case place
}

/// What the body of an answer is.
package enum MediaType {
    /// A document.
    package static let document = "application/json"
    /// JSON lines.
    package static let lines = "application/x-ndjson"
}

/// Which views are wanted, and in which order.
package struct StatsQuery: Hashable, Sendable {
    package var order = StatsOrder.count
    /// Views in all; nil for every one.
    package var limit: Int?
    /// A pid or the name of a process.
    package var process: String?
    /// A view's key.
    package var key: String?
    /// A part of it; the case of ASCII letters does not matter.
    package var match: String?
    /// How many of the first views are left out.
    package var skip = 0
    /// Whether the last come first.
    package var isReversed = false
    /// Whether views have their handles: ``Stats/handle``.
    package var hasHandles = false

    package init(_ order: StatsOrder = .count, limit: Int? = nil, process: String? = nil) {
        (self.order, self.limit, self.process) = (order, limit, process)
    }
}

/// Which hangs are wanted.
package struct HangsQuery: Hashable, Sendable {
    /// A pid or the name of a process.
    package var process: String?
    /// Hangs that ended before are left out.
    package var since: Timestamp?
    /// The newest, at most so many.
    package var limit: Int?

    package init(process: String? = nil, since: Timestamp? = nil, limit: Int? = nil) {
        (self.process, self.since, self.limit) = (process, since, limit)
    }

    /// Whether a hang is of the process, and was not over before the time.
    package func matches(_ hang: Hang) -> Bool {
        if let process, process != "\(hang.pid)", process != hang.process { return false }
        guard let since, !hang.open else { return true }
        return hang.seenUntil >= since
    }
}

/// Which stores a command is for; nil stands for all.
package struct ProcessSelection: Hashable, Codable, Sendable {
    /// A pid, or the name of a process.
    package var process: String?
    /// The name of a store, or its name and number: `main#1`.
    package var store: String?

    /// Makes a selection.
    package init(process: String? = nil, store: String? = nil) {
        self.process = process
        self.store = store
    }

    /// Whether a store of a selected process is selected. Stores of one process may have one name.
    ///
    /// Compares bytes, so that no name is slow to compare.
    package func fits(storeName name: String, number: UInt32) -> Bool {
        guard let store else { return true }
        guard store.utf8.starts(with: name.utf8) else { return false }
        let rest = store.utf8.dropFirst(name.utf8.count)
        return rest.isEmpty || rest.elementsEqual("#\(number)".utf8)
    }
}

/// What `POST /v1/pulse` takes.
package struct PulseRequest: Hashable, Codable, Sendable {
    /// The view's key.
    package var key: String
    /// A pid or the name of a process; nil for all.
    package var process: String?
    /// The name of a store, or its name and number (`main#1`); nil for all.
    package var store: String?

    /// Makes a request.
    package init(key: String, _ selection: ProcessSelection) {
        (self.key, process, store) = (key, selection.process, selection.store)
    }
}

/// What `POST /v1/overlay` takes.
package struct OverlayRequest: Hashable, Codable, Sendable {
    /// What to show, or to take away.
    package var overlay: ScreenOverlay
    package var on: Bool
    /// A pid or the name of a process; nil for all.
    package var process: String?
    /// The name of a store, or its name and number (`main#1`); nil for all.
    package var store: String?

    /// Makes a request.
    package init(_ overlay: ScreenOverlay, on: Bool, _ selection: ProcessSelection) {
        (self.overlay, self.on, process, store) = (overlay, on, selection.process, selection.store)
    }
}

/// What `POST /v1/config` takes; nil leaves a setting as it is.
package struct ConfigurationChange: Hashable, Codable, Sendable {
    /// A pid or the name of a process; nil for all.
    package var process: String?
    /// The name of a store, or its name and number (`main#1`); nil for all.
    package var store: String?
    /// Whether evaluations are counted.
    package var enabled: Bool?
    /// From when on a turn of the main loop is a hang; within ``HangThreshold/allowedMilliseconds``.
    package var hangThresholdMilliseconds: UInt32?
    /// From when on it is a micro-hang.
    package var microHangThresholdMilliseconds: UInt32?
    /// Whether stacks are taken in hangs; see `store.hangStacks`.
    package var hangStacks: Bool?

    /// Makes a change of nothing.
    package init(process: String? = nil, store: String? = nil) {
        self.process = process
        self.store = store
    }
}

/// What became of a command.
package struct CommandReport: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version: Int = 1
    /// Apps that the command was sent to.
    package var sent: Int
    /// Apps that said in time that they had carried it out.
    package var confirmed: Int
    /// What it reached in them: stores, or for a pulse the handlers that ran; for an overlay, the apps that have a bridge.
    package var reached: Int
    /// Of these, the bridges to a screen that said what they show.
    package var answered: Int
    /// Of a pulse, over how many instances it is shown, and of how many. Of an overlay, in how many windows it is shown, or was.
    package var shown: Int
    package var instances: Int

    /// Makes a report.
    package init(
        sent: Int, confirmed: Int, reached: Int, answered: Int = 0, shown: Int = 0, instances: Int = 0
    ) {
        self.sent = sent
        self.confirmed = confirmed
        (self.reached, self.answered) = (reached, answered)
        (self.shown, self.instances) = (shown, instances)
    }
}

/// The body of every answer that is no success.
package struct QueryError: Hashable, Codable, Sendable, Error {
    /// What happened, and what to do next.
    package var error: String
    /// The paths that there are, where the path was not known.
    package var paths: [String]?

    package init(_ error: String, paths: [String]? = nil) {
        self.error = error
        self.paths = paths
    }
}
