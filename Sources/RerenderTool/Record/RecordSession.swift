// SPDX-License-Identifier: MIT
// What goes on while it is recorded: waiting for the end, or running a command.

import Glibc
import NIOPosix
import RerenderModel

/// Records until it is told to end, or until a command has ended.
struct RecordSession: Sendable {
    let recording: Recording
    let duration: Duration?
    /// Where signals come in.
    let signals: CInt

    /// How long the first evaluation of a command waits for the tracer; it takes a tenth of a second on a busy machine.
    private static let wait = ["RERENDER_WAIT_FOR_TRACER", "LTTNG_UST_REGISTER_TIMEOUT"]
    private static let waitMilliseconds = "10000"
    private static let clock = ContinuousClock()

    /// Records everything until a signal comes or the time is over.
    func record() async throws {
        let console = Console.output
        for line in try await recording.begin() { FailureText.note(line) }
        let began = Self.clock.now
        try? console.show(await startText())
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let (signals, deadline) = (signals, duration.map { began + $0 })
        _ = try? await pool.runIfActive { SignalPipe.hasNext(signals, until: deadline) }
        // A terminal shows ^C before the next line.
        if console.isTerminal { try? console.show("") }
        let summary = try await conclude(since: began)
        try console.show(summary.lines)
    }

    /// Records a command, and ends as it does.
    func record(_ command: [String]) async throws -> Never {
        for line in try await recording.begin() { FailureText.note(line) }
        let began = Self.clock.now
        let (ending, isOver) = try await supervised(command, since: began)
        if !isOver { await concludeAside(since: began) }
        ending.repeatIt()
    }

    /// Runs the command; says too whether the recording was over before it.
    private func supervised(
        _ command: [String], since began: ContinuousClock.Instant
    ) async throws -> (ProcessEnding, isOver: Bool) {
        do {
            let host = try await RunHost.open()
            do {
                if let signal = CommandSupervisor.endingSignal(in: signals) { throw Interrupted(signal: signal) }
                let timer = timer(since: began)
                // No signal may end us before the recording is ended: that takes a moment only.
                let ending = try await CommandSupervisor(cleanUp: nil).run(
                    command, environment: environment(host), signals: signals)
                timer?.cancel()
                let isOver = await timer?.value ?? false
                if !isOver { await host.settle() }
                await host.close()
                return (ending, isOver)
            } catch {
                await host.close()
                throw error
            }
        } catch {
            await recording.discard()
            if let interrupt = error as? Interrupted { Disposition.die(by: interrupt.signal) }
            throw error
        }
    }

    /// Ends the recording when its time is over; true when it did.
    private func timer(since began: ContinuousClock.Instant) -> Task<Bool, Never>? {
        guard let duration else { return nil }
        return Task {
            guard (try? await Task.sleep(until: began + duration)) != nil else { return false }
            // Apart, because a recording that is being ended must not be cancelled in the middle.
            await Task { await concludeAside(since: began) }.value
            return true
        }
    }

    /// A signal that came before the command started.
    private struct Interrupted: Error {
        let signal: CInt
    }

    private func environment(_ host: RunHost) -> [String] {
        let unset = Self.wait.filter { environmentVariable($0) == nil }
        return host.environment(with: Dictionary(uniqueKeysWithValues: unset.map { ($0, "\(Self.waitMilliseconds)") }))
    }

    // MARK: The end

    private func conclude(since began: ContinuousClock.Instant) async throws -> RecordingSummary {
        let time = began.duration(to: Self.clock.now)
        let outcome = try await recording.end()
        var content: TraceContent?
        if let directory = outcome.directory { content = await TraceContent.of(directory) }
        return RecordingSummary(
            recipe: recording.recipe, outcome: outcome, content: content,
            nanoseconds: Self.nanoseconds(time), host: HostName.current)
    }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        let parts = duration.components
        return UInt64(clamping: parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
    }

    /// Says how it ended on standard error; what goes wrong here changes nothing of how the command ends.
    private func concludeAside(since began: ContinuousClock.Instant) async {
        do {
            for line in try await conclude(since: began).lines { FailureText.note(line) }
        } catch {
            FailureText.show(error as? ToolFailure ?? ToolFailure(ExitStatus.software, "\(error)"))
        }
    }

    private func startText() async -> [String] {
        let end = duration.map { "for \(DurationText.short(Self.nanoseconds($0)))" }
        let what = recording.recipe.isSnapshot ? "keeping the latest events in memory" : "recording"
        let text = ["\(what)\(end.map { " " + $0 } ?? "") (Ctrl-C ends it)"]
        // That of a command counts, too: what it says of its hangs is recorded as everybody's is.
        let isWatched = await (try? Session.current())?.health() != nil
        return isWatched ? text : text + ["no rerenderd runs, so hangs are not recorded"]
    }
}

/// This machine.
enum HostName {
    static var current: String {
        // gethostname() fills our own buffer and ends with a zero, which is kept as the buffer's last.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 257) { buffer in
            unsafe buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress, unsafe gethostname(start, 256) == 0 else { return "HOST" }
            return unsafe String(cString: start)
        }
    }
}
