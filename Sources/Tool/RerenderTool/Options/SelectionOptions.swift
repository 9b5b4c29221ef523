// SPDX-License-Identifier: MIT
// The options that select stores and views, sort and limit a table, choose its columns, or name a file in the daemon's place.

import ArgumentParser
import RerenderDaemon
package import RerenderModel
import RerenderShow

/// `--process`.
struct ProcessOption: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Select the process with this pid or name.", valueName: "pid or name"),
        completion: DaemonCompletion.processes)
    var process: String?

    var choice: ProcessSelection { ProcessSelection(process: process) }
}

/// `--process` and `--store`.
struct SelectionOptions: ParsableArguments {
    @OptionGroup var selection: ProcessOption

    @Option(
        help: ArgumentHelp("Select stores with this name; name#number selects one of them.", valueName: "name"),
        completion: DaemonCompletion.stores)
    var store: String?

    var choice: ProcessSelection { ProcessSelection(process: selection.process, store: store) }

    /// Whether anything is selected.
    var isGiven: Bool { choice != ProcessSelection() }
}

extension Session {
    /// The connected stores that the options select. Throws status 64 if they select none of several.
    func selected(_ options: SelectionOptions) async throws -> [ProcessStats] {
        let connected = try await processes().filter(\.connected)
        let selected = connected.filter { options.choice.fits($0) }
        guard !selected.isEmpty || !options.isGiven else {
            throw options.choice.fitsNone(of: connected)
        }
        return selected
    }
}

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
            "Show this many views, or \"all\". (default: 50; all in a file, and as CSV)",
            valueName: "number"))
    var limit: ViewLimit?

    /// How many views a table shows; nil for all.
    var table: Int? { limit.map(\.count) ?? ToolSettings.current.limit ?? 50 }

    /// How many views a file has; nil for all.
    var file: Int? { limit.map(\.count) ?? nil }
}

/// How much of a table a command shows that measures for some seconds.
struct FirstRowsOptions: ParsableArguments {
    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("Show this many views, or \"all\". (default: 5)", valueName: "number"))
    var limit: ViewLimit?

    @Flag(help: "Show every row, also those that only pass on or were evaluated once, and every line above them.")
    var all = false
}

/// Which views are asked for.
struct StatsOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "Sort by cost, evaluations, wasted time, self time, hangs, or name. (default: cost)")
    var sort: StatsOrder?

    /// What the option or the settings file chooses.
    var order: StatsOrder { sort ?? ToolSettings.current.sort ?? .cost }

    @OptionGroup var selection: ProcessOption

    @OptionGroup var limitation: LimitOption

    @OptionGroup var columns: ColumnsOption

    @Flag(help: "Show every row, also those that only pass on or were evaluated once, and every line above them.")
    var all = false

    /// The question for at most `limit` views.
    func query(limit: Int?) -> StatsQuery {
        var query = StatsQuery(order, limit: limit, process: selection.process)
        query.hasHandles = columns.names?.contains("id") == true
        return query
    }

    /// The question for a table of at most `limit` rows. Where rows are folded, more views are needed for as many.
    func tableQuery(limit: Int?) -> StatsQuery { query(limit: all ? limit : limit.map { max($0, 1_000) }) }
}

/// `--columns`.
struct ColumnsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show these columns of the table, such as count,self,why. (default: what fits)", valueName: "list"),
        completion: .list(ViewTable.columnNames))
    var columns: String?

    private var given: [String]? { columns?.split(separator: ",").map { $0.trimmingPrefix(" ").lowercased() } }

    /// The columns that the option or the settings file chooses, by their names; nil for those that fit.
    var names: [String]? { given ?? ToolSettings.current.columns }

    func validate() throws {
        guard let given else { return }
        if let fault = ViewTable.fault(inColumns: given) { throw ValidationError(fault) }
    }
}

extension SinceTime: ExpressibleByArgument {}

/// What is read instead of asking the daemon.
struct FileArgument: ParsableArguments {
    @Argument(help: FileArgument.help, completion: .file())
    var name: String?

    static let help = ArgumentHelp(
        "An export, the directory of a recording, or last or last~N, instead of the daemon.", valueName: "file")

    /// What may be a trace, and is read in a process of its own.
    var inputs: [String] { name.map { [$0] } ?? [] }

