// SPDX-License-Identifier: MIT
// Marks in the trace: `com.rerender.Mark:event`.

import Signpost

/// The provider `com.rerender.Mark`: one of the process, even if several daemons run in it.
enum MarkSignposts {
    private static let signposter = Signposter(subsystem: "com.rerender", category: "Mark")

    /// Makes the provider. Waits for nothing: the tracer is loaded on a thread of its own.
    static func load() {
        _ = signposter
    }

    /// Emits a mark, whose name is the event's message.
    static func emit(_ name: String) { signposter.emitEvent("mark", name) }
}
