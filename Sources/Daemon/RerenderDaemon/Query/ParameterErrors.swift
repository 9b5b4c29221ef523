// SPDX-License-Identifier: MIT
// Checks of a request's parameters, with errors that say what is allowed.

import RerenderQuery

extension QueryError {
    static func unknownParameter(_ name: String, of known: [String]) -> QueryError {
        QueryError("there is no parameter \"\(name.shortened)\": use \(known.joined(separator: ", "))")
    }
}

extension Int {
    /// Reads the number of a parameter; throws an error with the allowed range and, if there is one, the alternative.
    init(
        parameter name: String, _ value: String, within limits: ClosedRange<Int>, or alternative: String = ""
    ) throws(QueryError) {
        guard let number = Int(value), limits.contains(number) else {
            throw QueryError(
                "\(name) cannot be \"\(value.shortened)\": use a number from \(limits.lowerBound) to \(limits.upperBound)"
                    + alternative)
        }
        self = number
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
