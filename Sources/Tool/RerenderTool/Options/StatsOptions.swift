// SPDX-License-Identifier: MIT
// The options that choose and rank views.

import ArgumentParser
import RerenderModel

/// How many views to show.
enum ViewLimit: ExpressibleByArgument, Hashable {
    case all
    case first(Int)

    /// Takes `all` or a number from 1 to 99,999: the daemon ranks up to 100,000, and we ask for one more than we show.
    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let number = Int(argument), (1..<100_000).contains(number) {
            self = .first(number)
        } else {
            return nil
        }
    }

    /// As one would type it.
    var defaultValueDescription: String { count.map { String($0) } ?? "all" }

    /// The number; nil for all.
    var count: Int? {
        if case .first(let count) = self { count } else { nil }
    }
}

/// Which views are asked for.
struct StatsOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Rank by evaluations, wasted time, body time, hangs, or by name.")
    var sort: StatsOrder = .count

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only the process with this pid or name.", valueName: "pid or name"))
    var process: String?

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Only the first so many views, or \"all\". (default: 50 for a table on a terminal, else all)",
            valueName: "number"))
    var limit: ViewLimit?
}
