// SPDX-License-Identifier: MIT
// Records until a signal, the end of the time, or the end of a command, and names the command in a file beside the trace.

import FoundationEssentials
import Glibc
package import RerenderShow

/// Records until it is told to end, or until a command has ended.
package struct RecordSession: Sendable {
    package let recording: Recording
    package let duration: Duration?
    /// Where signals come in.
    package let signals: CInt
    /// What is injected into the command; nil for nothing.
    package let injection: Injection?

    /// Does more with the directory of a trace that is complete; returns why that failed.
    package var afterwards: @Sendable (_ directory: String) async -> ToolFailure? = { _ in nil }

    package init(recording: Recording, duration: Duration?, signals: CInt, injection: Injection?) {
        (self.recording, self.duration, self.signals, self.injection) = (recording, duration, signals, injection)
    }

    /// How long the first evaluation of a command waits for the tracer; it takes a tenth of a second on a busy machine.
    private static let wait = ["RERENDER_WAIT_FOR_TRACER", "LTTNG_UST_REGISTER_TIMEOUT"]
    private static let waitMilliseconds = "10000"
    private static let clock = ContinuousClock()

    /// An app whose news a daemon takes looks for a session daemon once a second. Others are not woken for it.
    private static let lateApps =
        "started an LTTng session daemon: apps that are already running may need some seconds to find it, from their next "
        + "evaluation on; those that are not connected to a rerenderd are not recorded before their next start"

    /// Records everything until a signal comes or the time is over.
    package func record() async throws {
        let console = Console.output
        if try await begin().hasStartedDaemon { FailureText.note(Self.lateApps) }
        let began = Self.clock.now
        try? console.show(await startText())
        let (signals, deadline) = (signals, duration.map { began + $0 })
        _ = try? await BlockingThread.run { InputFile.isReadable(signals, until: deadline) }
        // A terminal shows ^C before the next line.
        if console.isTerminal { try? console.show("") }
        let summary = await RecordingEnd.of(recording, since: began).summary
        SignalPipe.release(CommandSupervisor.ending)
        try console.show(summary.lines)
        if let failure = summary.failure { throw failure }
    }

    /// Records a command, and ends as it does; with a status of its own where the command's is 0 and the recording is not
    /// complete.
    package func record(_ command: [String]) async throws -> Never {
        let names = await DebugServer.environment(of: command)
        // LTTng and the daemon at once: the command waits for both.
        let opening = Task { try await RunHost.open() }
        do {
            try await begin()
        } catch {
            try? await opening.value.close()
            throw error
        }
        let began = Self.clock.now
        let (ending, early, harvest) = try await supervised(command, names, by: opening, since: began)
        let injected = injection?.end()
        var failure: ToolFailure?
        if let early {
            failure = await early.value
        } else {
            failure = await RecordingEnd.of(recording, since: began).say()
        }
        // The trace is complete, so that a signal may end us again.
        SignalPipe.release(CommandSupervisor.ending)
        if let harvest { RecordedCommand(command, harvest).write(in: recording.directory) }
        for note in injected?.notes(isCounted: false) ?? [] { FailureText.note("rerenderctl: \(note)") }
        if failure == nil { failure = await afterwards(recording.directory) }
        if let failure, ending == .exited(0) { exit(failure.status) }
        ending.repeatIt()
    }

    /// Starts to record; LTTng may take some seconds.
    @discardableResult
    private func begin() async throws -> Recording.Start {
        let start = try await ProgressLine.during("starting to record") { _ in try await recording.begin() }
        for note in start.notes { FailureText.note(note) }
        return start
    }

    /// Runs the command. Where the recording was over before it, returns too what says how that ended.
    private func supervised(
        _ command: [String], _ names: [String: String], by opening: Task<RunHost, any Error>,
        since began: ContinuousClock.Instant
    ) async throws -> (ProcessEnding, early: Task<ToolFailure?, Never>?, RunHost.Harvest?) {
        do {
            let host = try await opening.value
            do {
                if let signal = CommandSupervisor.endingSignal(in: signals) { throw Interrupted(signal: signal) }
                let timer = timer(since: began)
                // No signal may end us before the recording is ended: that takes a moment only.
                let ending = try await CommandSupervisor(cleanUp: nil).run(
                    command, environment: try environment(host, names), signals: signals)
                timer?.end.cancel()
                let isOver = await timer?.end.value != nil
                if !isOver { await host.settle() }
                let harvest = try? await host.collect()
                await host.close()
                return (ending, isOver ? timer?.said : nil, harvest)
            } catch {
                await host.close()
                throw error
            }
        } catch {
            injection?.abandon()
            await recording.discard()
            if let interrupt = error as? Interrupted { Disposition.die(by: interrupt.signal) }
            throw error
        }
    }

    /// What ends a recording before its command, with nil where that was cancelled, and what then says how it ended.
    private func timer(
        since began: ContinuousClock.Instant
    ) -> (end: Task<RecordingEnd?, Never>, said: Task<ToolFailure?, Never>)? {
        guard let duration else { return nil }
        let end = Task<RecordingEnd?, Never> {
            guard (try? await Task.sleep(until: began + duration)) != nil else { return nil }
            // Apart, because a recording that is being ended must not be cancelled in the middle.
            return await Task { await RecordingEnd.of(recording, since: began) }.value
        }
        return (end, Task { await end.value?.say() })
    }

    /// A signal that came before the command started.
    private struct Interrupted: Error {
        let signal: CInt
    }

    private func environment(_ host: RunHost, _ names: [String: String]) throws(ToolFailure) -> [[UInt8]] {
        var values = names
        for variable in Self.wait where environmentVariable(variable) == nil {
            values[variable] = "\(Self.waitMilliseconds)"
        }
        return try host.environment(with: values, injection: injection)
    }

    private func startText() async -> [String] {
        let end = duration.map { "for \(DurationText.short($0.wholeNanoseconds))" }
        let what = recording.commands.isSnapshot ? "keeping the latest events in memory" : "recording"
        let text = ["\(what)\(end.map { " " + $0 } ?? "") (Ctrl-C ends it)"]
        // A command's private daemon counts, too: its hangs are recorded like any other.
        let off = SwitchState.place.map { SwitchState.notice($0) } ?? []
        let isWatched = await (try? Session.current())?.health() != nil
        return off + (isWatched ? text : text + ["hangs are not recorded because rerenderd is not running"])
    }
}

