// SPDX-License-Identifier: MIT
// The last runs, one export each, in a directory of the user's own.

import FoundationEssentials
import Glibc
import RerenderDaemon
import RerenderShow

/// Keeps what `rerenderctl run` counted, and finds it again.
struct RunHistory: Sendable {
    /// How many runs are kept, and how many bytes all of them may have.
    static let mostRuns = 50
    static let mostBytes: UInt64 = 200_000_000

    /// `0` in it switches the keeping off.
    static let variable = "RERENDER_HISTORY"

    let directory: String

    /// A run that was kept.
    struct Run: Hashable, Sendable {
        let path: String
        let bytes: UInt64
    }

    /// Whether runs are kept, and stand in for a daemon that does not answer.
    static var isOn: Bool { offSwitch == nil }

    /// What switches the keeping off; nil where it is on. An empty variable counts as none.
    static var offSwitch: String? { offSwitch(environmentVariable(variable), ToolSettings.current) }

    /// The same for a value of the variable and settings.
    static func offSwitch(_ value: String?, _ settings: UserSettings) -> String? {
        switch value ?? "" {
        case "0": "\(variable)=0"
        case "" where settings.history == false: "history = false in the settings file"
        default: nil
        }
    }

    /// In `$XDG_STATE_HOME/rerender`, or `~/.local/state/rerender`; nil without a home.
    static func current(environment: (String) -> String? = { environmentVariable($0) }) -> RunHistory? {
        if let state = environment("XDG_STATE_HOME"), PathName.isAbsolute(state) {
            return RunHistory(directory: state + "/rerender")
        }
        guard let home = environment("HOME"), PathName.isAbsolute(home) else { return nil }
        return RunHistory(directory: home + "/.local/state/rerender")
    }

    // MARK: Names

    /// How many runs ago a name means: 0 for `last`, N for `last~N`; nil for any other text.
    static func place(_ name: String) -> Int? {
        if name == "last" { return 0 }
        guard name.hasPrefix("last~") else { return nil }
        let digits = name.dropFirst(5)
        return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }

    /// The path of a file that the user named, or of the run that is meant by `last` or `last~N`.
    ///
    /// Throws status 65 where there are not so many runs.
    static func path(_ name: String) throws(ToolFailure) -> String {
        guard let place = place(name) else { return name }
        let runs = current()?.runs() ?? []
        guard place < runs.count else {
            let there = runs.isEmpty ? "No run is kept" : "\(Counted.text(runs.count, "run is", "runs are")) kept"
            throw ToolFailure(
                ExitStatus.unreadable,
                "there is no run \(name). \(there).\nSee: rerenderctl history. "
                    + "To read a file of this name: \("./\(name)" as ShellCommand)")
        }
        return runs[place].path
    }

    /// A name in a command that is to be copied.
    static func shown(_ name: String) -> ShellCommand { place(name) == nil ? .path(name) : ShellCommand(name) }

    /// The newest run, or the newest one of a program where it has one, with the name that a command needs for it: nil for the last.
    ///
    /// - Parameter program: As the run calls it; nil for any.
    func latest(of program: String?) -> (run: Run, name: String?)? {
        let all = runs()
        let place = program.flatMap { program in
            all.firstIndex { (try? ExportFile(path: $0.path).head())?.run?.program == program }
        }
        guard let place, place > 0 else { return all.first.map { (run: $0, name: nil) } }
        return (run: all[place], name: "last~\(place)")
    }

    // MARK: Reading

    /// What is kept, newest first. A link, a file of another user and anything larger than all runs may be are left out.
    func runs() -> [Run] {
        guard let held = try? HeldDirectory(directory, makes: false) else { return [] }
        return HistoryFiles.names(in: held).filter(Self.isRun).sorted(by: >).compactMap { name in
            let bytes = HistoryFiles.size(of: name, in: held)
            return bytes.flatMap { $0 <= Self.mostBytes ? Run(path: "\(directory)/\(name)", bytes: $0) : nil }
        }
    }

    /// `run-20261126T115855.123Z-4711.json`: by name is by time.
    private static func isRun(_ name: String) -> Bool {
        guard name.hasPrefix("run-"), name.hasSuffix(".json"), name.utf8.count <= 48 else { return false }
        return name.dropFirst(4).dropLast(5).allSatisfy { "0123456789TZ.-".contains($0) }
    }

    private static func name(_ time: Timestamp, pid: Int32) -> String {
        "run-\(time.iso8601.filter { $0 != "-" && $0 != ":" })-\(pid).json"
    }

    // MARK: Keeping

    /// Keeps what a command counted, for later; false where it is not kept. That never fails a run.
    static func keepLatest(_ export: StatsExport) -> Bool {
        guard isOn, !export.processes.isEmpty, let history = current() else { return false }
        do {
            try history.keep(export, pid: getpid())
            return true
        } catch {
            let reason = (error as? ToolFailure)?.firstLine ?? "\(error)"
            FailureText.note("rerenderctl: this run is not kept: \(reason) (\(variable)=0 keeps none)")
            return false
        }
    }

    /// Keeps a run, and removes what is too old or too much. Throws what is to be said where that is not possible.
    func keep(_ export: StatsExport, pid: Int32) throws {
        try Directory.make(PathName.directory(of: directory))
        let held: HeldDirectory
        do {
            held = try HeldDirectory(directory, makes: true)
        } catch {
            throw ToolFailure(ExitStatus.cannotCreate, Self.text(error, directory))
        }
        let name = Self.name(export.generatedAt, pid: pid)
        let file = try AtomicFile(path: "\(directory)/\(name)", mode: 0o600)
        var bytes: UInt64 = 0
        try export.write { piece in
            bytes += UInt64(piece.count)
            guard bytes <= Self.mostBytes else {
                throw ToolFailure(ExitStatus.cannotCreate, "it has over \(ByteText.short(Self.mostBytes))")
            }
            try file.write(piece)
        }
        try file.commit()
        prune(held, except: name)
    }

    private static func text(_ fault: HeldDirectory.Fault, _ directory: String) -> String {
        switch fault {
        case .failed(_, let number): "cannot make \(Printable.text(directory)): \(SystemText.of(number))"
        case .refused: "\(Printable.text(directory)) is not a directory of yours that nobody else may write to"
        }
    }

    /// Removes the oldest runs.
    private func prune(_ held: borrowing HeldDirectory, except newest: String) {
        var (count, bytes) = (0, UInt64(0))
        for name in HistoryFiles.names(in: held).sorted(by: >) {
            guard Self.isRun(name), let size = HistoryFiles.size(of: name, in: held) else { continue }
            (count, bytes) = (count + 1, bytes + size)
            if name != newest, count > Self.mostRuns || bytes > Self.mostBytes { HistoryFiles.remove(name, in: held) }
        }
    }
}

// Which runs `diff` compares: those of one program.

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
