// SPDX-License-Identifier: MIT
// A file, a recording, or a run that was kept, in the place of the daemon.

import ArgumentParser
import RerenderModel
import RerenderShow

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
