// SPDX-License-Identifier: MIT
// The flight recorder, which saves the seconds around each hang as a trace: its switch, its state, and its session and trigger.

import Glibc
import RerenderDaemon
package import RerenderShow
import RerenderTrace

/// Switches the flight recorder on and off and tells of it.
///
/// An LTTng session keeps the last events in memory; a trigger writes them to disk when the daemon's `Hang:begin` comes.
package struct FlightRecorder: Sendable {
    let captures: HangCaptures
    package let commands: FlightRecorderCommands
    package var daemon: SessionDaemon
    let lttng: LTTng

    init(
        captures: HangCaptures, processors: Int, pidFile: String,
        run: @escaping @Sendable ([String]) async -> CapturedOutput?
    ) {
        (self.captures, lttng) = (captures, LTTng(run: run))
        daemon = SessionDaemon(pidFile: pidFile, run: lttng.output)
        commands = FlightRecorderCommands(directory: captures.directory, processors: processors)
    }

    /// The one of this user; throws status 71 without a home.
    package static func current() throws(ToolFailure) -> FlightRecorder {
        guard let captures = HangCaptures.current() else {
            throw ToolFailure(ExitStatus.system, "no directory for traces: HOME is not set.")
        }
        let processors = Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))
        return FlightRecorder(
            captures: captures, processors: processors, pidFile: SessionDaemon.usualPidFile, run: LTTng.installed.run)
    }

    /// Switches it on, and returns lines about what it records. Does nothing if it is on.
    package func on() async throws(ToolFailure) -> [String] {
        let state = try await stateOfInstalled()
        if state.isOn { return ["the flight recorder was already on"] + places() }
        if state.isAnything { await undo() }
        try Directory.make(captures.directory)
        if !state.hasDaemon { try await daemon.start() }
        do {
            try await lttng.load(commands.configuration)
            try await lttng.command(commands.trigger)
        } catch {
            await undo()
            await daemon.end()
            throw ToolFailure(error.status, error.message + "\nThe flight recorder is off.")
        }
        return ["the flight recorder is on: \(commands.text)"] + places()
    }

    /// Switches it off. Saved traces stay. Does nothing if it is off.
    package func off() async throws(ToolFailure) -> [String] {
        let wasOn = try await stateOfInstalled().isAnything
        await undo()
        guard try await !state().isAnything else {
            throw ToolFailure(
                ExitStatus.system, "LTTng refused.\nTry: \("lttng destroy \(HangCaptures.session)" as ShellCommand)")
        }
        let note = await daemon.end()
        let state = wasOn ? "the flight recorder is off" : "the flight recorder was already off"
        return [state] + saved() + [note].compactMap(\.self)
    }

    /// Says whether it is on, and what was saved.
    package func status() async throws(ToolFailure) -> [String] {
        let state = try await state()
        let text =
            if state.isOn {
                "on: \(commands.text)"
            } else if state.isAnything {
                "only partly on; run: rerenderctl hangs --capture on"
            } else {
                "off"
            }
        return ["the flight recorder is \(text)"] + (state.isOn ? places() : saved())
    }

    // MARK: LTTng

    private func state() async throws(ToolFailure) -> FlightRecorderState {
        try await FlightRecorderState.read(lttng, daemon)
    }

    /// The same; throws status 69 where LTTng is not installed.
    private func stateOfInstalled() async throws(ToolFailure) -> FlightRecorderState {
        let state = try await state()
        guard state.isInstalled else { throw LTTng.missing("the flight recorder needs LTTng, but it is") }
        return state
    }

    private func undo() async {
        for command in FlightRecorderCommands.off { _ = await lttng.run(command) }
    }

    // MARK: Text

    private func places() -> [String] {
        let least = "\(HangCaptures.kept) traces and \(HangCaptures.keptBytes >> 20) MiB at most"
        return ["each hang is saved in \(Printable.text(captures.directory)), the newest \(least)"] + saved()
    }

    private func saved() -> [String] {
        let snapshots = captures.snapshots()
        guard let newest = snapshots.last else { return [] }
        let bytes = snapshots.reduce(UInt64(0)) { $0 + $1.bytes }
        return [
            "\(Counted.text(snapshots.count, "trace")) saved, \(Counted.grouped(bytes >> 20)) MiB; the newest is "
                + Printable.text(newest.path)
        ]
    }
}

/// Which parts of the flight recorder are there.
struct FlightRecorderState: Hashable, Sendable {
    /// Whether there is an `lttng` to ask.
    var isInstalled = true
    /// Whether a session daemon answers.
    var hasDaemon = false
    var hasSession = false
    var hasTrigger = false

