// SPDX-License-Identifier: MIT
// Which runs `diff` compares: those of one program.

import Glibc
import RerenderShow

/// Two runs that are compared, by the names that the user typed.
struct ComparedRuns: Hashable, Sendable {
    /// The older one, or the run that is taken in its place.
    let old: String
    /// What the user did not ask for, as a sentence; nil where the runs are of one program, or it is not known what they are of.
    let note: String?

    /// Of runs of two programs, takes for the older one that run of the newer one's program which is as many runs of it back. Throws status
    /// 65 if no such run is kept.
    ///
    /// - Parameter history: Where runs are kept.
    init(_ old: String, _ new: String, in history: RunHistory? = .current()) throws(ToolFailure) {
        let (before, after) = (RunHistory.place(old), RunHistory.place(new))
        let runs = before == nil && after == nil ? [] : history?.runs() ?? []
        let (first, second) = (Self.program(old, runs), Self.program(new, runs))
        guard let first, let second, first != second else {
            (self.old, note) = (old, nil)
            return
        }
        let (shown, others) = (Printable.text(second), Printable.text(first))
        let fact = "\(Printable.text(old)) and \(Printable.text(new)) are of different programs: \(others) and \(shown)"
        // What is named by its file is meant.
        guard let before, let after, before > after else {
            (self.old, note) = (old, fact)
            return
        }
        guard let place = Self.place(before - after, of: second, before: after, runs) else {
            throw ToolFailure(
                ExitStatus.unreadable,
                "\(fact), and there is no such run of \(shown) before \(new).\n"
                    + "See: rerenderctl history. To compare these two, name the files that rerenderctl history --json lists."
            )
        }
        self.old = "last~\(place)"
        note = "\(old) is a run of \(others): the run of \(shown) before \(new) is last~\(place), which is compared"
    }

    /// Where the run is that is so many runs of a program before another one.
    private static func place(_ count: Int, of program: String, before after: Int, _ runs: [RunHistory.Run]) -> Int? {
        var left = count
        for place in runs.indices.dropFirst(after + 1) where self.program(at: runs[place].path) == program {
            left -= 1
            if left == 0 { return place }
        }
        return nil
    }

    /// What a run is of, by its name or its file; nil where that is not known.
    private static func program(_ name: String, _ runs: [RunHistory.Run]) -> String? {
        guard let place = RunHistory.place(name) else { return program(at: name) }
        return place < runs.count ? program(at: runs[place].path) : nil
    }

    /// Of a file alone: what is read from a pipe cannot be read again.
    private static func program(at path: String) -> String? {
        guard FilePath.kind(path) == S_IFREG else { return nil }
        return (try? ExportFile(path: path).head())?.run?.program
    }
}
