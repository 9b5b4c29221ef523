// SPDX-License-Identifier: MIT
// The reasons of a view with their shares, writers and causes.

/// The entries of "Why".
package enum ReasonText {
    /// The most reasons that are listed.
    package static let listed = 8

    /// An entry for each reason, most frequent first, each followed by its writers and chains, and by the guess if it is
    /// about it.
    package static func paragraphs(_ view: Stats, _ hint: CauseHint? = nil) -> [Explanation.Paragraph] {
        guard !view.reasons.isEmpty else { return [.init("No reason is known.")] }
        let reasons = view.reasons.sorted(by: ReasonCount.byCount)
        let width = reasons.reduce(0) { max($0, Counted.grouped($1.count).count) }
        let shown = reasons.prefix(listed).flatMap { reason -> [Explanation.Paragraph] in
            let remarks = (hint?.remarks(on: reason) ?? []).map { Explanation.Paragraph($0, indent: width + 4) }
            return [entry(reason, of: view.count, width)] + details(reason, indent: width + 4) + remarks
        }
        guard reasons.count > listed else { return shown }
        let rest = reasons.dropFirst(listed).reduce(UInt64(0)) { $0 &+ $1.count }
        let more = Counted.text(reasons.count - listed, "more reason")
        return shown + [.init("and \(more) with \(Counted.text(rest, "evaluation"))")]
    }

    private static func entry(_ reason: ReasonCount, of count: UInt64, _ width: Int) -> Explanation.Paragraph {
        let number = Fit.pad(Counted.grouped(reason.count), width, toTheRight: true)
        // The blanks that align the numbers go into the indent, because wrapping joins words.
        let blanks = number.prefix { $0 == " " }.count
        let share = Percent.text(reason.count, of: count)
        return .init(
            "\(number.dropFirst(blanks)) (\(share)) \(name(reason))\(sureness(reason))", indent: 2 + blanks)
    }

    /// A reason as a reader understands it.
    private static func name(_ reason: ReasonCount) -> String {
        reason.fixed.map { "\($0.text): \($0.sentence)" } ?? Printable.text(reason.reason)
    }

    private static func sureness(_ reason: ReasonCount) -> String {
        switch reason.attribution {
        case .diff: ", found by comparing values"
        case .announced where reason.fixed != .initial: ", as reported by the app"
        case .announced, .exact, nil: ""
        }
    }

    private static func details(_ reason: ReasonCount, indent: Int) -> [Explanation.Paragraph] {
        reason.writers.map { detail("written by", $0.writer, $0.count, indent) }
            + reason.chains.map { detail("began with", $0.chain, $0.count, indent) }
    }

    private static func detail(
        _ what: String, _ text: String, _ count: UInt64, _ indent: Int
    ) -> Explanation.Paragraph {
        let name = text == Reason.other ? "others" : Printable.text(text)
        return .init("\(what) \(name) (\(Counted.grouped(count)))", indent: indent)
    }
}
