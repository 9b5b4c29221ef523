// SPDX-License-Identifier: MIT
// What a process of an interpreter is called: by its script, since all scripts have the same program.

/// Names the processes of Python and of gjs: `clock.py` and not `python3.11`, `org.gnome.Weather` and not `gjs-console`.
package enum ScriptName {
    /// Longer names are no names.
    private static let longest = 128

    private enum Interpreter {
        case python, gjs
    }

    /// The script's file name, or the module's name; nil where the program is no interpreter, and where it runs a text or a terminal's lines.
    ///
    /// - Parameters:
    ///   - program: The file name of the process's program.
    ///   - arguments: Those of the process; the first is what it was called by.
    package static func of(program: String, arguments: [String]) -> String? {
        guard let interpreter = interpreter(program),
            let name = script(of: interpreter, arguments.dropFirst()), !name.isEmpty, name.utf8.count <= longest
        else { return nil }
        return name
    }

    /// Whether a program's processes are called by their scripts.
    package static func isInterpreter(_ program: String) -> Bool { interpreter(program) != nil }

    private static func interpreter(_ program: String) -> Interpreter? {
        if program == "gjs" || program == "gjs-console" { return .gjs }
        let version = program.utf8.dropFirst("python".utf8.count)
        let isVersion = version.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        return program.hasPrefix("python") && isVersion ? .python : nil
    }

    private static func script(of interpreter: Interpreter, _ arguments: ArraySlice<String>) -> String? {
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" { return rest.first.map(file) }
            // A hyphen alone is what is typed.
            guard argument.hasPrefix("-") else { return file(argument) }
            guard argument != "-" else { return nil }
            switch interpreter {
            case .gjs:
                if gjsTexts.contains(where: { argument == $0 || argument.hasPrefix($0 + "=") }) { return nil }
                if gjsValues.contains(argument) { rest = rest.dropFirst() }
            case .python where argument.hasPrefix("--"):
                if argument == "--check-hash-based-pycs" { rest = rest.dropFirst() }
            case .python:
                switch pythonLetters(argument) {
                case .text: return nil
                case .module(let name): return name.isEmpty ? rest.first : name
                case .value(let value): if value.isEmpty { rest = rest.dropFirst() }
                case .flags: break
                }
            }
        }
        return nil
    }

    private static func file(_ path: String) -> String { PathName.last(of: PathName.trimmed(path)) }

    private static let gjsTexts = ["-c", "--command"]
    private static let gjsValues: Set = ["-I", "--include-path", "-C", "--coverage-prefix", "--coverage-output"]

    /// What the letters behind a hyphen say, as far as one of them takes what follows.
    private enum Letters {
        case flags, text
        case module(String), value(String)
    }

    private static func pythonLetters(_ argument: String) -> Letters {
        var rest = argument.dropFirst()
        while let letter = rest.popFirst() {
            switch letter {
            case "c": return .text
            case "m": return .module(String(rest))
            case "W", "X", "Q": return .value(String(rest))
            default: break
            }
        }
        return .flags
    }
}

// The parts of a path.

/// Parts of a path, told apart by bytes, as the system does: a slash and an accent behind it are one `Character`.
package enum PathName {
    private static let slash = UInt8(ascii: "/")

    /// Whether a path begins at the root.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// Whether the system takes a text for a path, and not for a name: it has a slash.
    package static func isPath(_ text: String) -> Bool { text.utf8.contains(slash) }

    /// The directory of a path's last part: `.` for a name alone, `/` for one at the root.
    package static func directory(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// What stands behind the last slash; all of a path without one.
    package static func last(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return path }
        return String(path[path.utf8.index(after: end)...])
    }

    /// A path without the slashes at its end; the root keeps one.
    package static func trimmed(_ path: String) -> String {
        guard let end = path.utf8.lastIndex(where: { $0 != slash }) else { return path.isEmpty ? "" : "/" }
        return String(path[...end])
    }

    /// The names in a path, without those that are empty.
    package static func parts(of path: String) -> [String] { path.utf8.split(separator: slash).compactMap(String.init) }

    package static func joined(_ directory: String, _ name: String) -> String {
        let directory = trimmed(directory)
        return directory.utf8.last == slash ? directory + name : directory + "/" + name
    }
}
