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
