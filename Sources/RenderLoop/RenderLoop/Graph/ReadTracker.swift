// SPDX-License-Identifier: MIT
// The reads of a body in `@Observable` models, as Observation follows them, and their names while the loop is observed.

import Observation
@_spi(Bridge) import Rerender

/// Follows the reads of one body.
///
/// Observation's public tracking cannot be ended: a body that runs again for another reason would leave a registration
/// behind. `Rerender` knows the steps of which it is made; where those do not hold, a number of our own is read along,
/// and changing it ends the registration of that evaluation.
@MainActor
struct ReadTracker {
    private var registration: Registration?
    private var named: NamedReads?
    private var fallback: Fallback?

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    ///
    /// While the loop is observed, the reason has the name of the written property, as `view` reaches it.
    ///
    /// What is followed from the evaluation before ends only when the new reads are followed: a write by the body itself,
    /// or by another thread meanwhile, invalidates. One case is lost: another thread writes a property between its first
    /// read and the end of the body. Observation has no means for that.
    mutating func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        guard ObservationLayout.isKnown else { return trackFully(node, body) }
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
        fallback?.end()
        return output
    }

    /// Ends what is followed.
    mutating func end() {
        registration?.cancel()
        registration = nil
        named?.end()
        fallback?.end()
    }

    private mutating func trackFully<Output>(_ node: Node, _ body: () -> Output) -> Output {
        let new = Fallback()
        let output = withObservationTracking {
            _ = new.number
            return body()
        } onChange: { [weak new] in
            onMainActor {
                guard let new, !new.hasEnded else { return }
                node.invalidate(EvaluationReason(.observed))
            }
        }
        fallback?.end()
        fallback = new
        named?.end()
        return output
    }

    private nonisolated static func invalidate(_ node: Node) {
        onMainActor { node.invalidate(EvaluationReason(.observed)) }
    }
}

/// The number that ends a registration when it changes.
@MainActor
@Observable
private final class Fallback {
    var number = 0
    @ObservationIgnored private(set) var hasEnded = false

    func end() {
        hasEnded = true
        number += 1
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
