// SPDX-License-Identifier: MIT
// Modifiers that react to evaluations: appearance, disappearance, changed values.

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
