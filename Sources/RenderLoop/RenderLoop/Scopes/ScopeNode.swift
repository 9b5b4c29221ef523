// SPDX-License-Identifier: MIT
// The node of a modifier that follows a model beside its content, which is not evaluated for that.

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
