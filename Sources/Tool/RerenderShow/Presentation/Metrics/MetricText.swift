// SPDX-License-Identifier: MIT
// Metrics as text, in Prometheus' format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/

/// Writes an export as metrics.
///
/// Each run of a program has series of its own. So a counter falls only where counting began anew, and that is what its readers
/// take a fall for. What may become less beside that is a gauge.
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

    /// A number with its labels.
    typealias Sample = (labels: [(name: String, value: MetricLabel)], value: UInt64)

    /// Whether a process is connected.
    static let connected = Family(
        name: "rerender_connected_processes", help: "1 where the process is connected to the daemon, else 0.",
        type: "gauge")

    /// In the order of the counts in ``storeGroup(_:)``.
    static let stores = [
        Family(name: "rerender_evaluations_total", help: "Evaluations of views, dropped and lost ones included."),
        Family(
            name: "rerender_dropped_evaluations_total",
            help: "Evaluations over a limit of views, or too deep in each other; in no view."),
        Family(
            name: "rerender_lost_evaluations_total",
            help: "Evaluations that a process did not live to report; in no view."),
        Family(
            name: "rerender_evaluations_created", help: "When the store began to count, in seconds since 1970.",
            unit: .nanoseconds, type: "gauge"),
    ]

    /// In the order of the counts in ``processGroup(_:)``.
    static let processes = [
        connected,
        Family(name: "rerender_hangs_total", help: "Hangs of main loops."),
        Family(name: "rerender_hang_seconds_total", help: "Time in hangs of main loops.", unit: .nanoseconds),
        Family(
            name: "rerender_starved_hangs_total",
            help: "Hangs in which the thread had no processor for most of the time, without the excused ones."),
        Family(
            name: "rerender_micro_hangs_total", help: "Turns of main loops over the threshold of a micro-hang alone."),
        Family(
            name: "rerender_hangs_created", help: "When the process began to count, in seconds since 1970.",
            unit: .nanoseconds, type: "gauge"),
    ]

    /// In the order of the counts in ``viewGroup(_:)``. Waste is no counter: a commit may show that what was taken for waste was needed.
    static let views = [
        Family(name: "rerender_view_evaluations_total", help: "Evaluations of a view."),
        Family(
            name: "rerender_view_self_seconds_total",
            help: "Time in the bodies of a view, without those inside of them.",
            unit: .nanoseconds),
        Family(
            name: "rerender_view_wasted_evaluations", help: "Evaluations of a view that were not needed.",
            type: "gauge"),
        Family(
            name: "rerender_view_wasted_seconds", help: "Self time in evaluations that were not needed.",
            unit: .nanoseconds, type: "gauge"),
    ]

    /// In the order of the counts in ``loopGroup(_:)``.
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

    /// In the order of the counts in ``sourceGroup(_:)``.
    static let sources = [
        Family(name: "rerender_source_calls_total", help: "Calls of a source or handler."),
        Family(
            name: "rerender_source_processor_seconds_total", help: "Processor time of a source or handler.",
            unit: .nanoseconds),
        Family(
            name: "rerender_source_seconds_total", help: "Time by the clock of a source or handler.",
            unit: .nanoseconds),
    ]

    static let leftOut = Family(
        name: "rerender_left_out_series", help: "What has no series, because others of its kind cost more.",
        type: "gauge")

    static let forgotten = Family(
        name: "rerender_forgotten_processes_total",
        help: "Processes that the daemon forgot early since its start, because too many had ended.")

    /// The whole text.
    ///
    /// - Parameters:
    ///   - forgotten: How many processes the daemon forgot early.
    ///   - uid: The user: files of several users may have the same programs and views.
    package static func text(_ export: StatsExport, forgotten: UInt64, uid: UInt32) -> String {
        let stores = latest(export.processes)
        let groups: [(name: String, families: [Family], group: MetricGroup)] = [
            ("stores", Self.stores, storeGroup(stores)), ("processes", Self.processes, processGroup(stores)),
            ("views", Self.views, viewGroup(stores)), ("main loops", Self.loops, loopGroup(stores)),
            ("sources", Self.sources, sourceGroup(stores)),
        ]
        let user: (name: String, value: MetricLabel) = ("uid", MetricLabel(uid))
        let text: String = groups.map { families($0.families, $0.group, user) }.joined()
        let others: [Sample] = groups.map {
            ([user, (name: "of", value: MetricLabel($0.name))], UInt64($0.group.leftOut))
        }
        return text + family(leftOut, others) + family(Self.forgotten, [([user], forgotten)])
    }

    /// Metrics of one group, in the order of its counts.
    private static func families(
        _ families: [Family], _ group: MetricGroup, _ user: (name: String, value: MetricLabel)
    ) -> String {
        let shown = group.shown
        return families.enumerated().map { place, family in
            Self.family(family, shown.map { ([user] + $0.labels, $0.counts[place]) })
        }.joined()
    }

    static func family(_ family: Family, _ samples: [Sample]) -> String {
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
}

// MARK: Groups