/// The command that was recorded, in a file beside its trace.
package struct RecordedCommand: Codable, Hashable, Sendable {
    /// The file's name in the directory of the recording.
    static let fileName = "rerender-command.json"
    /// The most that is read of it.
    private static let largest = 1 << 20

    /// A process of the command.
    struct Process: Codable, Hashable, Sendable {
        var pid: Int32
        var name: String
    }

    var version = 1
    /// The command as it was started.
    var command: [String]
    /// Its processes that a view was counted in; empty where none was.
    var processes: [Process]

    /// The numbers of its processes.
    package var pids: Set<Int32> { Set(processes.map(\.pid)) }

    /// What they are called, by their numbers.
    package var names: [Int32: String] { Dictionary(processes.map { ($0.pid, $0.name) }) { first, _ in first } }

    /// What was started, for people.
    package var title: String { Printable.text(command.first ?? "") }

    /// The processes that a daemon learned of while the command ran.
    init(_ command: [String], _ harvest: RunHost.Harvest) {
        let all = Set(harvest.export.processes.map { Process(pid: $0.pid, name: $0.name) })
        (self.command, processes) = (command, all.sorted { $0.pid < $1.pid })
    }

    /// Writes it beside the trace, for the user alone: arguments may be secrets. A report shows all processes where that fails.
    func write(in directory: String) {
        guard let text = try? StatsExport.encoder().encode(self) else { return }
        try? AtomicFile.write(Array(text), to: "\(directory)/\(Self.fileName)", mode: 0o600)
    }

    /// Reads it; nil where a recording has none, as one of all apps, or none that can be read.
    package static func read(in directory: String) -> RecordedCommand? {
        let path = "\(directory)/\(fileName)"
        guard FilePath.kind(path) == S_IFREG else { return nil }
        let fault = { (number: CInt) in ToolFailure(ExitStatus.unreadable, SystemText.of(number)) }
        var text: [UInt8] = []
        do {
            try InputFile.read(path, fault: fault) { piece throws(ToolFailure) in
                guard text.count + piece.count <= largest else { throw fault(EFBIG) }
                text += piece
            }
        } catch {
            return nil
        }
        let read = try? JSONDecoder().decode(RecordedCommand.self, from: Data(text))
        return read?.version == 1 ? read : nil
    }
}
