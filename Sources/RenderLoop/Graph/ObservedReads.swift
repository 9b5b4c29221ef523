// SPDX-License-Identifier: MIT
// What a body read of `@Observable` models, as Observation follows it; never more than its latest evaluation.

import Observation
import Rerender

/// Follows the reads of one body.
///
/// Observation's public tracking cannot be ended: a body that runs again for another reason would leave a registration
/// behind. `Rerender` knows the steps of which it is made; where those do not hold, a number of our own is read along,
/// and changing it ends the registration.
@MainActor
struct ObservedReads {
    private var registration: Registration?
    private var named: NamedReads?
    private var fallback: Fallback?

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    ///
    /// While somebody observes, with the name of what was written, as `view` reaches it.
    mutating func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        end()
        if node.loop.isObserved, Rerender.ObservedReads.isAvailable {
            let named = named ?? NamedReads()
            self.named = named
            var list: AccessList?
            let output = AccessList.record(&list) { named.track(node, view, body) }
            registration = list?.register { _ in
            } didSet: {
                if !MainQueue.isCurrent { Self.invalidate(node) }
            }
            return output
        }
        guard ObservationLayout.isKnown else { return trackFully(node, body) }
        var list: AccessList?
        let output = AccessList.record(&list, body)
        if let list {
            // The registration keeps the node until it is unmounted, which is cheaper than a weak reference.
            // Where another thread writes, the news before the write could be evaluated before there is a new value.
            registration = list.register { _ in
                if MainQueue.isCurrent { Self.invalidate(node) }
            } didSet: {
                if !MainQueue.isCurrent { Self.invalidate(node) }
            }
        }
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
        let fallback = fallback ?? Fallback()
        self.fallback = fallback
        let current = fallback.number
        return withObservationTracking {
            _ = fallback.number
            return body()
        } onChange: { [weak fallback] in
            onMainActor {
                guard let fallback, !fallback.isEnding, fallback.number == current else { return }
                node.invalidate(EvaluationCause(.observed))
            }
        }
    }

    private nonisolated static func invalidate(_ node: Node) {
        onMainActor { node.invalidate(EvaluationCause(.observed)) }
    }
}

/// The number that ends a registration when it changes.
@MainActor
@Observable
private final class Fallback {
    var number = 0
    @ObservationIgnored var isEnding = false

    func end() {
        isEnding = true
        number += 1
        isEnding = false
    }
}
