// SPDX-License-Identifier: MIT
// The parameters of `GET /v1/stats`, checked.

import RerenderModel

/// What a client wants to see.
struct StatsQuery: Hashable, Sendable {
    var order = StatsOrder.count
    /// Views in all; nil for every one.
    var limit: Int?
    /// A pid or the name of a process.
    var process: String?
    /// A view's key.
    var key: String?

    static let parameters = ["sort", "limit", "process", "key"]

    init() {}

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        for (name, value) in parameters {
            switch name {
            case "sort": order = try Self.order(value)
            case "limit": limit = try Self.limit(value, within: limits)
            case "process": process = value
            case "key": key = value
            default:
                throw QueryError(
                    "there is no parameter \"\(name.shortened)\": "
                        + "use \(Self.parameters.joined(separator: ", "))")
            }
        }
    }

    private static func order(_ value: String) throws(QueryError) -> StatsOrder {
        guard let order = StatsOrder(rawValue: value) else {
            let allowed = StatsOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw QueryError("sort cannot be \"\(value.shortened)\": use \(allowed)")
        }
        return order
    }

    private static func limit(_ value: String, within limits: ClosedRange<Int>) throws(QueryError) -> Int {
        guard let limit = Int(value), limits.contains(limit) else {
            throw QueryError(
                "limit cannot be \"\(value.shortened)\": use a number from \(limits.lowerBound) "
                    + "to \(limits.upperBound), or leave it out for all views")
        }
        return limit
    }
}

extension String {
    /// Short enough to be quoted in an error.
    var shortened: String { utf8.count <= 80 ? self : prefix(utf8Bytes: 80) + "…" }

    private func prefix(utf8Bytes limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast(max(1, (text.utf8.count - limit) / 8)) }
        return text
    }
}
