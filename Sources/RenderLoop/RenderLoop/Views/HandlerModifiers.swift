// SPDX-License-Identifier: MIT
// Modifiers that run an action: on appearance, disappearance, changed values, and the values of a publisher.

public import OpenCombine

/// Runs an action when the view appears, or when it disappears.
package struct AppearModifier: PrimitiveModifier {
    /// When the action runs; as events name it.
    enum Moment: String {
        case onAppear, onDisappear
    }

    let moment: Moment
    let action: (@MainActor () -> Void)?

    /// A node that schedules the action.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        AppearNode(view, in: context) { $0.content }
    }

    private final class AppearNode<Content: View>: ModifierNode<AppearModifier, Content> {
        /// Outer nodes come first.
        override func didMount() {
            schedule(.onAppear)
            super.didMount()
        }

        override func willUnmount() { schedule(.onDisappear) }

        private func schedule(_ moment: Moment) {
            guard view.modifier.moment == moment, let action = view.modifier.action else { return }
            Handler(moment.rawValue, of: self).schedule(action)
        }
    }
}

/// Runs an action when a value differs from that of the evaluation before.
package struct ChangeModifier<Value: Equatable>: PrimitiveModifier {
    let value: Value
    let initial: Bool
    let action: @MainActor (Value, Value) -> Void

    /// A node that schedules the action when the value has changed.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        ChangeNode(view, in: context) { $0.content }
    }

    private final class ChangeNode<Content: View>: ModifierNode<ChangeModifier<Value>, Content> {
        private lazy var handler = Handler("onChange(of: \(Value.self))", of: self)

        override func didMount() {
            if view.modifier.initial { schedule(from: view.modifier.value) }
            super.didMount()
        }

        override func viewDidChange(from old: ModifiedContent<Content, ChangeModifier<Value>>) {
            if old.modifier.value != view.modifier.value { schedule(from: old.modifier.value) }
            super.viewDidChange(from: old)
        }

        private func schedule(from old: Value) {
            let modifier = view.modifier
            handler.schedule { modifier.action(old, modifier.value) }
        }
    }
}

extension View {
    /// Runs an action after the evaluation in which the view appeared, before that is committed.
    ///
    /// What it invalidates is evaluated in the same turn. Where several views appear together, outer ones come first.
    public func onAppear(perform action: (@MainActor () -> Void)? = nil) -> some View {
        modifier(AppearModifier(moment: .onAppear, action: action))
    }

    /// Runs an action after the evaluation in which the view disappeared.
    public func onDisappear(
        perform action: (@MainActor () -> Void)? = nil
    ) -> some View {
        modifier(AppearModifier(moment: .onDisappear, action: action))
    }

    /// Runs an action after an evaluation in which a value was another one than before, at most twice a turn.
    ///
    /// - Parameters:
    ///   - value: What is compared.
    ///   - initial: Whether the action runs when the view appears, too.
    ///   - action: Gets the value before and the new one.
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping @MainActor (Value, Value) -> Void
    ) -> some View {
        modifier(ChangeModifier(value: value, initial: initial, action: action))
    }

    /// Runs an action after an evaluation in which a value was another one than before, at most twice a turn.
    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        onChange(of: value, initial: initial) { _, _ in action() }
    }
}

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
        /// The next turn does not wait for a run that was dropped because there were too many.
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
    /// without a `@Published` property is a new one at each access, and no code sends by it: no value comes, and the loop
    /// cannot tell that from a publisher that is silent.
    public func onReceive<Source: Publisher>(
        _ publisher: Source, perform action: @escaping @MainActor (Source.Output) -> Void
    ) -> some View where Source.Failure == Never, Source.Output: Sendable {
        modifier(PublisherModifier(source: publisher, action: action))
    }
}
