// SPDX-License-Identifier: MIT
// What is shown of a recording whose command had no process that was counted: no other process in its place.

import RerenderModel
import RerenderShow
import RerenderTrace

extension RecordedCommand {
    /// Whether no process of the command was counted.
    var isUncounted: Bool { processes.isEmpty }

    /// That none was counted, and what else the recording has; a sentence.
    ///
    /// - Parameter others: How many other processes it has.
    func uncounted(others: Int) -> String {
        let what = "No process of \(title) was counted in this recording"
        if others == 0 { return "\(what)." }
        return "\(what); --all shows the \(others == 1 ? "other one" : "\(Counted.grouped(others)) others")."
    }

    /// What stands before the start of a command that `run` would inject into by itself; nil for any other one.
    static func advice(before command: [String]) -> String? {
        guard let program = command.first, let file = ProgramFile.started(by: program),
            InjectionOffer.isCountable(file),
            InjectionOffer.canBeAsked(of: file, place: InjectionLibraries.ofThisProgram)
        else { return nil }
        return advice(on: program)
    }

    /// What it says of a program.
    static func advice(on program: String) -> String {
        let inject: ShellCommand = "rerenderctl record --inject -- \(.path(program))"
        return "record counts what \(Printable.text(program)) itself says; to inject, run: \(inject)"
    }
}

extension TraceReport {
    /// How many processes it has that were counted.
    var counted: Int { Set(export.processes.map(\.pid)).count }

    /// Leaves no process in its figures.
    mutating func leaveNone() {
        (export.processes, hangs, causes) = ([], [], [])
        export.verdict = VerdictBuilder.verdict(of: [], .recording)
    }
}
