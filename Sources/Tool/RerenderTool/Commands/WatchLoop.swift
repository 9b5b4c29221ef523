// SPDX-License-Identifier: MIT
// `rerenderctl stats --watch`: shows a table every few seconds.

import ArgumentParser
import Glibc
import RerenderShow

/// Shows a table every few seconds.
struct WatchLoop: Sendable {
    let source: TableSource
    let seconds: Double

    private enum Event: Sendable {
        /// It is time for the next frame.
        case tick
        /// The daemon has answered, or has not.
        case fetched(WatchFrame)
        case signal(CInt)
    }

    private typealias Sender = AsyncStream<Event>.Continuation

    /// Runs until a signal ends the process, or until the reader of a pipe has gone.
    ///
    /// A daemon that is not there at the start is a failure; one that goes away later is waited for.
    func run() async throws -> Never {
        var frame = try await Self.frame(source)
        let pipe = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        let (events, sender) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
        SignalPipe.forward(pipe) { sender.yield(.signal($0.number)) }
        let display = WatchDisplay(console: .output, seconds: seconds)
        try display.open()
        try display.show(frame)
        tick(sender)
        for await event in events {
            switch event {
            // Waits for nothing: a signal must be heard whatever the daemon does.
            case .tick: Task { sender.yield(.fetched(await latest())) }
            case .fetched(let next):
                frame = next
                try display.show(frame)
                // Only now: a slow daemon is not asked twice at a time.
                tick(sender)
            case .signal(let signal): try react(to: signal, display, frame)
            }
        }
        exit(0)
    }

    private func react(to signal: CInt, _ display: WatchDisplay, _ frame: WatchFrame) throws {
        switch signal {
        case SIGWINCH, SIGCONT: try display.redraw(frame)
        case SIGTSTP:
            try display.close(leaving: nil)
            Disposition.stop()
            try display.open()
            try display.redraw(frame)
        default:
            // A terminal that hung up takes no text; the signal is what counts.
            try? display.close(leaving: frame)
            Disposition.die(by: signal)
        }
    }

    private func latest() async -> WatchFrame {
        do {
            return try await Self.frame(source)
        } catch {
            return .failure((error as? ToolFailure)?.message ?? "\(error)")
        }
    }

    private static func frame(_ source: TableSource) async throws -> WatchFrame {
        let chosen = source.options.limitation.limit.map(\.count)
        return .table(try await source.screen(limit: chosen ?? WatchDisplay.mostRows))
    }

    private func tick(_ sender: Sender) {
        Task {
            try await Task.sleep(for: .seconds(seconds))
            sender.yield(.tick)
        }
    }
}

/// What is shown until the next tick.
enum WatchFrame: Sendable {
    case table(StatsScreen)
    /// Why there is no table now.
    case failure(String)

    /// The frame's lines, each at most `width` columns wide, and as many as fit into `height`; nil for all.
    func lines(width: Int, height: Int? = nil, colours: Bool) -> [String] {
        switch self {
        case .table(let screen): screen.lines(width: width, height: height, colours: colours)
        case .failure(let text): StatsScreen.cut(Wrap.text(text, width: width, cutting: true), to: height, width)
        }
    }
}

/// Draws frames: in place on a terminal, one after the other elsewhere.
struct WatchDisplay: Sendable {
    let console: Console
    let seconds: Double

    /// More rows than any screen has; what does not fit the screen is cut there.
    static let mostRows = 500

    /// Takes the terminal's other screen, so that what was there comes back in the end.
    func open() throws {
        if console.isTerminal { try console.stream.write("\u{1B}[?1049h\u{1B}[?25l") }
    }

    /// Gives the screen back and leaves a last frame on it.
    func close(leaving frame: WatchFrame?) throws {
        guard console.isTerminal else { return }
        try console.stream.write("\u{1B}[?25h\u{1B}[?1049l")
        if let frame { try console.show(fitted(frame)) }
    }

    /// Shows a new frame.
    func show(_ frame: WatchFrame) throws {
        if console.isTerminal { return try redraw(frame) }
        try console.show([Timestamp.now.iso8601] + frame.lines(width: console.tableWidth, colours: false) + [""])
    }

    /// Draws a frame again after the screen changed. Does nothing without a screen.
    func redraw(_ frame: WatchFrame) throws {
        guard console.isTerminal else { return }
        let title = Fit.end("every \(DurationText.short(UInt64(seconds * 1e9))), Ctrl-C to exit", console.width)
        let lines = [Style.dim.apply(title, colours: console.colours)] + fitted(frame)
        // Home; each line erases what was behind it; at last everything below.
        let text = lines.joined(separator: "\u{1B}[K\r\n")
        try console.stream.write("\u{1B}[H" + text + "\u{1B}[K\u{1B}[J")
    }

    /// As many lines as the screen has beside the title.
    private func fitted(_ frame: WatchFrame) -> [String] {
        let size = TerminalSize.of(console.stream)
        return frame.lines(width: size.columns, height: max(3, size.lines - 1), colours: console.colours)
    }
}

/// Asks for what a table shows.
struct TableSource: Sendable {
    let source: StatsSource
    let options: StatsOptions
    /// Whether it is one of sources and handlers.
    let showsSources: Bool
    /// The time that it is about, such as `since the mark`; nil for all.
    var time: String?

    private var session: Session { source.session }

    /// The content of a table of at most `limit` views.
    ///
    /// Throws status 64 if there are processes but not the one that was asked for.
    func screen(limit: Int?) async throws -> StatsScreen {
        let export = try await known(options.tableQuery(limit: limit))
        var screen = StatsScreen(
            export: export, health: await session.health(), order: options.order, limit: limit,
            total: export.matchingViews)
        screen.columns = options.columns.names
        screen.names = await SymbolHelp.prepare(export.processes)
        (screen.showsSources, screen.showsAll) = (showsSources, options.all)
        screen.time = time
        if let saved = source.saved {
            screen.shortfalls = saved.gaps
        } else {
            screen.off = SwitchState.place
            screen.shortfalls = RunningInjections.notes(beside: session.directory)
        }
        return screen
    }

    /// The export, or an empty one if the daemon knows no process at all. A failure names processes of similar names.
    private func known(_ query: StatsQuery) async throws -> StatsExport {
        do {
            return try await session.client.export(query)
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && options.selection.process != nil
        {
            let known = try await session.processes()
            guard known.isEmpty else { throw options.selection.choice.fitsNone(of: known) }
            return StatsExport(processes: [])
        }
    }
}
