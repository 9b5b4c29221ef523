// SPDX-License-Identifier: MIT
// `--since`, and `--from` with `--to`: marks of what runs, and marks and times of recordings.

import ArgumentParser
import RerenderShow
import RerenderTrace

/// `--from` and `--to`.
struct SpanOption: ParsableArguments {
    @Option(help: ArgumentHelp("Begin at this mark or, in a recording, at this time.", valueName: "mark or time"))
    var from: String?

    @Option(help: ArgumentHelp("End at this mark or, in a recording, at this time.", valueName: "mark or time"))
    var to: String?

    var isGiven: Bool { from != nil || to != nil }

    func validate() throws {
        for (option, text) in [("--from", from), ("--to", to)] where text == "" {
            throw ValidationError("\(option) needs the name of a mark, or a time in a recording such as 2.5s.")
        }
    }
}

/// `--since`, or `--from` and `--to`, for what is counted.
struct MarkOption: ParsableArguments {
    @Option(
        name: .customLong("since"),
        help: ArgumentHelp("Count only what happened since this mark; see `mark`.", valueName: "mark"))
    var mark: String?

    @OptionGroup var span: SpanOption

    var isGiven: Bool { mark != nil || span.isGiven }

    /// Where the span begins, as the user named it.
    var from: String? { mark ?? span.from }

    func validate() throws {
        if mark != nil, span.isGiven { throw ValidationError("Choose either --since, or --from and --to.") }
        if mark == "" { throw ValidationError("--since needs the name of a mark.") }
    }

    /// What names the span in a result.
    var title: String { Self.title(from: from, to: span.to) }

    /// Which time that is, in words; nil for all.
    var time: String? { span.isGiven ? "between these moments" : isGiven ? "since the mark" : nil }

    /// Says which times of a span are not its own, where a table has such columns.
    func noteTimes(shown columns: [String]) {
        guard isGiven, columns.contains(where: Self.isOfAllTime) else { return }
        FailureText.note(
            "rerenderctl: percentiles are those of all time, and a longest time is known only where it is longer than any before"
        )
    }

    /// Whether a column has a percentile or the longest time, by its name.
    static func isOfAllTime(_ column: String) -> Bool { column.wholeMatch(of: /p[0-9]+|max/) != nil }

    /// `since "tap Add"`, `from "a" to "b"`.
    static func title(from: String?, to: String?) -> String {
        guard let to else { return "since \"\(from ?? "")\"" }
        return from.map { "from \"\($0)\" to \"\(to)\"" } ?? "until \"\(to)\""
    }

    /// An option with a mark or a time as the end of a command. A value that begins with a hyphen would be taken for an option.
    static func words(_ option: ShellCommand, _ moment: String) -> ShellCommand {
        moment.utf8.first == UInt8(ascii: "-") ? " \(option)=\(moment)" : " \(option) \(moment)"
    }

    /// Who answers for what happened in the span, after a note on that; nil without one.
    ///
    /// - Parameter file: The recording; nil for what runs.
    func source(file: String?, process: String?) async throws -> StatsSource? {
        guard isGiven else { return nil }
        if let file { return StatsSource(try SavedStats.load(file, in: self)) }
        guard let from else {
            throw ToolFailure.usage("--to needs --from: of what runs, counts are known at marks alone.")
        }
        let session = try Session.current(process: process)
        let marked = try await MarkedSpan.find(from, to: span.to, process: process, session)
        for note in marked.notes() { FailureText.note("rerenderctl: \(note)") }
        return StatsSource(
            Session(directory: session.directory, client: SpanClient(marked, daemon: session.client)))
    }
}

/// A time, or the name of a mark.
enum SinceMoment: ExpressibleByArgument, Hashable, Sendable {
    case time(SinceTime)
    case mark(String)

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self = SinceTime(argument: argument).map { SinceMoment.time($0) } ?? .mark(argument)
    }

    /// When that is. Throws status 64 where there is no such mark.
    ///
    /// - Parameter recording: The directory that is asked for marks; nil for what runs.
    func time(process: String?, recording: String?, _ session: Session) async throws -> Timestamp {
        switch self {
        case .time(let time): return time.time()
        case .mark(let mark):
            if let recording, let time = try RecordedSpan.times(of: recording, from: mark, to: nil).from { return time }
            return try await MarkedSpan.time(of: mark, process: process, session)
        }
    }
}
