// SPDX-License-Identifier: MIT
// A modifier that reacts to the values of a publisher.

public import OpenCombine

/// Runs an action with each value of a publisher.
package struct PublisherModifier<Source: Publisher>: PrimitiveModifier
where Source.Failure == Never, Source.Output: Sendable {
    let source: Source
    let action: @MainActor (Source.Output) -> Void

    /// A node that subscribes while it is there.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        PublisherNode(view, in: context) { $0.content }
    }

    private final class PublisherNode<Content: View>: ModifierNode<PublisherModifier, Content> {
        private lazy var handler = Handler("onReceive", of: self)
        private var subscription: AnyCancellable?
        /// Tells subscriptions apart: a value of another thread can still be on its way when there is another one.
        private var number: UInt64 = 0
        /// Values that came during an evaluation, for the handlers phase.
        private var waiting: [Source.Output] = []
        /// A run that was dropped, because there were too many, is none to wait for in the next turn.
        private var scheduledTurn: UInt64 = 0

        override func didMount() {
            super.didMount()
            subscribe()
        }

        override func willUnmount() {
            subscription = nil
            waiting = []
        }

        override func viewDidChange(from old: ModifiedContent<Content, PublisherModifier>) {
            super.viewDidChange(from: old)
            if ValueComparison.firstDifference(old.modifier.source, view.modifier.source) != nil { subscribe() }
        }

        private func subscribe() {
            number += 1
            let number = number
            // Sendable, or it would belong to the main actor and stop the program where another thread sends.
            subscription = view.modifier.source.sink { @Sendable [weak self] value in
                onMainActor { self?.receive(value, from: number) }
            }
        }

        private func receive(_ value: Source.Output, from number: UInt64) {
            guard isMounted, number == self.number else { return }
            guard graph.phase == .evaluation else {
                deliver()
                return view.modifier.action(value)
            }
            waiting.append(value)
            guard waiting.count == 1 || scheduledTurn != graph.turn else { return }
            scheduledTurn = graph.turn
            handler.schedule { [weak self] in self?.deliver() }
        }

        private func deliver() {
            let values = waiting
            waiting = []
            for value in values { view.modifier.action(value) }
        }
    }
}

extension View {
    /// Runs an action with each value of a publisher, from when the view appears until it disappears.
    ///
    /// The action runs as soon as a value comes; one that comes with the subscription, as a current value does, after the
    /// evaluation, so that what it changes is evaluated in the same turn. Values that other threads send arrive in the
    /// main loop's next turn. An evaluation with another publisher subscribes anew. The `objectWillChange` of an object
    /// without a `@Published` property is a new one at each access, by which nobody sends: no value comes, and the loop
    /// cannot tell that from a publisher that is silent.
    public func onReceive<Source: Publisher>(
        _ publisher: Source, perform action: @escaping @MainActor (Source.Output) -> Void
    ) -> some View where Source.Failure == Never, Source.Output: Sendable {
        modifier(PublisherModifier(source: publisher, action: action))
    }
}
