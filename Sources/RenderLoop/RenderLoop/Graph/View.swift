// SPDX-License-Identifier: MIT
// A view: a value with inputs and a body. The builder of bodies, and modifiers with and without a body.

/// A view: a value that is made anew whenever the view that contains it is evaluated, and that describes its content.
///
/// What lives from one evaluation to the next is the view's ``Node``, which is found by the view's place in the
/// structure and its ``View/id(_:)``.
@MainActor
public protocol View {
    /// What the body is made of; `Never` for a ``PrimitiveView``.
    associatedtype Body: View

    /// The view's content; evaluated by the graph alone.
    @ViewBuilder var body: Body { get }

    /// The body of a view in the graph. The graph asks here and nowhere else, so an observer who replaces this function sees each
    /// evaluation, with the number that tells the instance from all others of the process. The default is ``body``.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - instance: The number of its instance.
    ///   - parent: The number of the instance whose evaluation gave this one other inputs, if nothing else asked for
    ///     the evaluation; else 0.
    static func body(of view: Self, instance: UInt64, givenBy parent: UInt64) -> Body

    /// Whether the view always stands for exactly one view. Others stand for any number (a `Group`, a `ForEach`, a branch,
    /// a body of several statements): a modifier applies to each of those. The default asks the body; primitives are one.
    static var isOneView: Bool { get }

    /// Makes the node of a view that has just appeared. The default is for views with a body; primitives have their own.
    static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self>
}

extension View {
    /// Whether the body is one view.
    public static var isOneView: Bool { BodyCount.isOne(Self.self) }

    /// ``body``, of whatever instance.
    public static func body(of view: Self, instance: UInt64, givenBy parent: UInt64) -> Body { view.body }

    /// A node that evaluates the body.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        BodyNode(view, in: context)
    }
}

/// The body of views that have none.
extension Never: View {
    /// Never asked for.
    public var body: Never { self }
    /// What has no body is one view.
    public static var isOneView: Bool { true }
}

/// A view without a body: the graph knows what to do with it.
///
/// A new primitive conforms to ``LayerView`` if it draws or arranges, or makes a node of its own.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    /// One view, unless it says otherwise.
    public static var isOneView: Bool { true }

    /// Never asked for.
    public var body: Never {
        fatalError(
            "\(Self.self) is a primitive view: it has no body. Put it into a view or a RenderLoop, which draw it")
    }
}

/// Builds one view of the statements of a body: several are a tuple, branches have identities of their own.
@MainActor
@resultBuilder
public enum ViewBuilder {
    /// One statement.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    /// No statement.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view is itself.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// Several views are a tuple.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content>
    {
        TupleView(repeat each content)
    }

    /// An `if` without an `else`.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    /// The branch that holds.
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent(.first(first))
    }

    /// The other branch.
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent(.second(second))
    }

    /// An `if #available`.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

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
