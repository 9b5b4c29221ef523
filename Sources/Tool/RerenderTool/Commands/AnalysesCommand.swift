// SPDX-License-Identifier: MIT
// `rerenderctl analyses`: the analyses that Trace Compass needs.

import ArgumentParser
import RerenderShow
import RerenderTrace

/// Writes the analyses for Trace Compass.
struct AnalysesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyses",
        abstract: "Write the analyses for Eclipse Trace Compass, as one XML file.",
        usage: "rerenderctl analyses --install <dir> | --print",
        discussion: """
            Trace Compass then shows a recording as timelines by view, by process and
            thread, and of turns with their hangs; as a chart of the evaluations in each
            turn; as a flame chart of nested evaluations; and as tables and distributions
            of evaluation times, hangs, wasted evaluations, and evaluations that another
            one followed in the same turn.

            Import the file in Trace Compass: Window > Preferences > Tracing > XML
            Analyses. Then tick its box.

            Examples:
              rerenderctl analyses --install ~/trace-compass
              rerenderctl analyses --print > rerender.xml
            """)

    @Option(help: ArgumentHelp("Write the file to this directory and explain how to import it.", valueName: "dir"))
    var install: String?

    @Flag(name: .customLong("print"), help: "Write the file to standard output.")
    var prints = false

    func validate() throws {
        if prints == (install != nil) {
            throw ValidationError("Choose where to write the file: --install DIR or --print.")
        }
        if install == "" { throw ValidationError("--install needs a directory.") }
    }

    func run() async throws {
        if let install {
            try Console.output.show(TraceCompassFile.steps(for: try TraceCompassFile.install(in: install)))
        } else {
            try OutputStream.standardOutput.write(TraceCompassFile.bytes)
        }
    }
}
