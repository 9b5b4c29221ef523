// SPDX-License-Identifier: MIT
// The text of a failed expectation.

import Rerender

/// The text of a failure, in parts with their names in a margin.
struct ExpectationText: Sendable {
    /// The most reasons and other views that are listed.
    static let listed = 8

    let counts: BlockCounts
    let store: String

    /// The failure of an expectation on one view.
    ///
    /// - Parameters:
    ///   - key: The view.
    ///   - headline: What happened instead of what was expected.
    ///   - expected: "exactly 1 evaluation".
    func text(_ key: ViewKey, headline: String, expected: String) -> String {
        let view = counts.view(key)
        var parts = [part("view", [view.map(Self.place) ?? "\(key.displayName), not evaluated in this block"])]
        parts += [part("expected", [expected]), part("counted", [Self.counted(view)])]
        if let view { parts.append(part("why", reasons(view))) }
        let others = counts.views.filter { $0.key != key }
        if !others.isEmpty {
            let names = others.prefix(Self.listed).map { "\($0.key.displayName) \($0.evaluations)" }
            let rest = others.count - names.count
            parts.append(
                part("also", [names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more views" : "")]))
        }
        parts.append(part("store", [Printable.text(store)]))
        return ([headline] + parts.flatMap(\.self)).joined(separator: "\n")
    }

    private static func place(_ view: BlockCounts.View) -> String {
        let instances = view.instances == 1 ? "1 instance" : "\(view.instances) instances"
        return "\(view.key.displayName) at \(Printable.text(view.place)), \(instances)"
    }

    private static func counted(_ view: BlockCounts.View?) -> String {
        guard let view else { return "no evaluation" }
        let kinds = view.kinds.map { "\($0.count) \($0.kind.rawValue)\($0.kind.isMeasured ? "" : ", inferred")" }
            .joined(separator: "; ")
        let wasted = view.wasted == 0 ? "none wasted" : "\(view.wasted) wasted" + (kinds.isEmpty ? "" : " (\(kinds))")
        return "\(number(view.evaluations)), \(wasted)"
    }

    /// "1 evaluation", "3 evaluations".
    static func number(_ count: some BinaryInteger) -> String {
        "\(count) \(count == 1 ? "evaluation" : "evaluations")"
    }

    private func reasons(_ view: BlockCounts.View) -> [String] {
        let shown = view.reasons.prefix(Self.listed).map { reason in
            let chain = reason.chains.first.map { ", began with \(Printable.text($0.chain))" } ?? ""
            let writer = counts.writer(of: reason).map { ", written by \(Printable.text($0))" } ?? ""
            return "\(reason.count) \(Printable.text(reason.reason))\(Self.sureness(reason))\(chain)\(writer)"
        }
        let rest = view.reasons.count - shown.count
        return shown + (rest > 0 ? ["and \(rest) more reasons"] : [])
    }

    private static func sureness(_ reason: ReasonCount) -> String {
        reason.isGuess ? " (found by comparing values)" : ""
    }

    /// Lines of which the first has the part's name in the margin.
    private func part(_ name: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let margin = index == 0 ? name : ""
            return "  " + margin + String(repeating: " ", count: 10 - margin.count) + line
        }
    }
}
