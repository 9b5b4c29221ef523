// SPDX-License-Identifier: MIT
// Names the properties of `@Observable` models whose writes evaluate a body, while the loop is observed.

import Rerender

/// Follows the reads of one body as `Rerender` does for its reasons, and names the writes.
@MainActor
final class NamedReads {
    private var reads: Rerender.ObservedReads?
    private var paths = ModelPaths()

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    ///
    /// Proof of the unsafe parts: the pointer is to a value of the type, which lives, unmoved, during the call.
    func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        var found: Rerender.ObservedReads?
        let output = Rerender.ObservedReads.track(reads: &found) { [weak self] write in
            Self.invalidate(node, self, write)
        } _: {
            body()
        }
        // Those from before have told of writes until now.
        reads?.cancel()
        reads = found
        if let found {
            unsafe withUnsafePointer(to: view) { view in
                unsafe paths.update(view: UnsafeRawPointer(view), type: View.self, reads: found)
            }
        }
        return output
    }

    private nonisolated static func invalidate(_ node: Node, _ named: NamedReads?, _ write: ObservedWrite) {
        let isEarly = !MainQueue.isCurrent
        onMainActor {
            let reason = EvaluationReason(.observed, named?.name(of: write) ?? "")
            // Another thread's write is news when the value is in its place; see `ObservedReads`.
            if isEarly { node.note(reason) } else { node.invalidate(reason) }
        }
    }

    /// Ends what is followed.
    func end() {
        reads?.cancel()
        reads = nil
    }

    private func name(of write: ObservedWrite) -> String? { causeName(of: write, reads: reads, paths: paths) }
}
