// SPDX-License-Identifier: MIT
// The parameters of `GET /v1/hangs`, checked.

import FoundationEssentials
import RerenderModel
import RerenderQuery

/// Which hangs a client wants to see.
struct HangsQuery: Hashable, Sendable {
    /// A pid or the name of a process.
    var process: String?
    /// Hangs that ended before are left out.
    var since: Timestamp?
    /// The newest, at most so many.
    var limit: Int?

    static let parameters = ["process", "since", "limit"]

    init() {}

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        for (name, value) in parameters {
            switch name {
            case "process": process = value
            case "since": since = try Self.time(value)
            case "limit":
                limit = try Int(parameter: name, value, within: limits, or: ", or leave it out for all hangs")
            default: throw QueryError.unknownParameter(name, of: Self.parameters)
            }
        }
    }

    private static func time(_ value: String) throws(QueryError) -> Timestamp {
        // Seconds without a fraction are how people type a time.
        for style in [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()] {
            if let date = try? style.parse(value) { return Timestamp(date) }
        }
        throw .badParameter("since", value, use: "a time such as 2026-11-20T22:45:00Z")
    }

    func matches(_ hang: Hang) -> Bool {
        if let process, process != "\(hang.pid)", process != hang.process { return false }
        guard let since, !hang.open else { return true }
        let end = hang.startedAt.nanosecondsSince1970.addingReportingOverflow(Int64(clamping: hang.durationNanoseconds))
        return end.overflow || end.partialValue >= since.nanosecondsSince1970
    }
}
