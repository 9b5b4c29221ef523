// SPDX-License-Identifier: MIT
// Why a view was evaluated, and what wrote the value behind it.

import RerenderShow

/// A reason of a view with its writer.
package struct Cause: Hashable, Encodable, Sendable {
    let reason: String
    /// Whether comparing values found it.
    let isGuess: Bool
    let count: UInt64
    /// The ancestors down to the first cause, where a parent is the reason.
    let chain: String?
    /// The most frequent writer of the cause; nil if unknown.
    let writer: String?

    /// "4 model.text, written by FormModel.text.setter Form.swift:20"; "4 ~text" where that is a guess.
    package var text: String {
        let sign = isGuess ? "~" : ""
        return "\(Counted.grouped(count)) \(sign)\(Printable.text(reason))\(Self.origin(chain: chain, writer: writer))"
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

    /// Why a view was evaluated, the main reason first.
    package func causes(of view: KeyTally) -> [Cause] { view.reasons.map { cause($0) } }

    /// A reason with who wrote what caused it: for a parent's evaluation the writer of what the chain began with.
    func cause(_ reason: ReasonCount) -> Cause {
        let chain = reason.chains.first
        let writer =
            reason.namedWriter
            ?? chain?.origin.flatMap { views[$0.view]?.reason($0.reason)?.namedWriter }
        return Cause(
            reason: reason.reason, isGuess: reason.isGuess, count: reason.count, chain: chain?.chain,
            writer: writer?.writer)
    }
}
