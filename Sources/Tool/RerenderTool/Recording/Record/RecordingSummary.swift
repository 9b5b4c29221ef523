// SPDX-License-Identifier: MIT
// The last lines of `rerenderctl record`.

import FoundationEssentials
import Glibc
import RerenderModel
import RerenderShow
import RerenderTrace

/// The last lines of `rerenderctl record`. Pure.
struct RecordingSummary: Hashable, Sendable {
    var commands: RecordingCommands
    var outcome: Recording.Outcome
    /// Whether the disk of the trace has no room left.
    var isDiskFull = false
    var nanoseconds: UInt64

    private var content: TraceContent { outcome.content }

    /// What the recording left, for a person.
    var lines: [String] {
        [first, lost, hint, outcome.note, next].compactMap(\.self) + traceCompass
    }

    /// Why the recording is not complete; nil where it is.
    var failure: ToolFailure? {
        var reasons: [String] = []
        if isDiskFull {
            reasons.append("the disk of \(Printable.text(outcome.directory)) is full: the trace may lack its end.")
        }
        if let refusal = outcome.refusal { reasons.append(refusal) }
        if reasons.isEmpty, !isReadable { reasons.append("its trace cannot be read.") }
        guard let first = reasons.first else { return nil }
        let advice = isDiskFull ? ["Free some room, or choose another place: --output DIR"] : []
        return ToolFailure(
            ExitStatus.incompleteRecording,
            (["the recording is not complete: \(first)"] + reasons.dropFirst() + advice).joined(separator: "\n"))
    }

    private var first: String {
        let start = commands.isSnapshot ? "saved the latest of " : "recorded "
        let time = start + DurationText.short(nanoseconds)
        let size = ByteText.short(content.bytes)
        return "\(time): \(Self.text(content.events)), \(size), in \(Printable.text(outcome.directory))"
    }

    private static func text(_ events: TraceContent.Events) -> String {
        switch events {
        case .counted(let count): Counted.text(count, "event")
        case .more(let count): "more than \(Counted.text(count, "event"))"
        case .unknown(let why): "events not counted (\(why))"
        case .unreadable(let why): "nothing of it can be read (\(why))"
        }
    }

    private var isEmpty: Bool { content.events == .counted(0) }

    private var isReadable: Bool { if case .unreadable = content.events { false } else { true } }

    private var lost: String? {
        guard let lost = outcome.lost, lost > 0 else {
            // Of an incomplete trace nobody knows.
            return failure != nil ? nil : commands.isSnapshot ? "older events were dropped" : "no event was lost"
        }
        return "\(Counted.text(lost, "event was", "events were")) lost: they came faster than they were "
            + "written (buffers of \(commands.bufferText))"
    }

    private var hint: String? {
        guard isEmpty, failure == nil else { return nil }
        return "no instrumented app was running, or LTTng could not see it. See: rerenderctl doctor"
    }

    private var next: String? {
        isEmpty || !isReadable
            ? nil : "Next: \("rerenderctl report \(.path(outcome.directory))" as ShellCommand)"
    }

    /// What Trace Compass opens: it refuses the directory.
    private var traceCompass: [String] {
        guard let first = content.metadata.first, !isEmpty, isReadable else { return [] }
        let more = content.metadata.count - 1
        let others = more > 0 ? " (and \(more) more: one for each user)" : ""
        return ["In Trace Compass: File > Open Trace: \(Printable.text(first))\(others)"]
    }
}

// What is shown of a recording whose command had no process that was counted: no other process in its place.

extension RecordedCommand {
    /// Whether no process of the command was counted.
    var isUncounted: Bool { processes.isEmpty }

    /// That none was counted, and what else the recording has; a sentence.
    ///
    /// - Parameter others: How many other processes it has.
    func uncounted(others: Int) -> String {
        let what = "No process of \(title) was counted in this recording"
        if others == 0 { return "\(what)." }
        return "\(what); --all shows the \(others == 1 ? "other one" : "\(Counted.grouped(others)) others")."
    }

    /// What stands before the start of a command that `run` would inject into by itself; nil for any other one.
    static func advice(before command: [String]) -> String? {
        guard let program = command.first, let file = ProgramFile.started(by: program),
            InjectionOffer.isCountable(file),
            InjectionOffer.canBeAsked(of: file, place: InjectionLibraries.ofThisProgram)
        else { return nil }
        return advice(on: program)
    }

    /// What it says of a program.
    static func advice(on program: String) -> String {
        let inject: ShellCommand = "rerenderctl record --inject -- \(.path(program))"
        return "record counts what \(Printable.text(program)) itself says; to inject, run: \(inject)"
    }
}

extension TraceReport {
    /// How many processes it has that were counted.
    var counted: Int { Set(export.processes.map(\.pid)).count }

    /// Leaves no process in its figures.
    mutating func leaveNone() {
        (export.processes, hangs, causes) = ([], [], [])
        export.verdict = VerdictBuilder.verdict(of: [], .recording)
    }
}
