// SPDX-License-Identifier: MIT
// A model that a scope finds in its environment by its type, and whose changes it follows.

import Observation
import OpenCombine

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

    /// The object. Only after an update, which stops the program if there is none.
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
