// SPDX-License-Identifier: MIT
// The event loop of `top`: passes events to the model, performs its effects, draws, and measures its own processor time.

import Glibc
import NIOPosix

/// Runs the live screen.
@MainActor
package final class TopLoop {
    /// What the loop waits for.
    private enum Signal: Sendable {
        case event(TopEvent)
        case tick
        /// Something was typed; the terminal is to be read.
        case input
        /// The terminal is gone.
        case inputOver
        case signal(ReceivedSignal)
    }

    private let screen: TopScreen
    private let source: TopSource
    private let actions: TopActions
    private let seconds: Double
    /// Opens a file in the user's editor and returns when that ended, with what went wrong.
    private let edit: Editor
    private var model: TopModel
    private var frame = TopFrame(lines: [])
    private var meter = CostMeter()
    private let (signals, sender) = AsyncStream.makeStream(of: Signal.self)
    private let (reads, readSender) = AsyncStream.makeStream(of: Void.self)

    /// Whether an editor has the terminal.
    private var isEditing = false
    /// How it ended, once it has.
    private var ending: Ending?
    /// Whether there was input while it had.
    private var hasInput = false

    /// Opens a file at a line in the user's editor, which has the terminal until it ends. Returns what went wrong, if anything.
    package typealias Editor = @Sendable (_ path: String, _ line: UInt32) async -> String?

    /// Takes the terminal over.
    ///
    /// - Parameters:
    ///   - saved: What is shown where that was saved; nil for what runs.
    ///   - gaps: What is missing from it, as sentences.
    ///   - names: Asked for each sample.
    package init(
        session: Session, order: StatsOrder, process: String?, seconds: Double, saved: String?,
        gaps: [String], names: @escaping TopNames, edit: @escaping Editor
    ) throws {
        screen = try TopScreen(colours: Console.output.colours)
        source = TopSource(session: session, prepare: names)
        actions = TopActions(session: session)
        (self.seconds, self.edit) = (seconds, edit)
        model = TopModel(size: screen.measure(), order: order, process: process)
        (model.saved, model.gaps, model.now) = (saved, gaps, .now)
    }

    /// How the screen ended: the user's key, or a signal.
    package enum Ending: Sendable {
        case quit
        case signal(CInt)

        /// Ends this process in the same way.
        package func repeatIt() -> Never {
            if case .signal(let signal) = self { Disposition.die(by: signal) }
            exit(0)
        }
    }

    /// Runs until the user quits, or a signal comes that ends the process; the terminal is as it was then.
    ///
    /// A daemon that is not there is waited for, at the start, too.
    ///
    /// - Parameter pipe: The pipe of caught signals. Curses does not replace handlers that exist before it starts.
    package func run(_ pipe: CInt) async throws -> Ending {
        SignalPipe.forward(pipe) { [sender] in sender.yield(.signal($0)) }
        forwardInput()
        tickForEver()
        findSources()
        handle(.tick(.now))
        for await signal in signals {
            react(to: signal)
            if let ending { return ending }
        }
        end(.quit)
        return .quit
    }

    private func react(to signal: Signal) {
        switch signal {
        case .event(let event): handle(event)
        case .tick: if !isEditing { handle(.tick(.now)) }
        case .input: if isEditing { hasInput = true } else { readInput() }
        case .inputOver: end(.quit)
        case .signal(let signal): isEditing ? reactBesideEditor(to: signal) : react(to: signal.number)
        }
    }

    private func handle(_ event: TopEvent) {
        var event = event
        if case .sampled(let sample, _) = event { event = .sampled(sample, meter.read()) }
        let effects = model.take(event)
        for effect in effects { perform(effect) }
        if model.isDrawn(after: event, effects) { draw() }
    }

    private func draw() {
        guard !isEditing, ending == nil else { return }
        let next = model.frame
        screen.draw(next, over: frame)
        frame = next
    }

    // MARK: Input

    private func readInput() {
        while !isEditing, ending == nil, let event = screen.next() { handle(event) }
        // What was typed ahead is the editor's, or is read after it.
        guard !isEditing else { return hasInput = true }
        readSender.yield()
    }

    /// Signals input, and waits until it was read before polling again.
    private func forwardInput() {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let (sender, reads) = (sender, reads)
        Task.detached {
            var turns = reads.makeAsyncIterator()
            while try await pool.runIfActive({ Self.waitForInput() }) {
                sender.yield(.input)
                _ = await turns.next()
            }
            sender.yield(.inputOver)
        }
    }

    /// Whether there is something to read; false when there never will be again.
    private nonisolated static func waitForInput() -> Bool {
        while true {
            var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // One entry, lent for the call.
            let count = unsafe poll(&wanted, 1, -1)
            if count < 0, errno == EINTR { continue }
            let gone = Int16(POLLHUP | POLLERR | POLLNVAL)
            return count > 0 && wanted.revents & gone == 0
        }
    }

    // MARK: Time and signals

    private func tickForEver() {
        let (sender, seconds) = (sender, seconds)
        Task.detached {
            while true {
                try await Task.sleep(for: .seconds(seconds))
                sender.yield(.tick)
            }
        }
    }

    private func react(to signal: CInt) {
        switch signal {
        case SIGWINCH: handle(.resized(screen.measure()))
        case SIGCONT: resume()
        case SIGTSTP:
            screen.close()
            Disposition.stop()
            resume()
        default: end(.signal(signal))
        }
    }

    /// What comes from the terminal is for the editor, which is in our process group; what a process sends is for us.
    private func reactBesideEditor(to signal: ReceivedSignal) {
        switch signal.number {
        case SIGTSTP: Disposition.stop()
        case SIGWINCH, SIGCONT: break
        case SIGINT, SIGQUIT: if signal.isFromProcess { ending = .signal(signal.number) }
        default: ending = .signal(signal.number)
        }
    }

    private func resume() {
        frame = TopFrame(lines: [])
        screen.resume()
        handle(.resized(screen.measure()))
    }

    private func end(_ ending: Ending) {
        screen.close()
        self.ending = ending
    }

    // MARK: Effects

    private func perform(_ effect: TopEffect) {
        let (source, actions, sender) = (source, actions, sender)
        switch effect {
        case .sample(let query):
            Task.detached {
                do {
                    let sample = try await source.sample(query)
                    sender.yield(.event(sample.map { .sampled($0, nil) } ?? .ended(.now)))
                } catch {
                    let text = (error as? ToolFailure)?.message ?? "\(error)"
                    sender.yield(.event(.failed(text, .now)))
                }
            }
        case .pulse(let row): say { await actions.pulse(row) }
        case .highlight(let isOn, let process): say { await actions.highlight(isOn, process) }
        case .edit(let path, let line): open(path, line)
        case .export: say { await actions.export() }
        case .mark(let process): say { await actions.mark(process) }
        case .repaint:
            screen.repaint()
            frame = TopFrame(lines: [])
        case .quit: end(.quit)
        }
    }

    private func open(_ path: String, _ line: UInt32) {
        screen.close()
        isEditing = true
        Task {
            let fault = await edit(path, line)
            isEditing = false
            resume()
            if let fault { handle(.said(TopMessage(text: fault, isFault: true))) }
            if hasInput {
                hasInput = false
                readInput()
            }
        }
    }

    /// Looks for the source files below the working directory, once and beside everything else.
    private func findSources() {
        let sender = sender
        Task.detached(priority: .utility) {
            guard let root = FilePath.real(".") else { return }
            sender.yield(.event(.found(SourceFiles(below: root, limit: Self.mostEntries))))
        }
    }

    /// Entries of the working directory that are looked at for source files.
    private nonisolated static let mostEntries = 50_000

    private func say(_ action: @escaping @Sendable () async -> TopMessage) {
        let sender = sender
        Task.detached { sender.yield(.event(.said(await action()))) }
    }
}

/// Measures our own processor time between two readings.
struct CostMeter: Sendable {
    private var last: (used: Duration, at: ContinuousClock.Instant)?
    private var latest: Double?

    /// Right after a key a moment's work would look like a load.
    private static let leastWindow = Duration.milliseconds(900)

    /// The share of one core over a second or so; nil before that.
    mutating func read() -> Double? { read(used: Self.used, now: .now) }

    mutating func read(used: Duration, now: ContinuousClock.Instant) -> Double? {
        guard let last else {
            self.last = (used, now)
            return nil
        }
        guard now - last.at >= Self.leastWindow else { return latest }
        latest = (used - last.used) / (now - last.at) * 100
        self.last = (used, now)
        return latest
    }

    private static var used: Duration {
        var usage = rusage()
        // Fills the one value that it is given.
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return .zero }
        return time(usage.ru_utime) + time(usage.ru_stime)
    }

    private static func time(_ value: timeval) -> Duration {
        .seconds(value.tv_sec) + .microseconds(value.tv_usec)
    }
}
