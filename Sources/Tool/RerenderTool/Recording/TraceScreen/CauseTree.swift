// SPDX-License-Identifier: MIT
// Shows what caused evaluations, as an indented tree.

import RerenderShow
import RerenderTrace

/// Draws causes with the views that they reached.
struct CauseTree: Sendable {
    let report: TraceReport

    private static let shownCauses = 12
    private static let shownViews = 8
    private static let shownWriters = 3
    private static let depth = 6

    var lines: [StyledLine] {
        let several = report.causes.count > 1
        let trees = report.causes.flatMap { process in
            (several ? [StyledLine(text: "  \(Printable.text(process.process))[\(process.pid)]")] : [])
                + process.causes.prefix(Self.shownCauses).flatMap { cause($0) }
                + StyledLine.rest(process.causes.count - Self.shownCauses, "more cause", indent: 2)
        }
        guard !trees.isEmpty else { return [] }
        let writes =
            report.writeCount > 0 ? " (\(Counted.text(report.writeCount, "write")) that invalidated views)" : ""
        return [StyledLine(text: "Causes\(writes)", style: .bold)] + trees
    }

    private func cause(_ cause: CauseNode) -> [StyledLine] {
        let writers = cause.writers.prefix(Self.shownWriters).map { writer in
            StyledLine(
                text: "      ← \(Printable.text(writer.writer)), \(Counted.text(writer.count, "write"))", style: .dim)
        }
        return [StyledLine(text: "  \(Printable.text(cause.text)): \(Counted.text(cause.evaluations, "evaluation"))")]
            + writers + StyledLine.rest(cause.writers.count - Self.shownWriters, "more writer", indent: 6)
            + views(cause.views, level: 1)
    }

    private func views(_ views: [CauseNode], level: Int) -> [StyledLine] {
        guard level <= Self.depth else { return [] }
        let indent = String(repeating: " ", count: 2 + 2 * level)
        return views.prefix(Self.shownViews).flatMap { view in
            [StyledLine(text: "\(indent)→ \(Printable.text(view.text)) \(Counted.grouped(view.evaluations))")]
                + self.views(view.views, level: level + 1)
        } + StyledLine.rest(views.count - Self.shownViews, "more view", indent: indent.count)
    }
}

extension StyledLine {
    /// Says how many of a list are not shown; nothing for none.
    static func rest(_ number: Int, _ noun: String, indent: Int, _ end: String = "") -> [StyledLine] {
        guard number > 0 else { return [] }
        let blanks = String(repeating: " ", count: indent)
        return [StyledLine(text: "\(blanks)… and \(Counted.text(number, noun))\(end)", style: .dim)]
    }
}
