// SPDX-License-Identifier: MIT
// The scripts with which shells complete the command line.

import ArgumentParser

/// The scripts that make a shell complete the command line.
enum CompletionScript {
    /// The shell that a command line asks a script for; nil where it asks for none, or for one that there is not.
    static func shell(_ arguments: [String]) -> CompletionShell? {
        guard arguments.count == 2, arguments[0] == "--generate-completion-script" else { return nil }
        return CompletionShell(rawValue: arguments[1])
    }

    /// The parser's script. In bash, what it offers nothing for is completed as ever: with files.
    static func text(for shell: CompletionShell) -> String {
        let script = RerenderCommand.completionScript(for: shell)
        guard shell == .bash else { return script }
        return script.replacing(
            "complete -o filenames -F", with: "complete -o filenames -o bashdefault -o default -F")
    }
}
