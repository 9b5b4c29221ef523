// SPDX-License-Identifier: MIT
// Shows the progress of reading a trace, on a terminal only.

import RerenderToolBase
package import RerenderTrace

/// Shows progress in place, ten times a second at most, from half a second on.
package final class ProgressLine {
    private static let first = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(100)

    private let console: Console
    private let start = ContinuousClock.now
    private var shownAt: ContinuousClock.Instant?
    private var began: Int64?

    /// Runs work that reports its progress, and takes the line away when it is done.
    package static func during<Result>(_ work: (@escaping (TraceProgress) -> Void) throws -> Result) throws -> Result {
        let line = ProgressLine(console: .error)
        defer { line.clear() }
        return try work { line.show($0) }
    }

    private init(console: Console) { self.console = console }

    private func show(_ progress: TraceProgress) {
        guard console.isTerminal else { return }
        began = began ?? progress.nanoseconds
        let now = ContinuousClock.now
        guard now - (shownAt ?? start) >= (shownAt == nil ? Self.first : Self.pause) else { return }
        shownAt = now
        let span = DurationText.short(UInt64(max(0, progress.nanoseconds - (began ?? 0))))
        let text = "reading: \(Counted.text(progress.events, "event")), \(span) of the recording"
        // A closed terminal does not stop the work.
        try? console.stream.write("\r" + Fit.end(text, max(8, console.width - 1)) + "\u{1B}[K")
    }

    private func clear() {
        if shownAt != nil { try? console.stream.write("\r\u{1B}[K") }
    }
}
