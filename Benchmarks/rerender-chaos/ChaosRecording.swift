// SPDX-License-Identifier: MIT
// What LTTng recorded of an app, compared with the app's own counter.

import TestSupport

/// The evaluations of one app in a trace. Each has the number that it is of its view, so that none is taken for two.
struct ChaosRecording: Sendable {
    /// Whether LTTng lived until the trace was written: then all must be in it, or have been discarded.
    let isWhole: Bool
    /// Whether there is a trace that can be read.
    private(set) var isReadable = false
    private(set) var recorded: UInt64 = 0
    /// Events that LTTng says it had no room for.
    private(set) var discarded: UInt64 = 0
    /// Evaluations that are in the trace more than once.
    private var repeated: UInt64 = 0

    /// Reads a trace with babeltrace2.
    init(_ directory: String, of pid: Int32, isWhole: Bool) async throws {
        self.isWhole = isWhole
        let output = try await ChildProcess.run([ChildProcess.installed("babeltrace2"), directory], seconds: 300)
        guard output.succeeded else { return }
        isReadable = true
        var views: [String: (first: UInt64, last: UInt64, count: UInt64)] = [:]
        for line in output.standardOutput.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let event = LTTngTrace.parse(Array(line)), event.name == "com.rerender.BodyEval:end",
                event.integer("vpid") == UInt64(pid), let view = event.text("name"),
                let number = event.integer("count")
            else { continue }
            let known = views[view] ?? (number, number, 0)
            views[view] = (min(known.first, number), max(known.last, number), known.count + 1)
        }
        for view in views.values {
            recorded += view.count
            repeated += view.count - min(view.count, view.last - view.first + 1)
        }
        discarded = output.standardError.matches(of: /discarded ([0-9]+) event/)
            .reduce(0) { $0 + (UInt64($1.1) ?? 0) }
    }

    /// Evaluations that the trace has and that never were, or that it should have and that LTTng did not discard.
    func unaccounted(begun: UInt64, ended: UInt64) -> UInt64 {
        let excess = repeated + (recorded > begun ? recorded - begun : 0)
        guard isWhole else { return excess }
        let missing = recorded < ended ? ended - recorded : 0
        return excess + missing - min(missing, discarded)
    }
}

extension ChaosRecording: CustomStringConvertible {
    var description: String {
        isReadable
            ? "LTTng recorded \(recorded), and discarded at most \(discarded)"
            : "LTTng left no trace that can be read"
    }
}
