// SPDX-License-Identifier: MIT
// Views that are nothing but structure: they have no layer of their own.

/// Nothing.
public struct EmptyView: PrimitiveView {
    /// Makes nothing.
    public init() {}

    /// It stands for no view: a modifier has nothing to apply to.
    public static var isOneView: Bool { false }

    /// A node without content.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ViewNode(view, in: context)
    }
}

/// Several views, each known by its place.
public struct TupleView<each Content: View>: PrimitiveView {
    let content: (repeat each Content)

    init(_ content: repeat each Content) {
        self.content = (repeat each content)
    }

    /// Several.
    public static var isOneView: Bool { false }

    /// A node with one child for each element.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        TupleNode(view, in: context)
    }
}

/// One of two views; they have identities of their own.
public struct ConditionalContent<First: View, Second: View>: SwitchContent {
    enum Branch {
        case first(First)
        case second(Second)
    }

    let branch: Branch

    init(_ branch: Branch) { self.branch = branch }

    func put(into child: Node?, in context: NodeContext) -> Node? {
        switch branch {
        case .first(let view): context.put(view, into: child)
        case .second(let view): context.put(view, into: child)
        }
    }

    var tag: Int {
        switch branch {
        case .first: 0
        case .second: 1
        }
    }
}

/// A view that may be missing.
extension Optional: View, PrimitiveView, SwitchContent where Wrapped: View {
    func put(into child: Node?, in context: NodeContext) -> Node? { map { context.put($0, into: child) } }
    var tag: Int { self == nil ? 0 : 1 }
}

/// A view whose type is not known until it runs. Another type is another identity.
public struct AnyView: SwitchContent {
    let content: any View

    /// Hides the type of a view.
    public init(_ content: some View) { self.content = (content as? AnyView)?.content ?? content }

    func put(into child: Node?, in context: NodeContext) -> Node? {
        func put<Content: View>(_ content: Content) -> Node {
            context.put(content, into: child as? ViewNode<Content>)
        }
        return put(content)
    }

    var tag: Int { 0 }
}

extension AnyView: InputComparable {
    func isSameInput(as other: AnyView) -> Bool {
        func isSame<Content: View>(_ content: Content) -> Bool {
            guard let other = other.content as? Content else { return false }
            return ValueComparison.firstDifference(content, other) == nil
        }
        return isSame(content)
    }
}

/// Several views in one value, which stands for each of them: a modifier that follows applies to each.
public struct Group<Content: View>: WrapperContent {
    let content: Content

    /// Whether its content is one.
    public static var isOneView: Bool { Content.isOneView }

    /// Makes a group.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// A view with an identity of its own, beside its place in the structure.
public struct IdentifiedView<Content: View, ID: Hashable>: SwitchContent {
    let content: Content
    let id: ID

    /// Whether its content is one.
    public static var isOneView: Bool { Content.isOneView }

    func put(into child: Node?, in context: NodeContext) -> Node? { context.put(content, into: child) }
    var tag: ID { id }
}

extension View {
    /// Gives the view an identity: with another id it is another view, whose state begins anew.
    public func id<ID: Hashable>(_ id: ID) -> IdentifiedView<Self, ID> { IdentifiedView(content: self, id: id) }
}
