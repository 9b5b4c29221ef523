// SPDX-License-Identifier: MIT
// The parameters of `GET /v1/stats`, checked.

import RerenderQuery

/// What a client wants to see.
struct StatsQuery: Hashable, Sendable {
    var order = StatsOrder.count
    /// Views in all; nil for every one.
    var limit: Int?
    /// A pid or the name of a process.
    var process: String?
    /// A view's key.
    var key: String?
    /// A part of it.
    var match: String?
    /// How many of the first views are left out.
    var skip = 0

    static let parameters = ["sort", "limit", "process", "key", "match", "skip"]
    /// A longer part would fit no key.
    static let longestMatch = 1_024

    /// Which views are considered.
    var filter: ViewFilter { ViewFilter(key: key, match: match) }

    init() {}

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        for (name, value) in parameters {
            switch name {
            case "sort": order = try Self.order(value)
            case "limit": limit = try Self.limit(value, within: limits)
            case "process": process = value
            case "key": key = value
            case "match": match = try Self.match(value)
            case "skip": skip = try Self.skip(value, within: limits)
            default:
                throw QueryError(
                    "there is no parameter \"\(name.shortened)\": "
                        + "use \(Self.parameters.joined(separator: ", "))")
            }
        }
        guard skip == 0 || limit != nil else { throw QueryError("skip goes with limit: say how many views are wanted") }
    }

    private static func match(_ value: String) throws(QueryError) -> String? {
        guard value.utf8.count <= longestMatch else {
            throw QueryError("match is longer than \(longestMatch) bytes, and no key is")
        }
        return value.isEmpty ? nil : value
    }

    private static func skip(_ value: String, within limits: ClosedRange<Int>) throws(QueryError) -> Int {
        guard let skip = Int(value), (0...limits.upperBound).contains(skip) else {
            throw QueryError("skip cannot be \"\(value.shortened)\": use a number from 0 to \(limits.upperBound)")
        }
        return skip
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
