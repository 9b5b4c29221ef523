// SPDX-License-Identifier: MIT
// Says on standard error that work takes long.

import Synchronization

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
        let text = ASCIIText.isUTF8 { environmentVariable($0) } ? state.text : ASCIIText.of(state.text)
        if isTerminal {
            try? output.write("\r" + Fit.end("\(text) …", max(8, width - 1)) + "\u{1B}[K")
        } else {
            try? output.write("rerenderctl: \(text)\n")
        }
    }
}
