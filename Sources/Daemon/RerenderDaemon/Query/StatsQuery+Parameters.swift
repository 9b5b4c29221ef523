// SPDX-License-Identifier: MIT
// The parameters of `GET /v1/stats`, checked.

import RerenderModel

extension StatsQuery {
    static let parameters = ["sort", "limit", "process", "key", "match", "skip", "reverse"]
    /// A longer part would fit no key.
    static let longestMatch = 1_024

    /// Which views are considered.
    var filter: ViewFilter { ViewFilter(key: key, match: match) }

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        self.init()
        for (name, value) in parameters {
            switch name {
            case "sort": order = try Self.order(value)
            case "limit":
                limit = try Int(parameter: name, value, within: limits, or: ", or leave it out for all views")
            case "process": process = value
            case "key": key = value
            case "match": match = try Self.match(value)
            case "skip": skip = try Int(parameter: name, value, within: 0...limits.upperBound)
            case "reverse": isReversed = try Self.flag(name, value)
            default: throw QueryError.unknownParameter(name, of: Self.parameters)
            }
        }
        guard skip == 0 || limit != nil else { throw QueryError("skip needs limit: say how many views are wanted") }
    }

    private static func flag(_ name: String, _ value: String) throws(QueryError) -> Bool {
        guard let flag = Bool(value) else { throw .badParameter(name, value, use: "true, false") }
        return flag
    }

    private static func match(_ value: String) throws(QueryError) -> String? {
        guard value.utf8.count <= longestMatch else {
            throw QueryError("match is longer than \(longestMatch) bytes, and no key is")
        }
        return value.isEmpty ? nil : value
    }

    private static func order(_ value: String) throws(QueryError) -> StatsOrder {
        let orders = StatsOrder.allCases.filter { $0 != .rate }
        guard let order = orders.first(where: { $0.rawValue == value }) else {
            throw .badParameter("sort", value, use: orders.map(\.rawValue).joined(separator: ", "))
        }
        return order
    }
}
