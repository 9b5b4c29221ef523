// SPDX-License-Identifier: MIT
// A scope: content that is evaluated for itself when a model changes, and nothing around it.

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