extension MetricText {
    /// The stores of the latest process with each number: the system may give the number of an ended process to another one. Then the
    /// series go on with what that one counts.
    private static func latest(_ stores: [ProcessStats]) -> [ProcessStats] {
        let places = stores.map { (["\($0.pid)", $0.name, "\($0.storeNumber)"], $0) }
        return Array(Dictionary(places) { $1.startedAt > $0.startedAt ? $1 : $0 }.values)
    }

    private static func labels(of store: ProcessStats) -> [String] { [store.name, String(store.pid)] }

    private static func createdAt(_ store: ProcessStats) -> UInt64 {
        UInt64(max(0, (store.countedSince ?? store.startedAt).nanosecondsSince1970))
    }

    private static func cost(_ store: ProcessStats) -> UInt64 {
        store.views.reduce(0) { $0.clampedSum($1.ownNanoseconds) }
    }

    private static func storeGroup(_ stores: [ProcessStats]) -> MetricGroup {
        var group = MetricGroup(["process", "pid", "store"], [.sum, .sum, .sum, .least])
        for store in stores {
            let counts = [store.evaluations, store.dropped, store.lost, createdAt(store)]
            group.add(labels(of: store) + [store.store], counts, cost: cost(store))
        }
        return group
    }

    /// Each store of a process counts all hangs of the main loop since it is there.
    private static func processGroup(_ stores: [ProcessStats]) -> MetricGroup {
        var group = MetricGroup(["process", "pid"], [.most, .most, .most, .most, .most, .least])
        for store in stores {
            let hangs = [store.hangs.count, store.hangs.totalNanoseconds, store.hangs.starved, store.microHangs]
            group.add(
                labels(of: store), [store.connected ? 1 : 0] + hangs + [createdAt(store)], cost: cost(store))
        }
        return group
    }

    private static func viewGroup(_ stores: [ProcessStats]) -> MetricGroup {
        var group = MetricGroup(["process", "pid", "store", "view"], [.sum, .sum, .sum, .sum])
        for store in stores {
            for view in store.views {
                group.add(
                    labels(of: store) + [store.store, view.key.rawValue],
                    [view.count, view.ownNanoseconds, view.wasted.count, view.wasted.nanoseconds],
                    cost: view.ownNanoseconds)
            }
        }
        return group
    }

    private static func loopGroup(_ stores: [ProcessStats]) -> MetricGroup {
        var group = MetricGroup(["process", "pid"], [.most, .most, .most, .most])
        for store in stores {
            guard let totals = store.loop?.totals else { continue }
            group.add(
                labels(of: store), [totals.turns, totals.wakeups, totals.processor, totals.process],
                cost: totals.processor)
        }
        return group
    }

    private static func sourceGroup(_ stores: [ProcessStats]) -> MetricGroup {
        var group = MetricGroup(["process", "pid", "kind", "source"], [.sum, .sum, .sum])
        for store in stores {
            // What samples tell of may become less.
            for row in store.loop?.rows ?? [] where row.calls != nil {
                // A handler by its widget and signal, too: one function may handle several.
                let of = row.isClosed ? nil : row.of
                let name = of.map { "\($0) → \(row.function)" } ?? row.function
                let numbers = row.numbers
                group.add(
                    labels(of: store) + [row.kind.rawValue, name], [numbers.count, numbers.processor, numbers.wall],
                    cost: numbers.processor)
            }
        }
        return group
    }
}

/// Series with the same names of labels: those that cost most are shown.
struct MetricGroup: Sendable {
    /// How many series are shown.
    static let places = 20

    /// What is shown of the counts of stores with the same labels.
    enum Merging: Sendable { case sum, most, least }

    private struct Series: Sendable {
        var counts: [UInt64]
        var cost: UInt64
    }

    private let names: [String]
    private let merging: [Merging]
    private var series: [[String]: Series] = [:]

    init(_ names: [String], _ merging: [Merging]) { (self.names, self.merging) = (names, merging) }

    /// Adds what a store counts. Labels are as they may be shown: two that look the same are one, or there were two series of one name.
    mutating func add(_ labels: [String], _ counts: [UInt64], cost: UInt64) {
        let labels = labels.map { Printable.text($0) }
        guard var known = series[labels] else { return series[labels] = Series(counts: counts, cost: cost) }
        known.cost = known.cost.clampedSum(cost)
        for (place, merging) in merging.enumerated() {
            let (one, other) = (known.counts[place], counts[place])
            switch merging {
            case .sum: known.counts[place] = one.clampedSum(other)
            case .most: known.counts[place] = max(one, other)
            case .least: known.counts[place] = min(one, other)
            }
        }
        series[labels] = known
    }

    /// How many have no place.
    var leftOut: Int { max(0, series.count - Self.places) }

    /// Those that cost most, in the order of their labels. Of those that cost the same, the first ones.
    var shown: [(labels: [(name: String, value: MetricLabel)], counts: [UInt64])] {
        let ranked = series.sorted { one, other in
            one.value.cost != other.value.cost
                ? one.value.cost > other.value.cost : one.key.lexicographicallyPrecedes(other.key)
        }
        let chosen = ranked.prefix(Self.places).sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return chosen.map { labels, series in
            (zip(names, labels).map { (name: $0, value: MetricLabel($1)) }, series.counts)
        }
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
