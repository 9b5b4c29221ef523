// SPDX-License-Identifier: MIT
// Reactions to a model in the environment that evaluate no view: modifiers, their node, and the values of a property.

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

/// A modifier that follows a model.
@MainActor
protocol ScopeModifier: PrimitiveModifier {
    associatedtype Root: AnyObject
    /// What is kept of the model from one look to the next.
    associatedtype Known

    var model: ScopedModel<Root, Void> { get }

    /// Looks at the model; what is read here is followed. `known` is from the last look, nil at first.
    func look(at root: Root, known: Known?, handler: Handler) -> Known
    /// How events name the modifier.
    var kind: String { get }
}

extension ScopeModifier {
    /// A node that looks at the model when the view appears, and whenever something of it changes.
    public static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        ScopeNode(view, in: context) { $0.content }
    }
}

private final class ScopeNode<Modifier: ScopeModifier, Content: View>: TrackingNode<Modifier, Content>, NamedScope {
    private lazy var handler = Handler(view.modifier.kind, of: self)
    private lazy var model = view.modifier.model
    private var storage: [AnyObject?] = [nil]
    private var known: Modifier.Known?

    override var viewType: Any.Type { Modifier.self }
    var scopeKind: String { view.modifier.kind }

    override func look() {
        var context = DynamicPropertyContext(node: self, storage: storage)
        model.update(in: &context)
        storage = context.storage
        known = view.modifier.look(at: model.object, known: known, handler: handler)
    }

    override func willUnmount() {
        super.willUnmount()
        for case let object? in storage { (object as? any UnmountedStorage)?.unmount() }
        known = nil
    }
}

/// A subscription to a property, for as long as this object lives.
@MainActor
final class ScopeSubscription<Value: Sendable> {
    let hub: PublishedHub<Value>
    var action: @MainActor (Value) -> Void = { _ in }
    private var id: UInt64 = 0

    init(_ hub: PublishedHub<Value>) {
        self.hub = hub
        id = hub.followers.add { [weak self] in self?.action($0) }
    }

    isolated deinit { hub.followers.remove(id) }
}

/// The one subscription to a property of an object.
///
/// OpenCombine keeps subscribers in a set: two of them would be called in an order that differs from run to run.
@MainActor
final class PublishedHub<Value: Sendable> {
    /// Whose property it is.
    let owner: AnyObject
    private let key: PublishedHubs.Key
    fileprivate let followers = Listeners<Value>()
    private var subscription: AnyCancellable?

    private init(_ owner: AnyObject, _ publisher: Published<Value>.Publisher, _ key: PublishedHubs.Key) {
        self.owner = owner
        self.key = key
        // The first value is the present one. Sendable, or the closure would belong to the main actor and stop the program
        // where another thread sets a value.
        subscription = publisher.dropFirst().sink { @Sendable [weak self] value in
            onMainActor { self?.followers.call(value) }
        }
    }

    isolated deinit { PublishedHubs.known[key] = nil }

    /// The hub of a property; a new one if the property has no followers.
    static func hub<Root: AnyObject>(
        of owner: Root, _ path: KeyPath<Root, Published<Value>.Publisher>
    ) -> PublishedHub {
        let key = PublishedHubs.Key(owner: ObjectIdentifier(owner), path: path)
        if let known = PublishedHubs.known[key]?.hub as? PublishedHub { return known }
        let made = PublishedHub(owner, owner[keyPath: path], key)
        PublishedHubs.known[key] = PublishedHubs.Entry(hub: made)
        return made
    }
}

/// The hubs that are followed. An object lives as long as its hub, so that its address names it.
@MainActor
private enum PublishedHubs {
    fileprivate struct Key: Hashable {
        let owner: ObjectIdentifier
        let path: AnyKeyPath
    }

    fileprivate struct Entry {
        weak var hub: AnyObject?
    }

    static var known: [Key: Entry] = [:]
}
