// SPDX-License-Identifier: MIT
// The parameters of `GET /v1/hangs`, checked.

import RerenderModel

extension HangsQuery {
    static let parameters = ["process", "since", "limit"]

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        self.init()
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
        if let time = Timestamp(typed: value) { return time }
        throw .badParameter("since", value, use: "a time such as 2026-11-20T22:45:00Z")
    }
}
