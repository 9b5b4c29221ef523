// SPDX-License-Identifier: MIT
// The user's editor, and how it is told of a line.

import RerenderDaemon
import RerenderShow

/// Opens files in the editor that the settings file, `$VISUAL` or `$EDITOR` names.
struct EditorCommand: Hashable {
    /// As the setting or the variable has it, which may have options: `code --wait`.
    let text: String

    /// The user's editor; nil where nothing names one.
    init?(setting: String? = nil, environment: (String) -> String?) {
        let named = [setting, environment("VISUAL"), environment("EDITOR")].lazy.compactMap(\.self)
            .first { !$0.allSatisfy(\.isWhitespace) }
        guard let named else { return nil }
        text = named
    }

    /// Opens a file and returns when the editor has ended, with what went wrong, if anything.
    static func open(_ path: String, _ line: UInt32) async -> String? {
        guard
            let editor = EditorCommand(
                setting: ToolSettings.current.editor, environment: { environmentVariable($0) })
        else {
            return "set EDITOR to your editor, such as: export EDITOR=vim"
        }
        let name = Printable.text(editor.name)
        do {
            switch try await ForegroundCommand.run(editor.arguments(path, line)) {
            case .exited(0): return nil
            case .exited(let status): return "\(name) ended with status \(status)"
            case .killed(let signal): return "\(name) was ended by signal \(signal)"
            }
        } catch {
            return "cannot start \(name)"
        }
    }

    /// A shell reads its words, as it does for git.
    func arguments(_ path: String, _ line: UInt32) -> [String] {
        ["/bin/sh", "-c", "\(text) \"$@\"", "sh"] + place(path, line)
    }

    /// The program without its directory and options.
    private var name: String {
        let word = text.split(separator: " ").first ?? ""
        return PathName.last(of: PathName.trimmed(String(word)))
    }

    /// Nearly all editors know `+LINE FILE`.
    private func place(_ path: String, _ line: UInt32) -> [String] {
        // Where a probe has no line.
        guard line > 0 else { return [path] }
        switch name {
        case "code", "code-insiders", "codium", "cursor", "windsurf": return ["--goto", "\(path):\(line)"]
        case "hx", "helix", "subl", "zed", "zeditor": return ["\(path):\(line)"]
        case "kate", "kwrite", "idea", "clion": return ["--line", "\(line)", path]
        default: return ["+\(line)", path]
        }
    }
}
