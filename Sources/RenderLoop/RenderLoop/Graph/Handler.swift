// SPDX-License-Identifier: MIT
// What runs after the evaluation, in the same turn.

/// A reaction to an evaluation: runs in the handlers phase, at most twice a turn.
///
/// A node that reacts owns one for each reaction and schedules it while it is mounted, updated, laid out or unmounted.
@MainActor
final class Handler {
    /// How events name it.
    let reference: HandlerReference
    private weak let graph: ViewGraph?
    /// The node that owns it, and schedules it for as long as it is there.
    private unowned let node: Node
    private var turn: UInt64 = 0
    private var left: Int8 = 0
    private var hasWarned = false

    /// How many runs a handler has in a turn. SwiftUI's own limit.
    private static let runsPerTurn: Int8 = 2

    /// Makes a handler of a node; the kind is what a developer knows it by, such as `onAppear`.
    init(_ kind: String, of node: Node) {
        // The view that a reader knows is the one whose body has the modifier.
        reference = HandlerReference(kind: kind, view: (node.author ?? node).reference)
        graph = node.graph
        self.node = node
    }

    /// Has the action run in the handlers phase of this turn, after those that were scheduled before.
    ///
    /// What the action changes on the screen is the doing of `causes`, or of whoever gave the node its values.
    func schedule(causes: [Node]? = nil, _ action: @escaping @MainActor () -> Void) {
        guard let graph else { return }
        var found: [Node] = []
        if graph.probeOffers > 0 { found = causes ?? node.holder.map { [$0] } ?? [] }
        // Now, because the node may be gone when the action runs.
        guard let probe = (node.author ?? node).nearestProbe else { return graph.schedule(self, causes: found, action) }
        let event = HandledEvent(kind: reference.kind, preposition: "of", isReaction: true)
        graph.schedule(self, causes: found) { [reference] in probe.handling(event, of: reference.view, action) }
    }

    /// Whether it may run; warns if not, once.
    func admit(in turn: UInt64) -> Bool {
        if self.turn != turn {
            self.turn = turn
            left = Self.runsPerTurn
        }
        left -= 1
        if left >= 0 { return true }
        if !hasWarned { graph?.warn(.updatedMultipleTimesPerFrame(reference)) }
        hasWarned = true
        return false
    }
}
