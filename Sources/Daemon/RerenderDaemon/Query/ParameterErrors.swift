// SPDX-License-Identifier: MIT
// Checks of a request's parameters, with errors that say what is allowed.

import RerenderModel
import RerenderWire

extension QueryError {
    /// A parameter has a value that it cannot have; `use` says what it takes.
    static func badParameter(_ name: String, _ value: String, use: String) -> QueryError {
        QueryError("\(name) cannot be \"\(value.shortened)\": use \(use)")
    }

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
            throw .badParameter(
                name, value, use: "a number from \(limits.lowerBound) to \(limits.upperBound)" + alternative)
        }
        self = number
    }
}

extension String {
    /// Short enough to be quoted in an error.
    var shortened: String { utf8.count <= 80 ? self : prefix(utf8Bytes: 80) + "…" }
}
