// SPDX-License-Identifier: MIT
// Runs `rerenderctl hangs --capture`, which saves the seconds around each hang as a trace.

import Glibc
import RerenderDaemon
package import RerenderShow

/// Switches the flight recorder on and off and tells of it.
///
/// An LTTng session keeps the last events in memory; a trigger writes them to disk when the daemon's `Hang:begin` comes.
package struct FlightRecorder: Sendable {
    let captures: HangCaptures
    package let commands: FlightRecorderCommands
    package let daemon: SessionDaemon
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
                ExitStatus.system, "LTTng refused.\nTry: lttng destroy \(HangCaptures.session)")
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

    private func state() async throws(ToolFailure) -> FlightRecorderState { try await FlightRecorderState.read(lttng) }

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
