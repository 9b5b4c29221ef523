// SPDX-License-Identifier: MIT
// `rerenderctl hangs`: when the main loop of an app hung, and in which view.

import ArgumentParser
import RerenderDaemon
import RerenderShow

/// Lists hangs.
struct HangsCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "hangs",
        abstract: "Show hangs of main loops: when, how long, and where.",
        usage: """
            rerenderctl hangs [<file>] [--process <pid or name>]
                              [--since <time> | --from <mark> --to <mark>]
                              [--limit <number>] [--json [--output <file>]]
            rerenderctl hangs <h number> [--json [--output <file>]]
            rerenderctl hangs --capture on|off|status
            """,
        discussion: """
            A hang is a turn of an app's main loop that took as long as its threshold or
            longer (\(HangThreshold.hangMilliseconds) ms; see `config`). The view is the one that took most of the hang
            in one phase, if that was a fifth or more. The attribution follows its name:
              in body     its body also ran when the threshold was crossed
              in layout, in snapshot, in drawing  the same of these phases of a widget
              share       it did not; who did is told below
              in handler  an event handler of it took most, without the bodies in it
            Then comes what the thread did most of the time: running, blocked or
            stopped, and for how much of the hang it had no processor. "In bodies" lists
            the time of each view within the hang, and the time outside all views. A `~`
            marks a guess: who is named while the hang goes on.

            Below are the slowest presses, clicks and keys of programs with GTK 4, from
            \(InteractionText.least / 1_000_000) ms on and as many as --limit says: how long each took until a frame
            showed what it led to, and what took that time.

            FILE is what `run` kept or wrote, the directory of a recording, or `last`, the
            last run (see `history`). Without it the daemon is asked. Where none answers,
            the list is that of the last run and says so; --json never is.

            H NUMBER, such as h3, is one hang of a daemon while it runs: the `id` of --json.

            Stacks of a thread that runs: rerenderctl config set hangStacks=true
            With --capture on, LTTng keeps the latest seconds in memory and saves them
            as a trace at each hang.

            Examples:
              rerenderctl hangs --since 10m
              rerenderctl wait --hang --program shop
              rerenderctl hangs last
              rerenderctl hangs --json | jq '.hangs[0].view'
            """)

    @OptionGroup var file: FileArgument

    @OptionGroup var selection: ProcessOption

    @Option(
        help: ArgumentHelp(
            "Show hangs that ended since then: 90s, 10m, 2h, 3d, ISO 8601, or a mark.", valueName: "time"))
    var since: SinceMoment?

    @OptionGroup var span: SpanOption

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Show this many of the newest hangs, 1 to 100,000. (default: 5; all as JSON)", valueName: "number"))
    var limit: Int?

    @Flag(help: "Print JSON: the answer of GET /v1/hangs.")
    var json = false

    @OptionGroup var output: OutputOption

    @Option(
        help: ArgumentHelp(
            "Save the seconds around each hang as a trace, or show whether this is on.", valueName: "on|off|status"))
    var capture: Capture?

    enum Capture: String, ExpressibleByArgument, CaseIterable {
        case on, off, status
    }

    func validate() throws {
        if since != nil, span.isGiven { throw ValidationError("Choose either --since, or --from and --to.") }
        if capture != nil, selection.process != nil || since != nil || span.isGiven || limit != nil || json {
            throw ValidationError("--capture takes no other options: it applies to all processes.")
        }
        if file.name != nil, capture != nil {
            throw ValidationError("--capture is about what runs: remove the file.")
        }
        if output.output != nil, !json { throw ValidationError("--output needs --json.") }
        if let limit, !(1...100_000).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to 100000, not \(limit).")
        }
    }

    func run() async throws {
        if let capture { return try await switchCapture(capture) }
        let reader = json ? StatsSource.Reader.program(named: "rerenderctl hangs last --json") : .person
        // A handle is that of a daemon, and may be another hang's in what was saved.
        let source =
            try await handle == nil
            ? StatsSource.find(file.name, for: reader, process: selection.process)
            : StatsSource.daemon(process: selection.process)
        let session = source.session
        if source.saved == nil { _ = HangCaptures.current()?.prune() }
        let marked = try await marked(session)
        for note in marked?.notes() ?? [] { FailureText.note("rerenderctl: \(note)") }
        let client: any QueryClient =
            if let marked { SpanClient(marked, daemon: session.client) } else { session.client }
        let (start, end) = try await moments(session)
        let query = HangsQuery(process: handle == nil ? selection.process : nil, since: start)
        var list = try await client.hangs(query)
        if let end { list.hangs.removeAll { $0.seenUntil > end } }
        if let handle { list.hangs = try [Self.hang(handle, of: selection.process, among: list.hangs)] }
        // Programs get all. Of people's, five fill a screen.
        let most = limit ?? (json ? .max : 5)
        let left = max(0, list.hangs.count - most)
        list.hangs.removeLast(left)
        if json { return try await output.write(document: list) }
        var stores = try await client.processes().filter(selection.choice.fits)
        // A view each, as its verdict is of all.
        let judged = try? await client.export(StatsQuery(limit: 1, process: selection.process))
        // Of a time that is no mark, counts are not known.
        let isUncounted = start != nil || end != nil
        if isUncounted { for index in stores.indices { stores[index].microHangs = 0 } }
        var screen = HangsScreen(
            hangs: list.hangs, stores: stores, health: await session.health(),
            verdict: isUncounted ? nil : judged?.verdict)
        let (from, to) = (marked?.at ?? start, marked?.endedAt ?? end)
        if handle == nil, let judged {
            let lines = InteractionText.lines(judged.processes, since: from, until: to)
            await SymbolHelp.learn(lines)
            screen.interactions = lines.map { MangledNames.readable($0) }
        }
        screen.names = await SymbolHelp.prepare([], list.hangs)
        let name = source.saved?.name
        let asks: ShellCommand = name.map { " \(RunHistory.shown($0))" } ?? ""
        (screen.asks, screen.left, screen.limit) = (asks, left, most)
        if list.hangs.isEmpty { screen.reasons = await reasons(source, stores, since: from, until: to) }
        try Console.output.show(screen.lines(width: Console.output.tableWidth, colours: Console.output.colours))
    }

    var inputs: [String] { file.inputs }

    /// The number of the hang that is named; nil where no hang is, or a file has that name.
    private var handle: UInt64? {
        guard let name = file.name, name.wholeMatch(of: /h[0-9]+/) != nil, FilePath.kind(name) == nil else {
            return nil
        }
        return UInt64(name.dropFirst())
    }

    /// The hang with a number. Throws status 64 for an unknown one, and for one of another process than the one that is selected.
    static func hang(_ handle: UInt64, of process: String?, among hangs: [Hang]) throws(ToolFailure) -> Hang {
        guard let hang = hangs.first(where: { $0.id == handle }) else {
            throw .usage(
                "no hang has the ID h\(handle): IDs are those of one daemon while it runs.\n"
                    + "See: rerenderctl hangs --json")
        }
        guard let process, !HangsQuery(process: process).matches(hang) else { return hang }
        let name = "\(Printable.text(hang.process))[\(hang.pid)]"
        throw .usage("h\(handle) is a hang of \(name), and not of \(Printable.text(process)).")
    }

    /// The recording or export that was named; nil for what runs.
    private var saved: String? { handle == nil ? file.name : nil }

    /// The mark of what runs with which the time begins; nil for any other time.
    private var mark: String? {
        guard saved == nil else { return nil }
        if case .mark(let mark)? = since { return mark }
        return span.from
    }

    /// What happened since that mark, or until another one.
    private func marked(_ session: Session) async throws -> MarkedSpan? {
        guard let mark else { return nil }
        return try await MarkedSpan.find(mark, to: span.to, process: selection.process, session)
    }

    /// From when on, and until when, the hangs that are listed were; nil where a mark tells.
    private func moments(_ session: Session) async throws -> (since: Timestamp?, until: Timestamp?) {
        let process = selection.process
        guard mark == nil else { return (nil, nil) }
        guard span.isGiven else {
            return (try await since?.time(process: process, recording: saved, session), nil)
        }
        if let saved {
            let times = try RecordedSpan.times(of: saved, from: span.from, to: span.to)
            return (times.from, times.to)
        }
        guard let end = span.to else { return (nil, nil) }
        return (nil, try await MarkedSpan.time(of: end, process: process, session))
    }

    /// Why no hang is listed.
    private func reasons(
        _ source: StatsSource, _ stores: [ProcessStats], since start: Timestamp?, until end: Timestamp?
    ) async -> [String] {
        func hangs(_ query: HangsQuery) async -> [Hang]? { try? await source.session.client.hangs(query).hangs }
        let own = start == nil && end == nil ? nil : await hangs(HangsQuery(process: selection.process))
        // After a mark of one program, others may have had hangs.
        let earlier = own?.count { hang in
            !HangsQuery(since: start).matches(hang) || end.map { hang.seenUntil > $0 } ?? false
        }
        let others = selection.process == nil ? nil : await hangs(HangsQuery())?.count
        let given = [span.from.map { _ in "--from" }, span.to.map { _ in "--to" }].compactMap(\.self)
        let options = span.isGiven ? Counted.list(given) : "--since"
        let filtered = EmptyText.hangs(
            earlier: earlier, others: others.map { $0 - (own?.count ?? 0) }, options: options)
        return stores.isEmpty && source.saved == nil ? filtered + Guidance.noStores(off: SwitchState.place) : filtered
    }

    private func switchCapture(_ capture: Capture) async throws {
        let recorder = try FlightRecorder.current()
        switch capture {
        case .on: try Console.output.show(try await recorder.on())
        case .off: try Console.output.show(try await recorder.off())
        case .status: try Console.output.show(try await recorder.status())
        }
    }
}
