// SPDX-License-Identifier: MIT
// The event loop of `top`: passes events to the model, performs its effects, and draws.

import Glibc
import NIOPosix
package import RerenderToolBase

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
    private var model: TopModel
    private var frame = TopFrame(lines: [])
    private var meter = CostMeter()
    private let (signals, sender) = AsyncStream.makeStream(of: Signal.self)
    private let (reads, readSender) = AsyncStream.makeStream(of: Void.self)

    /// Takes the terminal over.
    package init(session: Session, order: StatsOrder, process: String?, seconds: Double) throws {
        screen = try TopScreen(colours: Console.output.colours)
        source = TopSource(session: session)
        actions = TopActions(
            session: session,
            clipboard: Clipboard(directory: session.directory, terminal: environmentVariable("TERM") ?? ""))
        self.seconds = seconds
        model = TopModel(size: screen.measure(), look: screen.look, order: order, process: process)
        model.now = .now
    }

    /// Runs until the user quits, or a signal ends the process.
    ///
    /// A daemon that is not there is waited for, at the start, too.
    ///
    /// - Parameter pipe: The pipe of caught signals. Curses does not replace handlers that exist before it starts.
    package func run(_ pipe: CInt) async throws -> Never {
        SignalPipe.forward(pipe) { [sender] in sender.yield(.signal($0)) }
        forwardInput()
        tickForEver()
        handle(.tick(.now))
        for await signal in signals { react(to: signal) }
        end(0)
    }

    private func react(to signal: Signal) {
        switch signal {
        case .event(let event): handle(event)
        case .tick: handle(.tick(.now))
        case .input: readInput()
        case .inputOver: end(0)
        case .signal(let signal): react(to: signal.number)
        }
    }

    private func handle(_ event: TopEvent) {
        var event = event
        if case .sampled(let sample, _) = event { event = .sampled(sample, meter.read()) }
        for effect in model.take(event) { perform(effect) }
        draw()
    }

    private func draw() {
        frame = model.frame
        screen.draw(frame)
    }

    // MARK: Input

    private func readInput() {
        while let event = screen.next(in: frame) { handle(event) }
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
        default:
            screen.close()
            Disposition.die(by: signal)
        }
    }

    private func resume() {
        screen.resume()
        handle(.resized(screen.measure()))
    }

    private func end(_ status: CInt) -> Never {
        screen.close()
        exit(status)
    }

    // MARK: Effects

    private func perform(_ effect: TopEffect) {
        let (source, actions, sender) = (source, actions, sender)
        switch effect {
        case .sample(let query):
            Task.detached {
                do {
                    let sample = try await source.sample(query)
                    sender.yield(.event(.sampled(sample, nil)))
                } catch {
                    let text = (error as? ToolFailure)?.message ?? "\(error)"
                    sender.yield(.event(.failed(text, .now)))
                }
            }
        case .pulse(let row): say { await actions.pulse(row) }
        case .highlight(let isOn, let process): say { await actions.highlight(isOn, process) }
        case .copy(nil): say { await actions.copyAll() }
        case .copy(.some):
            guard let row = model.selectedRow else { return }
            say { await actions.copy(row) }
        case .reset(let process): say { await actions.reset(process) }
        case .export: say { await actions.export() }
        case .repaint: screen.repaint()
        case .quit: end(0)
        }
    }

    private func say(_ action: @escaping @Sendable () async -> TopMessage) {
        let sender = sender
        Task.detached { sender.yield(.event(.said(await action()))) }
    }
}
