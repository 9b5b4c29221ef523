// SPDX-License-Identifier: MIT
// `--since` with the name of a mark.

import ArgumentParser
import RerenderShow

/// `--since`, for what is counted.
struct MarkOption: ParsableArguments {
    @Option(
        name: .customLong("since"),
        help: ArgumentHelp("Count only what happened since this mark; see `mark`.", valueName: "mark"))
    var mark: String?

    /// Who answers for what happened since the mark, after a note on that; nil without a mark.
    func source(process: String?) async throws -> StatsSource? {
        guard let mark else { return nil }
        let session = try Session.current(process: process)
        let marked = try await MarkedSpan.find(mark, process: process, session)
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
    func time(process: String?, _ session: Session) async throws -> Timestamp {
        switch self {
        case .time(let time): time.time()
        case .mark(let mark): try await MarkedSpan.time(of: mark, process: process, session)
        }
    }
}
