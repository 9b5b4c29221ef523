// SPDX-License-Identifier: MIT
// The options that select and sort views.

import ArgumentParser
import RerenderDaemon
package import RerenderModel

/// `--sort` of what has been counted. The whole package sees the conformance.
extension StatsOrder: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(rawValue: argument)
        // A rate is that of now, which only what goes on shows.
        guard self != .rate else { return nil }
    }

    package static var allValueStrings: [String] { allCases.filter { $0 != .rate }.map(\.rawValue) }
}

/// `--sort` of `top`, which shows rates as well.
struct LiveOrder: ExpressibleByArgument {
    let order: StatsOrder

    init(_ order: StatsOrder) { self.order = order }

    init?(argument: String) {
        guard let order = StatsOrder(rawValue: argument) else { return nil }
        self.order = order
    }

    var defaultValueDescription: String { order.rawValue }
    static var allValueStrings: [String] { StatsOrder.allCases.map(\.rawValue) }
}

/// How many views to show.
struct ViewLimit: ExpressibleByArgument {
    /// The number; nil for all.
    let count: Int?

    init(count: Int?) { self.count = count }

    /// Takes `all` or a number from 1 to 99,999: the daemon ranks up to 100,000, and we ask for one more than we show.
    init?(argument: String) {
        if argument == "all" {
            count = nil
        } else if let number = Int(argument), (1..<100_000).contains(number) {
            count = number
        } else {
            return nil
        }
    }

    /// As one would type it.
    var defaultValueDescription: String { count.map { String($0) } ?? "all" }
}

/// `--limit` of a table of views.
struct LimitOption: ParsableArguments {
    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Show this many views, or \"all\". (default: 50 on a terminal, else all)",
            valueName: "number"))
    var limit: ViewLimit?

    /// How many views a table shows; nil for all. A terminal gets the first ones; a pipe gets everything for `grep`.
    func count(isTerminal: Bool) -> Int? {
        limit.map(\.count) ?? (isTerminal ? ToolSettings.current.limit ?? 50 : nil)
    }
}

/// Which views are asked for.
struct StatsOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "Sort by evaluations, wasted time, self time, hangs, or name. (default: count)")
    var sort: StatsOrder?

    /// What the option or the settings file chooses.
    var order: StatsOrder { sort ?? ToolSettings.current.sort ?? .count }

    @OptionGroup var selection: ProcessOption

    @OptionGroup var limitation: LimitOption

    @OptionGroup var columns: ColumnsOption

    /// The question for at most `limit` views.
    func query(limit: Int?) -> StatsQuery { StatsQuery(order, limit: limit, process: selection.process) }
}
