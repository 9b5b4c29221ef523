// SPDX-License-Identifier: MIT
// Gets the debug information of a stripped program from the servers of DEBUGINFOD_URLS, where the user's settings allow that.

import Glibc
import RerenderDaemon
import RerenderShow

/// Asks `debuginfod-find`, a program of elfutils, which keeps what it gets in the user's cache.
enum DebugServer {
    /// What came of a question.
    enum Answer: Hashable, Sendable {
        /// The path of a file with debug information.
        case file(String)
        /// Why nothing came, as a sentence without a full stop.
        case failure(String)
    }

    /// The variable by which Rerender in the command finds the file. It reads that of the same build alone.
    static let variable = "RERENDER_DEBUG_FILE"
    /// A user waits for the command meanwhile.
    private static let limit = Duration.seconds(15)

    /// What the environment of a command gets for its program. Says why nothing came, in one sentence. Nothing is asked without the
    /// setting, of a program with names of its own or debug information beside it, and of a script's interpreter.
    static func environment(of command: [String]) async -> [String: String] {
        guard ToolSettings.current.debuginfod == true, environmentVariable(variable) == nil, let name = command.first,
            let file = ProgramFile.started(by: name), file.script == nil, file.isStripped
        else { return [:] }
        let came = await ProgressLine.during("asking servers for debug information") { _ in
            await answer(for: file, servers: environmentVariable("DEBUGINFOD_URLS"))
        }
        switch came {
        case .file(let path): return [variable: path]
        case .failure(let reason):
            FailureText.note("rerenderctl: \(reason)")
            return [:]
        }
    }

    /// Asks for a program's debug information.
    ///
    /// - Parameters:
    ///   - servers: Their addresses, as `debuginfod-find` reads them from the environment.
    ///   - asking: Who is asked: `debuginfod-find`, or what stands for it.
    static func answer(
        for file: ProgramFile, servers: String?, asking: String = "debuginfod-find", limit: Duration = limit
    ) async -> Answer {
        let name = Printable.exact(PathName.last(of: file.path))
        guard servers?.isEmpty == false else {
            return .failure("\(name) is stripped, and DEBUGINFOD_URLS names no server that has its debug information")
        }
        guard let id = file.buildID else {
            return .failure("\(name) is stripped, and has no build ID to ask servers for")
        }
        guard let said = try? await CapturedCommand.run([asking, "debuginfo", id], limit: limit) else {
            return .failure("\(name) is stripped, and debuginfod-find cannot be run (Debian: debuginfod)")
        }
        if said.ending == .killed(by: SIGKILL) {
            return .failure(
                "the debug information of \(name) did not come in \(DurationText.short(limit.wholeNanoseconds)); "
                    + "this gets it without a limit: debuginfod-find debuginfo \(id)")
        }
        let path = said.output.split(separator: "\n").first.map(String.init) ?? ""
        guard said.succeeded, PathName.isAbsolute(path), FilePath.kind(path) == S_IFREG else {
            return .failure("no server of DEBUGINFOD_URLS has the debug information of \(name)")
        }
        return .file(path)
    }
}
