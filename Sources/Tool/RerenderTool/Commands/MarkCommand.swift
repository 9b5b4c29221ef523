// SPDX-License-Identifier: MIT
// `rerenderctl mark`: gives this moment a name, from which on other commands count.

import ArgumentParser
import RerenderShow
import RerenderTrace

/// Marks this moment.
struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Name this moment, to see later what came after it.",
        discussion: """
            The daemon keeps what the connected programs have counted until now. With
            --since NAME, `stats`, `explain`, `hangs`, `diff` and `export` show what
            happened since then: what this click cost. Nothing is reset.

            The last 8 marks of a program are kept, with up to 2,000 views of most
            evaluations. If it has more, the others are left out of what is shown, and
            their number is said. A name that is used again means the latest moment.

            A program tells what it counts every tenth of a second. So this command waits
            for a fifth of a second first.

            Examples:
              rerenderctl mark "tap Add"
              rerenderctl stats --since "tap Add"
              rerenderctl explain --since "tap Add"
              rerenderctl mark before --process shop
              rerenderctl export --since before -o click.json
            """)

    @Argument(help: ArgumentHelp("What the moment is called.", valueName: "name"))
    var name: String

    @OptionGroup var selection: ProcessOption

    func validate() throws {
        guard (1...MarkRequest.longestName).contains(name.utf8.count) else {
            throw ValidationError("A mark's name has 1 to \(MarkRequest.longestName) bytes.")
        }
        guard !name.unicodeScalars.contains(where: Self.isInvisible) else {
            throw ValidationError(
                "A mark's name has no control characters, and none that only change how others are shown.")
        }
        // `hangs --since` reads times before now, and `--from` times of a recording; `1h30m` they take for a mark, and people do not.
        let looksLikeTime = #/([0-9.]+(ms|[smhd]))+|[0-9]+:[0-9]{2}(:[0-9.]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}.*/#
        guard SinceTime(argument: name) == nil, TraceMoment(name) == .mark(name),
            name.wholeMatch(of: looksLikeTime) == nil
        else {
            throw ValidationError(
                "\"\(name)\" is a time, or looks like one: --since and --from take times. Choose another name.")
        }
    }

    /// A terminal obeys such characters where a name is shown as part of a command.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    func run() async throws {
        let session = try Session.current(process: selection.process)
        try await Task.sleep(for: .milliseconds(200))
        let request = try QueryRequest.post(.mark, MarkRequest(name: name, process: selection.process))
        let report = try await session.daemon.document(request, as: MarkReport.self)
        guard !report.processes.isEmpty else {
            let reason = report.left ?? 0 > 0 ? "there is no room for so many stores" : "no process is connected"
            let off = SwitchState.place.map { SwitchState.notice($0) } ?? ["See: rerenderctl stats"]
            let lines = ["\(reason), so there is nothing to mark."] + off
            throw ToolFailure(ExitStatus.checkFailed, lines.joined(separator: "\n"))
        }
        try Console.output.show(Self.lines(report))
    }

    /// What was marked, and what comes next.
    static func lines(_ report: MarkReport) -> [String] {
        let names = report.processes.map { "\(Printable.text($0.name))[\($0.pid)]" }
        let left = report.processes.reduce(0) { $0 + $1.left }
        let rest = "! \(Counted.text(left, "view")) beyond those that a mark keeps: what they do is not known"
        let others = Counted.text(report.left ?? 0, "process is", "processes are")
        let more = "! \(others) not marked, for want of room: mark one with --process"
        let next: ShellCommand = "rerenderctl stats" + MarkOption.words("--since", report.name)
        return ["marked \"\(Printable.text(report.name))\" in \(Counted.list(names))"] + (left > 0 ? [rest] : [])
            + (report.left ?? 0 > 0 ? [more] : []) + ["Next: \(next)"]
    }
}
