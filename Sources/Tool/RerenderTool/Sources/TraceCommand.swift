// SPDX-License-Identifier: MIT
// Commands that read traces do so in a child process: libbabeltrace2 ends its process where a trace breaks its rules.

import ArgumentParser
import Glibc
import RerenderShow

/// A command that may read traces.
protocol TraceCommand {
    /// What it reads, as the user named it: directories are traces.
    var inputs: [String] { get }
}

/// Reads traces where a crash hurts nobody.
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
