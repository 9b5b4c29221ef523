// SPDX-License-Identifier: MIT
// The recording or run that `report` reads, the child process that reads traces, and the note on the page that was written.

import ArgumentParser
import FoundationEssentials
import Glibc
import RerenderShow

/// A recording or an export, and how it was found.
struct ReportPlace: Sendable {
    let path: String
    /// What is to be said of it where nobody named it.
    var note: String?

    /// Whether it is a directory; a path that leads nowhere is taken for one, too.
    var isTrace: Bool { FilePath.kind(path).map { $0 == S_IFDIR } ?? true }

    /// Throws status 69 where nothing is named, and there is nothing, or a program reads the output.
    static func find(_ name: String?, isForPeople: Bool) throws(ToolFailure) -> ReportPlace {
        if let name { return ReportPlace(path: try RunHistory.path(name)) }
        guard isForPeople else {
            throw ToolFailure(
                ExitStatus.missingProgram,
                "no recording is named, and what programs read is only what was named.\n"
                    + "Name a recording or a run: rerenderctl report last --json")
        }
        if let newest = RecordingPlace.newest {
            return ReportPlace(path: newest, note: "the newest recording: \(Printable.text(newest))")
        }
        guard RunHistory.isOn, let last = RunHistory.current()?.runs().first else {
            throw ToolFailure(
                ExitStatus.missingProgram,
                "there is no recording in ~/lttng-traces, and no run is kept.\n"
                    + "Make one: rerenderctl record -- CMD, or: rerenderctl run -- CMD")
        }
        return ReportPlace(path: last.path, note: "there is no recording, so this is the last run")
    }
}

/// A page for a browser, once it is in its place.
struct WrittenPage: Sendable {
    let evaluations: UInt64
    var bytes: UInt64 = 0

    /// Says what was written and how to open it: on standard error where the page itself went to standard output.
    func say(path: String) throws {
        guard path != "-" else { return FailureText.note("rerenderctl: \(text("the page"))") }
        let address = FilePath.real(path).map { ". Open it in a browser: \(URL(filePath: $0).absoluteString)" } ?? ""
        try Console.output.show(text(Printable.text(path)) + address)
    }

    private func text(_ what: String) -> String {
        "wrote \(what): \(Counted.text(evaluations, "evaluation")), \(ByteText.short(bytes))"
    }
}

/// A command that may read traces.
protocol TraceCommand {
    /// What it reads, as the user named it: directories are traces.
    var inputs: [String] { get }
}

/// Reads traces in a process of its own, where a crash does no harm.
enum TraceProcess {
    /// What a command reads; nothing if it reads no traces.
    static func inputs(of command: any ParsableCommand) -> [String] { (command as? any TraceCommand)?.inputs ?? [] }

    /// Does everything in a child process, and ends as that does; returns in the child, and where no input is a trace.
    ///
    /// The child alone reads, adds up and writes, so no event passes between the two. Throws status 65 if the child
    /// crashed.
    static func runApart(reading inputs: [String]) async throws {
        guard !OwnProgram.isChild, let trace = inputs.first(where: { FilePath.kind($0) == S_IFDIR }) else { return }
        let ending = try await OwnProgram.repeated()
        guard let signal = OwnProgram.fault(ending) else { ending.repeatIt() }
        throw ToolFailure(
            ExitStatus.unreadable,
            "reading the trace in \(Printable.text(trace)) ended with \(signal): the trace is damaged, or libbabeltrace2 "
                + "cannot read it.\nCopy the trace whole, or record again.")
    }
}
