// SPDX-License-Identifier: MIT
// What was recorded, and what is missing.

import RerenderShow
import RerenderTrace

/// The lines above a report's table.
struct ReportSummary: Sendable {
    let report: TraceReport
    let path: String

    /// Views with missing evaluations that are listed by themselves.
    private static let listed = 8

    var lines: [StyledLine] { [recording] + processes + notes + warnings }

    private var recording: StyledLine {
        let duration = report.ended.nanosecondsSince1970.nanoseconds(since: report.began.nanosecondsSince1970)
        let traces = report.traces > 1 ? " in \(report.traces) traces" : ""
        let evaluations = report.export.processes.reduce(UInt64(0)) { sum, store in
            store.views.reduce(sum) { $0 &+ $1.count }
        }
        let text =
            "\(Printable.text(path)): \(DurationText.short(duration)) "
            + "from \(LocalTime.text(report.began)), "
            + "\(Counted.text(report.processes, "process", "processes")), \(Counted.text(report.events, "event"))\(traces); "
            + Counted.text(evaluations, "evaluation")
        return StyledLine(text: text)
    }

    private var processes: [StyledLine] {
        let stores = report.export.processes
        let labels = StoreLabels(stores)
        let listed = stores.sorted { $0.evaluations > $1.evaluations }.prefix(Self.listed).map { store in
            let seen = store.views.reduce(UInt64(0)) { $0 &+ $1.count }
            return StyledLine(
                text: "\(labels.full(store)): \(Counted.text(seen, "evaluation")) of "
                    + Counted.text(store.views.count, "view"))
        }
        guard stores.count > listed.count else { return Array(listed) }
        return listed + [
            StyledLine(text: "and \(Counted.text(stores.count - listed.count, "more store"))", style: .dim)
        ]
    }

    private var notes: [StyledLine] {
        let notes = [
            count(report.otherEvents, "event", "of other providers; see --format chrome"),
            count(report.beforeReset, "evaluation", "before a reset, not in the table"),
            have(report.unended, "no end in the trace: no figure includes them"),
            have(report.unbegun, "no beginning in the trace: places in the source are only known from beginnings"),
        ]
        return notes.compactMap { $0 }.map { StyledLine(text: $0, style: .dim) }
    }

    private var warnings: [StyledLine] {
        let warnings = [
            count(
                report.discarded.count, "event",
                "DISCARDED by the tracer because its buffers were full: "
                    + "record with larger or more sub-buffers (lttng enable-channel --subbuf-size, --num-subbuf)"),
            count(report.discarded.uncounted, "range", "the tracer discarded an unknown number of events").map {
                "in " + $0
            },
            missing,
            count(
                report.overflowed, "time", "a limit on views, processes, causes, instances or texts was reached"),
        ]
        return warnings.compactMap { $0 }.map { StyledLine(text: "! " + $0, style: .bad) }
    }

    /// A number with what it is of; nil for none.
    private func count(_ number: UInt64, _ noun: String, _ rest: String) -> String? {
        number > 0 ? "\(Counted.text(number, noun)) \(rest)" : nil
    }

    private func have(_ number: UInt64, _ rest: String) -> String? {
        count(number, "evaluation", (number == 1 ? "has " : "have ") + rest)
    }

    private var missing: String? {
        guard !report.missing.isEmpty else { return nil }
        let before = report.missing.reduce(UInt64(0)) { $0 &+ $1.before }
        let between = report.missing.reduce(UInt64(0)) { $0 &+ $1.between }
        let parts = [
            before > 0 ? "\(Counted.grouped(before)) before the first event of their view" : nil,
            between > 0 ? "\(Counted.grouped(between)) between" : nil,
        ].compactMap { $0 }
        let views = report.missing.prefix(Self.listed).map { view in
            "\(view.key.displayName) \(Counted.grouped(view.before &+ view.between))"
        }
        let more = report.missing.count - views.count
        let rest = more > 0 ? ", \(Counted.text(more, "more view"))" : ""
        let hasAll = report.discarded.count == 0 && report.discarded.uncounted == 0
        let why =
            between > 0 && hasAll
            ? "; the tracer discarded none: a filter left them out, or the session was stopped meanwhile" : ""
        return
            "\(Counted.text(before &+ between, "evaluation")) MISSING FROM THE TRACE according to the views' own counts "
            + "(\(parts.joined(separator: ", "))); they are not in the table: \(views.joined(separator: ", "))\(rest)\(why)"
    }
}
