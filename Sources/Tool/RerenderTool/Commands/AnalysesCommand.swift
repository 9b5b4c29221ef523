// SPDX-License-Identifier: MIT
// `rerenderctl analyses`: what Trace Compass needs to show our traces.

import ArgumentParser
import RerenderRecording
import RerenderToolBase
import RerenderTrace

/// Hands out the analyses for Trace Compass.
struct AnalysesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyses",
        abstract: "Get the analyses for Eclipse Trace Compass, as one XML file.",
        usage: "rerenderctl analyses --install <dir> | --print",
        discussion: """
            With them Trace Compass shows a recording as timelines by view, by
            process and thread, and of turns with the hangs above them; a chart of
            evaluations; a flame chart of nested evaluations; and tables and
            distributions of evaluation times, hangs, and views that were evaluated
            twice in one turn.

            Trace Compass reads no directory by itself: import the file in Window >
            Preferences > Tracing > XML Analyses, and tick its box.

            Examples:
              rerenderctl analyses --install ~/trace-compass
              rerenderctl analyses --print > rerender.xml
            """)

    @Option(help: ArgumentHelp("Write the file to this directory, and say what to click.", valueName: "dir"))
    var install: String?

    @Flag(name: .customLong("print"), help: "Write the file to standard output.")
    var prints = false

    func validate() throws {
        if prints == (install != nil) {
            throw ValidationError("Say where it shall go: --install DIR or --print.")
        }
        if install == "" { throw ValidationError("--install takes a directory.") }
    }

    func run() async throws {
        if let install {
            try Console.output.show(TraceCompassFile.steps(for: try TraceCompassFile.install(in: install)))
        } else {
            try OutputStream.standardOutput.write(TraceCompassFile.bytes)
        }
    }
}
