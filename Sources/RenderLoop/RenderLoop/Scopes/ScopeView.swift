// SPDX-License-Identifier: MIT
// A scope: content that is evaluated for itself when a model of the environment changes, and the model that it follows.

public import Observation
public import OpenCombine

/// Content of a model in the environment, evaluated without the view that contains it.
///
/// With an `@Observable` model the scope is evaluated when a property that its content reads changes, with an
/// `ObservableObject` on every change of it; and, as its closure is an input, whenever the view around it is. Without a
/// model in the environment the program stops, with a message that names the model's type, the scope and the view that
/// contains it.
public struct ScopeView<Root: AnyObject, Projection, Content: View>: View {
    private let model: ScopedModel<Root, Projection>
    private let content: @MainActor (Root, Projection) -> Content

    /// What the closure makes of the model.
    public var body: Content { content(model.object, model.projection) }
}

extension ScopeView where Root: Observable, Projection == Bindable<Root> {
    /// A scope of an `@Observable` model; the content gets the model, and bindings to its properties.
    public init(_ type: Root.Type, @ViewBuilder content: @escaping @MainActor (Root, Bindable<Root>) -> Content) {
        model = ScopedModel(observable: type) { Bindable($0) }
        self.content = content
    }
}

extension ScopeView where Root: ObservableObject, Projection == EnvironmentObject<Root>.Wrapper {
    /// A scope of an `ObservableObject`; the content gets the object, and bindings to its properties.
    public init(
        _ type: Root.Type,
        @ViewBuilder content: @escaping @MainActor (Root, EnvironmentObject<Root>.Wrapper) -> Content
    ) {
        model = ScopedModel(object: type) { EnvironmentObject<Root>.Wrapper(object: $0) }
        self.content = content
    }
}

/// The model of a scope, with what its content gets beside it.
///
/// The scope depends on which object is in the environment; on the object's changes by what is read (`@Observable`), or
/// on all of them (`ObservableObject`).
@MainActor
struct ScopedModel<Root: AnyObject, Projection>: BuiltInProperty {
    /// By which the object is put into the environment.
    private let modifier: String
    private let project: @MainActor (Root) -> Projection
    private var follow: @MainActor (Root, inout DynamicPropertyContext) -> Void = { _, _ in }
    private var found: Root?

    /// The object. Only after an update, which stops the program without an object.
    var object: Root {
        guard let found else {
            fatalError(
                """
                a scope of \(Root.self) was asked for its content outside of a RenderLoop: put the scope into a view's body; \
                the loop evaluates it
                """)
        }
        return found
    }

    /// What the content gets beside the object.
    var projection: Projection { project(object) }

    /// Finds the object and follows it.
    mutating func update(in context: inout DynamicPropertyContext) {
        let node = context.node
        node.nameDependency(context.name) { found = node.environment.values.object(Root.self) }
        guard let found else {
            fatalError(MissingObject.message(Root.self, reader: node.scopeName, modifier: modifier))
        }
        follow(found, &context)
    }

    /// Always: it is the environment that changes.
    func isSameInput(as other: Self) -> Bool { true }
}

extension ScopedModel where Root: Observable {
    /// A model whose properties announce their changes to their readers.
    init(observable: Root.Type, _ project: @escaping @MainActor (Root) -> Projection) {
        self.init(modifier: "environment(_:)", project: project)
    }
}

extension ScopedModel where Root: ObservableObject {
    /// A model that announces every change.
    init(object: Root.Type, _ project: @escaping @MainActor (Root) -> Projection) {
        self.init(modifier: "environmentObject(_:)", project: project) { object, context in
            _ = ObjectSubscription<Root>.taken(from: &context, replacing: object) { object }
        }
    }

    /// A model whose single properties are followed.
    init(publisherOf object: Root.Type) where Projection == Void {
        self.init(modifier: "environmentObject(_:)", project: { _ in })
    }
}

/// A scope that has another name than its view's type.
@MainActor
protocol NamedScope: Node {
    var scopeKind: String { get }
}

extension Node {
    /// The scope, and the view in whose body it is.
    fileprivate var scopeName: String {
        let name = (self as? any NamedScope)?.scopeKind ?? reference.name
        guard let around = parent?.evaluatedNode else { return name }
        return "\(name) in \(around.reference.name)"
    }
}

// Reactions to a model in the environment that evaluate no view: modifiers, their node, and the values of a property.

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
