// SPDX-License-Identifier: MIT
// Options that select stores.

import ArgumentParser
import RerenderModel
import RerenderToolBase

/// `--process`.
struct ProcessOption: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Select the process with this pid or name.", valueName: "pid or name"))
    var process: String?
}

/// `--process` and `--store`.
struct SelectionOptions: ParsableArguments {
    @OptionGroup var selection: ProcessOption

    @Option(help: ArgumentHelp("Select stores with this name.", valueName: "name"))
    var store: String?

    var process: String? { selection.process }

    /// Whether anything is selected.
    var isGiven: Bool { process != nil || store != nil }
}

extension Session {
    /// The connected stores that the options select. Throws status 64 if they select none of several.
    func selected(_ options: SelectionOptions) async throws -> [ProcessStats] {
        let connected = try await processes().filter(\.connected)
        let selected = connected.filter { StoreMatch.fits($0, process: options.process, store: options.store) }
        guard !selected.isEmpty || !options.isGiven else {
            throw StoreMatch.nothing(process: options.process, store: options.store, among: connected)
        }
        return selected
    }
}
