// SPDX-License-Identifier: MIT
// Metrics as text, in Prometheus' format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/

import FoundationEssentials

/// Writes metrics, and reads what they go on from.
package enum MetricText {
    /// What the numbers of a metric are.
    enum Unit: Sendable {
        case one
        /// Shown as seconds, Prometheus' base unit.
        case nanoseconds
    }

    /// A metric. Its name and its words are fixed: programs rely on them.
    struct Family: Sendable {
        let name: String
        let help: String
        var unit = Unit.one
        var type = "counter"
    }

    static let connected = Family(
        name: "rerender_connected_processes", help: "Processes that are connected to the daemon.", type: "gauge")

    /// In the order of ``ProgramCounts``.
    static let programs = [
        Family(name: "rerender_evaluations_total", help: "Evaluations of views, dropped and lost ones included."),
        Family(name: "rerender_dropped_evaluations_total", help: "Evaluations over a limit of views; in no view."),
        Family(
            name: "rerender_lost_evaluations_total",
            help: "Evaluations that a process did not live to report; in no view."),
        Family(name: "rerender_hangs_total", help: "Hangs of main loops."),
        Family(name: "rerender_hang_seconds_total", help: "Time in hangs of main loops.", unit: .nanoseconds),
        Family(
            name: "rerender_starved_hangs_total",
            help: "Hangs in which the thread had no processor for most of the time."),
        Family(
            name: "rerender_micro_hangs_total", help: "Turns of main loops over the threshold of a micro-hang alone."),
    ]

    /// In the order of ``ViewCounts``.
    static let views = [
        Family(name: "rerender_view_evaluations_total", help: "Evaluations of a view while it had a place."),
        Family(
            name: "rerender_view_self_seconds_total",
            help: "Time in the bodies of a view, without those inside of them.",
            unit: .nanoseconds),
        Family(name: "rerender_view_wasted_evaluations_total", help: "Evaluations of a view that were not needed."),
        Family(
            name: "rerender_view_wasted_seconds_total", help: "Self time in evaluations that were not needed.",
            unit: .nanoseconds),
    ]

    /// In the order of ``LoopCounts``.
    static let loops = [
        Family(name: "rerender_main_loop_turns_total", help: "Turns of main loops."),
        Family(name: "rerender_main_loop_wakeups_total", help: "How often main loops slept and were woken."),
        Family(
            name: "rerender_main_thread_processor_seconds_total", help: "Processor time of main loops' threads.",
            unit: .nanoseconds),
        Family(
            name: "rerender_process_processor_seconds_total",
            help: "Processor time of all threads of programs whose main loop is known.", unit: .nanoseconds),
    ]

    /// In the order of ``SourceCounts``.
    static let sources = [
        Family(name: "rerender_source_calls_total", help: "Calls of a source or handler while it had a place."),
        Family(
            name: "rerender_source_processor_seconds_total", help: "Processor time of a source or handler.",
            unit: .nanoseconds),
        Family(
            name: "rerender_source_seconds_total", help: "Time by the clock of a source or handler.",
            unit: .nanoseconds),
    ]

    static let forgotten = Family(
        name: "rerender_forgotten_processes_total",
        help: "Processes that the daemon forgot early since its start, because too many had ended.")

    /// What stands before the state.
    private static let mark = "# rerender-state: "

    // MARK: Writing

    /// The whole text.
    ///
    /// - Parameters:
    ///   - forgotten: How many processes the daemon forgot early.
    ///   - uid: The user: files of several users may have the same programs and views.
    ///   - isContinued: Whether the text is for a file that the next export goes on from.
    package static func text(
        _ result: MetricLedger.Result, forgotten: UInt64, uid: UInt32, isContinued: Bool
    ) -> String {
        let user = ("uid", MetricLabel(uid))
        let state = result.state
        var text = isContinued ? "" : "# Not for scraping: the counters go on only in a file (-o FILE).\n"
        let programs = state.programs.names.map { [user, ("process", MetricLabel($0[0]))] }
        let others = [user] + zip(["process"], state.programs.restName).map { ($0, MetricLabel($1)) }
        let connected = result.connected
        text += family(
            Self.connected,
            Array(zip(programs, connected.programs.map { UInt64($0) })) + [(others, UInt64(connected.rest))])
        for (lane, family) in Self.programs.enumerated() {
            text += Self.family(
                family,
                Array(zip(programs, state.programs.sums.map { $0[lane] })) + [(others, state.programs.rest[lane])])
        }
        text += families(Self.views, ["process", "store", "view"], state.views, user)
        text += families(loops, ["process"], state.loops ?? MetricGroup(width: 1), user)
        text += families(sources, ["process", "kind", "source"], state.sources ?? MetricGroup(width: 3), user)
        text += family(Self.forgotten, [([user], forgotten)])
        return isContinued ? text + line(of: state) : text
    }

    /// Metrics of one group, in the order of its counts.
    private static func families<Counts>(
        _ families: [Family], _ labels: [String], _ group: MetricGroup<Counts>,
        _ user: (name: String, value: MetricLabel)
    ) -> String {
        let samples = (group.names + [group.restName]).map { name in
            [user] + zip(labels, name).map { (name: $0, value: MetricLabel($1)) }
        }
        let sums = group.sums + [group.rest]
        return families.enumerated().map { lane, family in
            Self.family(family, Array(zip(samples, sums.map { $0[lane] })))
        }.joined()
    }

    /// One metric with its samples.
    static func family(_ family: Family, _ samples: [(labels: [(name: String, value: MetricLabel)], value: UInt64)])
        -> String
    {
        var text = "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.type)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\($0.value.text)\"" }.joined(separator: ",")
            let value = family.unit == .one ? String(sample.value) : seconds(sample.value)
            text += "\(family.name){\(labels)} \(value)\n"
        }
        return text
    }

    /// Exact: nine decimals at most.
    static func seconds(_ nanoseconds: UInt64) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest > 0 else { return String(whole) }
        var decimals = String(rest + 1_000_000_000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(whole).\(decimals)"
    }

    // MARK: The state

    /// The state as a comment, which readers of the format leave out.
    private static func line(of state: MetricState) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // It has numbers and texts alone, so that it can always be encoded.
        guard let json = try? encoder.encode(state) else { return "" }
        return mark + String(decoding: json, as: UTF8.self) + "\n"
    }

    /// What a text goes on with; nil where it has no state that can be used.
    package static func state(in text: [UInt8]) -> MetricState? {
        let marked = text.split(separator: UInt8(ascii: "\n")).last { $0.starts(with: mark.utf8) }
        guard let json = marked?.dropFirst(mark.utf8.count) else { return nil }
        let state = try? JSONDecoder().decode(MetricState.self, from: Data(json))
        return state.flatMap { $0.isUsable ? $0 : nil }
    }
}

/// The value of a label, between its quotation marks.
typealias MetricLabel = EscapedText<MetricLabelSyntax>

/// How Prometheus' format writes the value of a label.
enum MetricLabelSyntax: TextSyntax {
    /// A backslash, a quotation mark and a line feed are escaped.
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var escaped = "".unicodeScalars
        for scalar in text {
            switch scalar {
            case "\\", "\"": escaped.append(contentsOf: ["\\", scalar])
            case "\n": escaped.append(contentsOf: ["\\", "n"])
            default: escaped.append(scalar)
            }
        }
        return escaped
    }
}