    /// Whether a single word is a file where it could be a view's key: the name of a run, or a path that looks like one and leads somewhere.
    static func isFile(_ word: String) -> Bool {
        if RunHistory.place(word) != nil { return true }
        return (PathName.isPath(word) || word.hasSuffix(".json")) && FilePath.kind(word) != nil
    }
}

/// A view, and what is read instead of asking the daemon.
struct ViewArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The view's key, or a part of it. (default: that of the view that costs most)", valueName: "key"),
        completion: DaemonCompletion.keys)
    var key: String?

    @Argument(help: FileArgument.help, completion: .file())
    var file: String?

    /// The key and the file: a single argument may be either.
    var words: (key: String?, file: String?) {
        guard file == nil, let key, FileArgument.isFile(key) else { return (key, file) }
        return (nil, key)
    }

    /// What may be a trace, and is read in a process of its own.
    var inputs: [String] { words.file.map { [$0] } ?? [] }
}

// Settings on the command line, such as `hangThreshold=500`, and the names that a shell offers for a word.

/// Reads `key=value` into a change.
enum SettingParser {
    /// The names of the settings, which each store has.
    static let keys = ["enabled", "hangThreshold", "microHangThreshold", "hangStacks"]

    /// All of the settings as one change; throws status 64 with what would be right.
    static func change(_ settings: [String], process: String?, store: String?) throws(ToolFailure)
        -> ConfigurationChange
    {
        var change = ConfigurationChange(process: process, store: store)
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw .usage("\"\(Printable.text(setting))\" is not key=value.\nTry: hangThreshold=500")
            }
            let (key, value) = (String(parts[0]), String(parts[1]))
            switch key {
            case "enabled": change.enabled = try truth(value, of: key)
            case "hangThreshold": change.hangThresholdMilliseconds = try milliseconds(value, of: key)
            case "microHangThreshold": change.microHangThresholdMilliseconds = try milliseconds(value, of: key)
            case "hangStacks": change.hangStacks = try truth(value, of: key)
            default:
                throw .usage("there is no setting \"\(Printable.text(key))\".\nThere are: \(Counted.list(keys))")
            }
        }
        return change
    }

    private static func truth(_ value: String, of key: String) throws(ToolFailure) -> Bool {
        switch value.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw .usage("\(key)=\(Printable.text(value)) is neither true nor false.")
        }
    }

    private static func milliseconds(_ value: String, of key: String) throws(ToolFailure) -> UInt32 {
        let range = HangThreshold.allowedMilliseconds
        guard let number = HangThreshold.milliseconds(value) else {
            throw .usage(
                "\(key)=\(Printable.text(value)) is not a time "
                    + "from \(range.lowerBound) to \(range.upperBound) milliseconds."
            )
        }
        return number
    }
}

/// Completions from the daemon. Without one they are none, and a shell never sees an error.
enum DaemonCompletion {
    /// A shell shows no more in a useful way.
    private static let most = 1_000
    /// A person waits for this at each press of the key.
    private static let patience = Duration.seconds(1)

    /// The keys of the views that are known.
    static let keys = CompletionKind.custom { _, _, _ in
        await names {
            let export = try await $0.client.export(StatsQuery(limit: most))
            return export.processes.flatMap(\.views).map(\.key.rawValue)
        }
    }

    /// The names of the processes that are known.
    static let processes = CompletionKind.custom { _, _, _ in await names { try await $0.processes().map(\.name) } }

    /// The names of the stores that are known.
    static let stores = CompletionKind.custom { _, _, _ in await names { try await $0.processes().map(\.store) } }

    /// The settings, each with its `=`.
    static let settings = CompletionKind.list(SettingParser.keys.map { $0 + "=" })

    private static func names(_ read: (Session) async throws -> [String]) async -> [String] {
        guard let session = try? Session.current(patience: patience), let names = try? await read(session) else {
            return []
        }
        return offered(names)
    }

    /// Each name once, in order. Those that a shell would split or that a terminal would obey are left out.
    static func offered(_ names: [String]) -> [String] {
        Array(Set(names.filter { !$0.isEmpty && Printable.text($0) == $0 && !$0.contains("\n") }).sorted().prefix(most))
    }
}
