// SPDX-License-Identifier: MIT
// `rerenderctl count-events`: what `record` runs to count the events of its trace, which may crash the process.

import ArgumentParser
import RerenderShow
import RerenderTrace

/// Prints the number of a trace's events, with a plus where there are more than it counts.
struct CountEventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: EventCount.command, abstract: "Count the events of a recording.", shouldDisplay: false)

    @Argument(help: ArgumentHelp("The directory of the recording.", valueName: "trace"), completion: .directory)
    var trace: String

    func run() throws {
        do {
            try OutputStream.standardOutput.write(EventCount(of: trace).text)
        } catch let error as TraceError {
            throw ToolFailure(error)
        }
    }
}
