// SPDX-License-Identifier: MIT
// The reads of a body in `@Observable` models, as Observation follows them, and their names while the loop is observed.

import Observation
@_spi(Bridge) import Rerender

/// Follows the reads of one body.
///
/// Observation's public tracking cannot be ended: a body that runs again for another reason leaves a registration
/// behind, which evaluates it once more. `Rerender` knows its steps; only where those do not hold, the public
/// one is used.
@MainActor
struct ReadTracker {
    private var registration: Registration?
    private var named: NamedReads?

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    ///
    /// While the loop is observed, the reason has the name of the written property, as `view` reaches it.
    ///
    /// What is followed from the evaluation before ends only when the new reads are followed: a write by the body itself,
    /// or by another thread meanwhile, invalidates. One case is lost: another thread writes a property between its first
    /// read and the end of the body. Observation has no means for that.
    mutating func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        guard ObservationLayout.isKnown else { return trackPublicly(node, body) }
        let names = node.graph.isObserved ? named ?? NamedReads() : nil
        var list: AccessList?
        let output = AccessList.record(&list) {
            if let names { names.track(node, view, body) } else { body() }
        }
        let isNamed = names != nil
        // The registration keeps the node until it is unmounted, which is cheaper than a weak reference.
        // Where another thread writes, the news before the write could be evaluated before there is a new value.
        let new = list?.register { _ in
            guard MainQueue.isCurrent else { return true }
            if !isNamed { Self.invalidate(node) }
            return false
        } didSet: {
            Self.invalidate(node)
        }
        registration?.cancel()
        registration = new
        if isNamed { named = names } else { named?.end() }
        return output
    }

    /// Ends what is followed.
    mutating func end() {
        registration?.cancel()
        registration = nil
        named?.end()
    }

    private func trackPublicly<Output>(_ node: Node, _ body: () -> Output) -> Output {
        withObservationTracking {
            body()
        } onChange: { [weak node] in
            onMainActor {
                if let node, node.isMounted { node.invalidate(EvaluationReason(.observed)) }
            }
        }
    }

    private nonisolated static func invalidate(_ node: Node) {
        onMainActor { node.invalidate(EvaluationReason(.observed)) }
    }
}

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
