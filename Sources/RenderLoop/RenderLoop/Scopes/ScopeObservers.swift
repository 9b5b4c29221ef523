// SPDX-License-Identifier: MIT
// Reactions to a model in the environment, by views that are not evaluated for it.

public import Observation
public import OpenCombine

/// Runs an action when a property of a model in the environment has another value.
package struct ScopedChangeModifier<Root: AnyObject, Value: Equatable>: ScopeModifier {
    let model: ScopedModel<Root, Void>
    let path: KeyPath<Root, Value>
    let action: @MainActor (Value, Value) -> Void

    var kind: String { "onChange(of: \(Value.self), in: \(Root.self))" }

    func look(at root: Root, known: Value?, handler: Handler) -> Value {
        let value = root[keyPath: path]
        // Observation tells of some sets of equal values, and an object tells of the changes of other properties.
        if let known, known != value { handler.schedule { action(known, value) } }
        return value
    }
}

/// Runs an action with each value that a property of a model in the environment is set to.
package struct ScopedReceiveModifier<Root: ObservableObject, Value: Sendable>: ScopeModifier {
    let path: KeyPath<Root, Published<Value>.Publisher>
    let action: @MainActor (Value) -> Void

    var model: ScopedModel<Root, Void> { ScopedModel(publisherOf: Root.self) }
    var kind: String { "onReceive(of: \(Value.self), in: \(Root.self))" }

    func look(at root: Root, known: ScopeSubscription<Value>?, handler: Handler) -> ScopeSubscription<Value> {
        var subscription = known
        if subscription?.hub.owner !== root { subscription = nil }
        let made = subscription ?? ScopeSubscription(PublishedHub.hub(of: root, path))
        made.action = action
        return made
    }
}

extension View {
    /// Runs an action after an evaluation when a property of an `@Observable` model in the environment has another value
    /// than before, at most twice a turn; the view itself is not evaluated for it. Setting an equal value does nothing.
    public func onChange<Root: AnyObject & Observable, Value: Equatable>(
        of path: KeyPath<Root, Value>, in type: Root.Type, _ action: @escaping @MainActor (Value, Value) -> Void
    ) -> some View {
        modifier(ScopedChangeModifier(model: ScopedModel(observable: type) { _ in }, path: path, action: action))
    }

    /// Runs an action after an evaluation when a property of an `ObservableObject` in the environment has another value
    /// than before, at most twice a turn; the view itself is not evaluated for it. Setting an equal value does nothing.
    public func onChange<Root: ObservableObject, Value: Equatable>(
        of path: KeyPath<Root, Value>, in type: Root.Type, _ action: @escaping @MainActor (Value, Value) -> Void
    ) -> some View {
        modifier(ScopedChangeModifier(model: ScopedModel(object: type) { _ in }, path: path, action: action))
    }

    /// Runs an action with each value that a `@Published` property of an object in the environment is set to, equal ones
    /// included, but not with the one that it has when the view appears; the view itself is not evaluated for it.
    ///
    /// The action runs at once, on the main actor, as the property is about to change.
    public func onReceive<Root: ObservableObject, Value: Sendable>(
        of path: KeyPath<Root, Published<Value>.Publisher>, in type: Root.Type,
        _ action: @escaping @MainActor (Value) -> Void
    ) -> some View {
        modifier(ScopedReceiveModifier(path: path, action: action))
    }
}
