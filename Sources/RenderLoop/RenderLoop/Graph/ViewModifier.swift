// SPDX-License-Identifier: MIT
// Modifiers: one mechanism for those with a body and for primitive ones.

/// Makes another view of a view.
///
/// A modifier with a body describes it with ``Content``. A primitive one has `Never` as its body: it conforms to
/// ``LayerModifier`` if it draws or arranges, or makes a node of its own.
@MainActor
public protocol ViewModifier {
    /// What the body is made of; `Never` for a primitive modifier.
    associatedtype Body: View

    /// Stands for the modified view in the body.
    typealias Content = ModifierContent<Self>

    /// The view that is made.
    @ViewBuilder func body(content: Content) -> Body

    /// Makes the node of a view with this modifier.
    static func makeNode<Content: View>(
        _ view: ModifiedContent<Content, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<Content, Self>>
}

extension ViewModifier {
    /// A node that evaluates the modifier's body.
    public static func makeNode<Modified: View>(
        _ view: ModifiedContent<Modified, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<Modified, Self>> {
        BodyNode(view, in: context)
    }

    /// A view with this modifier.
    package typealias Modified<Content: View> = ModifiedContent<Content, Self>
}

/// A modifier without a body: it makes a node of its own.
public protocol PrimitiveModifier: ViewModifier where Body == Never {}

extension ViewModifier where Body == Never {
    /// Never asked for.
    public func body(content: Content) -> Never {
        fatalError("\(Self.self) is a primitive modifier: it has no body. Apply it with .modifier(_:)")
    }
}

/// A modifier that is one for all the views that its content stands for, because it does nothing to a single one.
protocol CommonModifier: PrimitiveModifier {}

/// A view and its modifier.
public struct ModifiedContent<Content: View, Modifier: ViewModifier>: View {
    /// The modified view.
    public var content: Content
    /// What is done to it.
    public var modifier: Modifier

    /// What the modifier makes of the content.
    public var body: Modifier.Body { modifier.body(content: ModifierContent(content: AnyView(content))) }

    /// The modifier knows its kind of node; there is one for each of the views that the content stands for.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        if Content.isOneView || Modifier.self is any CommonModifier.Type { return Modifier.makeNode(view, in: context) }
        return EachNode(view, in: context)
    }

    /// Whether the content and the modifier's body are one view.
    public static var isOneView: Bool { Content.isOneView && Modifier.Body.isOneView }
}

/// The modified view, as a modifier's body sees it.
public struct ModifierContent<Modifier: ViewModifier>: WrapperContent {
    let content: AnyView
    /// A modifier is applied to one view at a time.
    public static var isOneView: Bool { true }

    /// A node that says whose content is in it.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ContentNode(view, in: context) { $0.content }
    }

    private final class ContentNode: WrapperNode<ModifierContent, AnyView> {
        override var contentOfModifier: Any.Type? { Modifier.self }
    }
}

/// A view whose body is that of a modifier: it has no evaluations of its own, and probes go through to the content.
@MainActor
protocol ModifiedView {
    static var modifier: Any.Type { get }
}

extension ModifiedContent: ModifiedView {
    static var modifier: Any.Type { Modifier.self }
}

extension View {
    /// Modifies the view.
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
