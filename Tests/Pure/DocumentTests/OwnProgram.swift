// SPDX-License-Identifier: MIT
// The programs of this package by their command lines, which are asked in this process.

import ArgumentParser
@testable import RerenderTool
@testable import rerender_demo
@testable import rerenderd

/// A program with its commands.
enum OwnProgram: String, CaseIterable {
    case rerenderctl, rerenderd
    case rerenderDemo = "rerender-demo"

    private var root: any ParsableCommand.Type {
        switch self {
        case .rerenderctl: RerenderCommand.self
        case .rerenderd: RerenderdCommand.self
        case .rerenderDemo: RerenderDemo.self
        }
    }

    /// What it prints with `--experimental-dump-help`.
    var dump: String { root._dumpHelp() }

    /// The help of a command, 80 columns wide; nil where there is no such command.
    func help(_ path: [String] = []) -> String? {
        var command = root
        for name in path {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == name }) else {
                return nil
            }
            command = next
        }
        return root.helpMessage(for: command, columns: 80)
    }

    /// The script with which a shell completes its command line.
    func completions(for shell: CompletionShell) -> String {
        self == .rerenderctl ? CompletionScript.text(for: shell) : root.completionScript(for: shell)
    }
}
