// SPDX-License-Identifier: MIT
// Options that select stores.

import ArgumentParser
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
