// SPDX-License-Identifier: MIT
// Standard output and standard error with their width and colours, failures and notes, and the line that shows progress.

import RerenderModel
import Synchronization

/// An output and its abilities.
package struct Console: Sendable {
    package let stream: OutputStream
    package let isTerminal: Bool

    package static let output = Console(.standardOutput)
    package static let error = Console(.standardError)

    private init(_ stream: OutputStream) {
        self.stream = stream
        self.isTerminal = stream.isTerminal
    }

    /// Whether text has colours.
    ///
    /// `NO_COLOR` decides, then `FORCE_COLOR`, if they have a value; else a terminal that is not `dumb` has some.
    package var colours: Bool {
        func has(_ name: String) -> Bool { environmentVariable(name)?.isEmpty == false }
        if has("NO_COLOR") { return false }
        if has("FORCE_COLOR") { return true }
        return isTerminal && environmentVariable("TERM") ?? "dumb" != "dumb"
    }

    /// Columns to break sentences for.
    package var width: Int { TerminalSize.of(stream).columns }

    /// Columns to fit tables into. Off a terminal there is no limit but that of ``Table``, unless `COLUMNS` says one.
    package var tableWidth: Int {
        isTerminal ? width : TerminalSize.of(stream, columns: TerminalSize.unlimitedColumns).columns
    }

    package func show(_ lines: [String]) throws { try stream.write(lines.map { $0 + "\n" }.joined()) }

    /// Writes one line.
    package func show(_ line: String) throws {
        try show([line])
    }

    /// Writes sentences as lines that fit.
    package func say(_ text: String) throws {
        try show(Wrap.lines(text, width: width))
    }
}

/// Failures on standard error.
package enum FailureText {
    /// Writes what happened and what to do. A failed write is ignored: the exit status stays.
    ///
    /// Broken into lines for a terminal alone, and no path or command within a word: they are there to be copied.
    package static func show(_ failure: ToolFailure) {
        note("rerenderctl: \(failure.message)")
    }

    /// Writes a note beside the output of a command.
    package static func note(_ text: String) {
        let console = Console.error
        try? console.show(console.isTerminal ? Wrap.text(text, width: console.width, cutting: false) : [text])
    }
}

/// Says what goes on, once it has gone on for a second: on a terminal in a line that the end of the work erases, elsewhere in one plain line.
package final class ProgressLine: Sendable {
    private struct State {
        var text: String
        var shownAt: ContinuousClock.Instant?
        var isOver = false
    }

    private static let first = Duration.seconds(1)
    private static let pause = Duration.milliseconds(100)

    private let state: Mutex<State>
    private let output: OutputStream
    private let isTerminal: Bool
    /// Columns of a terminal.
    private let width: Int

    /// Runs work. `text` says what it does: `reading trace`.
    package static func during<Result>(
        _ text: String, on console: Console = .error, _ work: (ProgressLine) async throws -> Result
    ) async rethrows -> Result {
        let line = ProgressLine(text, console)
        let timer = line.timer()
        defer { line.end(timer) }
        return try await work(line)
    }

    /// Runs work that does not let go of its thread.
    package static func during<Result>(
        _ text: String, on console: Console = .error, _ work: (ProgressLine) throws -> Result
    ) rethrows -> Result {
        let line = ProgressLine(text, console)
        let timer = line.timer()
        defer { line.end(timer) }
        return try work(line)
    }

    private init(_ text: String, _ console: Console) {
        state = Mutex(State(text: text))
        (output, isTerminal, width) = (console.stream, console.isTerminal, console.width)
    }

    /// Says how far the work is, where there is a terminal; ten times a second at most.
    package func show(_ text: @autoclosure () -> String) {
        guard isTerminal else { return }
        state.withLock { state in
            guard let shownAt = state.shownAt, ContinuousClock.now - shownAt >= Self.pause else { return }
            state.text = text()
            write(&state)
        }
    }

    private func timer() -> Task<Void, Never> {
        Task.detached { [self] in
            guard (try? await Task.sleep(for: Self.first)) != nil else { return }
            state.withLock { if !$0.isOver { write(&$0) } }
        }
    }

    /// Takes the line away; nothing comes after that.
    private func end(_ timer: Task<Void, Never>) {
        timer.cancel()
        state.withLock { state in
            state.isOver = true
            if isTerminal, state.shownAt != nil { try? output.write("\r\u{1B}[K") }
        }
    }

    /// A closed terminal does not stop the work.
    private func write(_ state: inout State) {
        state.shownAt = .now
        if isTerminal {
            try? output.write("\r" + Fit.end("\(state.text) …", max(8, width - 1)) + "\u{1B}[K")
        } else {
            try? output.write("rerenderctl: \(state.text)\n")
        }
    }
}
