// SPDX-License-Identifier: MIT
// What runs after the evaluation, in the same turn.

/// A reaction to an evaluation: runs in the handlers phase, at most twice a turn.
///
/// A node that reacts owns one for each reaction and schedules it while it is mounted, updated, laid out or unmounted.
@MainActor
public final class Handler {
    /// How events name it.
    public let reference: HandlerReference
    private weak let loop: RenderLoop?
    private var cycles = CycleDetector()

    /// Makes a handler of a node; the kind is what a developer knows it by, such as `onAppear`.
    public init(_ kind: String, of node: Node) {
        // The view that a reader knows is the one whose body has the modifier.
        reference = HandlerReference(kind: kind, view: (node.evaluatedNode ?? node).reference)
        loop = node.loop
    }

    /// Has the action run in the handlers phase of this turn, after those that were scheduled before.
    public func schedule(_ action: @escaping @MainActor () -> Void) {
        loop?.schedule(self, action)
    }

    /// Whether it may run, with the warning if not.
    func admit(in turn: UInt64) -> Bool {
        let admission = cycles.admit(in: turn)
        if admission.warns { loop?.warn(.updatedMultipleTimesPerFrame(reference)) }
        return admission.runs
    }
}
