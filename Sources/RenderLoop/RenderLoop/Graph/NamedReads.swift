// SPDX-License-Identifier: MIT
// Names the properties of `@Observable` models whose writes evaluate a body, while the loop is observed.

@_spi(Bridge) import Rerender

/// Follows the reads of one body as `Rerender` does for its reasons, and names the writes.
@MainActor
final class NamedReads {
    private let names = WriteNames()

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        names.track(view) { [weak self] write in
            Self.invalidate(node, self, write)
        } _: {
            body()
        }
    }

    private nonisolated static func invalidate(_ node: Node, _ named: NamedReads?, _ write: ObservedWrite) {
        let isEarly = !MainQueue.isCurrent
        onMainActor {
            let reason = EvaluationReason(.observed, named?.names.name(of: write) ?? "")
            // Another thread's write is news when the value is in its place.
            if isEarly { node.note(reason) } else { node.invalidate(reason) }
        }
    }

    /// Ends what is followed.
    func end() { names.end() }
}
