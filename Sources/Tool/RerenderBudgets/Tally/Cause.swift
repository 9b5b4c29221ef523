// SPDX-License-Identifier: MIT
// Why a view was evaluated, and what wrote the value behind it.

import RerenderToolBase

/// A reason of a view with its writer.
package struct Cause: Hashable, Encodable, Sendable {
    let reason: String
    let count: UInt64
    /// The ancestors down to the first cause, where a parent is the reason.
    let chain: String?
    /// The most frequent writer of the cause; nil if unknown.
    let writer: String?

    /// "4 model.text, written by FormModel.text.setter Form.swift:20".
    package var text: String {
        "\(Counted.grouped(count)) \(Printable.text(reason))\(Self.origin(chain: chain, writer: writer))"
    }

    /// ", began with …, written by …", as far as it is known.
    static func origin(chain: String?, writer: String?) -> String {
        let began = chain.map { ", began with \(Printable.text($0))" } ?? ""
        return began + (writer.map { ", written by \(Printable.text($0))" } ?? "")
    }
}

extension Tally {
    /// The most causes that are named for a view.
    static let namedCauses = 3

    /// Why a view was evaluated, most frequent first; that it appeared comes last, because it always does.
    package func causes(of view: KeyTally) -> [Cause] {
        let reasons = view.reasons
        let ordered = reasons.filter { $0.reason != Reason.initial } + reasons.filter { $0.reason == Reason.initial }
        return ordered.map { cause($0) }
    }

    /// A reason with who wrote what caused it: for a parent's evaluation the writer of what the chain began with.
    func cause(_ reason: ReasonCount) -> Cause {
        let chain = reason.chains.first
        let writer =
            reason.writers.first
            ?? chain?.origin.flatMap { views[$0.view]?.reason($0.reason)?.writers.first }
        return Cause(reason: reason.reason, count: reason.count, chain: chain?.chain, writer: writer?.writer)
    }
}
