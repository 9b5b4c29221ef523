// SPDX-License-Identifier: MIT
// The paths of the HTTP server on the query socket, and how its views are ranked.

/// The daemon's paths; each is served on `query.sock` over HTTP/1.1 with JSON bodies.
///
/// A parameter or a field of a body that a path does not know is refused, so that no selection is missed by a misspelling.
package enum QueryPath: String, Sendable, CaseIterable {
    /// GET: a ``StatsExport``, or its ``ExportLine``s where ``MediaType/lines`` are accepted. Parameters: `sort` (``StatsOrder``), `limit`
    /// (views in all), `process` (a pid or name), `key` (a view's key), `match` (a part of its key, the case of ASCII letters aside),
    /// `skip` (so many of the first are left out; with `limit`), `reverse` (`true`: the last come first). With `limit`, `matchingViews`
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
    /// GET: a ``ConfigurationList``. POST a ``ConfigurationChange``: a ``CommandReport``.
    case config = "/v1/config"
    /// POST a ``PulseRequest``: a ``CommandReport``.
    case pulse = "/v1/pulse"
    /// POST an ``OverlayRequest``: a ``CommandReport``.
    case overlay = "/v1/overlay"
    /// GET: a ``HangList``. Parameters: `process` (a pid or name), `since` (an ISO 8601 time; hangs that ended before it are
    /// left out), `limit` (at most so many, the newest).
    case hangs = "/v1/hangs"
}

/// By what views are ranked; equal ones by key.
package enum StatsOrder: String, Sendable, Codable, CaseIterable {
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
