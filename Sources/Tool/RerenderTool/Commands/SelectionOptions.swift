// SPDX-License-Identifier: MIT
// The options that say which stores a command is for.

import ArgumentParser
import RerenderModel
import RerenderQuery

/// `--process` and `--store`.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only the process with this pid or name.", valueName: "pid or name"))
    var process: String?

    @Option(help: ArgumentHelp("Only stores of this name.", valueName: "name"))
    var store: String?

    /// Whether anything is selected.
    var isGiven: Bool { process != nil || store != nil }
}

extension Session {
    /// The connected stores that the options select; throws status 64 when they select none of those that there are.
    func selected(_ options: SelectionOptions) async throws -> [ProcessStats] {
        let connected = try await processes().filter(\.connected)
        let selected = connected.filter { StoreMatch.fits($0, process: options.process, store: options.store) }
        guard !selected.isEmpty || !options.isGiven else {
            throw StoreMatch.nothing(process: options.process, store: options.store, among: connected)
        }
        return selected
    }
}

/// What a command reports after it was sent to apps.
enum CommandText {
    /// One line; throws status 1 when an app did not say in time that it had carried the command out.
    static func done(_ what: String, _ report: CommandReport) throws -> String {
        let apps = Counted.text(report.sent, "process", "processes")
        guard report.confirmed == report.sent else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(report.sent - report.confirmed) of \(apps) did not say in time that it was done.\n"
                    + "A process that is stopped or hangs does it when it goes on; see: rerenderctl stats")
        }
        return "\(what) \(Counted.text(report.reached, "store")) in \(apps)"
    }
}