    var isOn: Bool { hasSession && hasTrigger }
    var isAnything: Bool { hasSession || hasTrigger }

    /// Asks LTTng; throws status 71 where it gives no answer, because then nothing is known.
    ///
    /// Without a session daemon LTTng refuses, in other words from release to release. Whether one runs is asked after that: one that ends
    /// between two questions is gone.
    static func read(_ lttng: LTTng, _ daemon: SessionDaemon) async throws(ToolFailure) -> FlightRecorderState {
        var isListed: [Bool] = []
        for command in [LTTngSession.list, LTTngSession.listTriggers] {
            guard let result = await lttng.run(command) else { return FlightRecorderState(isInstalled: false) }
            if !result.succeeded, result.ending != .killed(by: SIGKILL), await !daemon.isThere() {
                return FlightRecorderState()
            }
            isListed.append(FlightRecorderCommands.isListed(in: try output(of: result, command)))
        }
        return FlightRecorderState(hasDaemon: true, hasSession: isListed[0], hasTrigger: isListed[1])
    }

    /// A list.
    private static func output(of result: CapturedOutput, _ command: [String]) throws(ToolFailure) -> String {
        if result.succeeded { return result.output }
        let refusal = LTTng.text(of: command, result).split(separator: "\n").first.map { String($0) }
        let what = result.ending == .killed(by: SIGKILL) ? "LTTng did not answer" : refusal ?? "LTTng refused"
        throw ToolFailure(
            ExitStatus.system,
            "\(what); it is unknown whether the flight recorder is on.\nTry again, or see why: lttng list")
    }
}

/// What is recorded, in which buffers, and what saves it. Pure.
package struct FlightRecorderCommands: Hashable, Sendable {
    /// Where snapshots are written.
    var directory: String
    /// Processors: LTTng has buffers for each.
    var processors: Int

    /// What the buffers may take in all: shared memory; a container often has 64 MiB of it.
    static let bufferBytes = 32 << 20
    /// The most for one processor: some seconds of 10,000 evaluations a second, 120 bytes a pair of events and more.
    static let mostBytes = 8 << 20
    /// The least: LTTng drops whole parts of a buffer, so it has many small ones.
    static let leastBytes = 512 << 10
    static let parts = 16
    /// What an evaluation takes in a trace: two events with names, reason and contexts.
    static let evaluationBytes = 250

    /// A buffer for one processor: a power of two, as LTTng wants it.
    var bytesPerProcessor: Int { Self.bytes(processors: processors) }

    static func bytes(processors: Int) -> Int {
        var bytes = mostBytes
        while bytes > leastBytes, bytes * max(1, processors) > bufferBytes { bytes /= 2 }
        return bytes
    }

    /// How much that is, for a person.
    package var text: String {
        let evaluations = bytesPerProcessor / Self.evaluationBytes
        return "\(bytesPerProcessor >> 10) KiB of memory for each of \(max(1, processors)) processors: "
            + "about the last \(Counted.grouped(evaluations)) evaluations, \(evaluations / 1_000) s at 1,000 a second"
    }

    private static let session = LTTngSession(name: HangCaptures.session)
    /// The events that explain a hang. `Hang` comes from the daemon, the others from apps.
    private static let events = ["BodyEval", "RenderLoop", "Write", "Hang"].map {
        LTTngConfiguration.Rule(name: "com.rerender.\($0):*")
    }

    /// What makes and starts the session.
    var configuration: LTTngConfiguration {
        LTTngConfiguration(
            session: Self.session, url: "file://" + directory, isSnapshot: true, bytes: bytesPerProcessor,
            parts: Self.parts, rules: Self.events)
    }

    /// What saves it at each hang, once the session is there.
    var trigger: [String] {
        let name = Self.session.name
        return LTTngSession.lttng()
            + [
                "add-trigger", "--name=\(name)", "--condition=event-rule-matches", "--type=user:tracepoint",
                "--name=com.rerender.Hang:begin", "--action=snapshot-session", name, "--path=\(directory)",
                "--max-size=\(HangCaptures.snapshotBytes)",
            ]
    }

    /// What undoes it; each may fail, where its part is missing.
    static let off: [[String]] = [LTTngSession.lttng("remove-trigger", session.name), session.destroy]

    /// Whether a list names our session or trigger.
    static func isListed(in xml: String) -> Bool { xml.contains("<name>\(session.name)</name>") }
}
