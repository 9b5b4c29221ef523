// SPDX-License-Identifier: MIT
// The verdict above tables and below results.

package import RerenderModel

extension Verdict {
    /// A line for each finding, with a mark before what is known to cost something; not yet fitted to a width.
    package var lines: [StyledLine] { lines(in: nil) }

    /// The same in a command, which does not name itself as the next one.
    package func lines(in command: String?) -> [StyledLine] {
        let rest = more > 0 ? [StyledLine(text: "and \(Counted.text(more, "more finding"))", style: .dim)] : []
        return findings.map { finding in
            let isThis = command.map { name in finding.command?.text.hasPrefix("rerenderctl \(name)") == true } ?? false
            let next = isThis ? "" : finding.command.map { ". Next: \($0)" } ?? ""
            return StyledLine(
                text: (finding.kind.isMarked ? "! " : "") + finding.text + next, style: finding.kind.style)
        } + rest
    }
}

extension Verdict.Kind {
    /// The style of a finding.
    package var style: Style {
        switch self {
        case .hangs: .bad
        case .waste, .cycle: .notice
        case .nothing: .good
        case .notJudged, .nothingKnown: .plain
        }
    }
}
