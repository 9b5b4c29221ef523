// SPDX-License-Identifier: MIT
// What a view is: a value with inputs and a body.

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

    /// Makes the node of a view that has just appeared. The default is for views with a body; primitives have their own.
    static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self>
}

extension View {
    /// A node that evaluates the body.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        BodyNode(view, in: context)
    }
}

/// The body of views that have none.
extension Never: View {
    /// Never asked for.
    public var body: Never { self }
}

/// A view without a body: the graph knows what to do with it.
///
/// A new primitive conforms to ``LayerView`` if it draws or arranges, or makes a node of its own.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    /// Never asked for.
    public var body: Never {
        fatalError(
            "\(Self.self) is a primitive view: it has no body. Put it into a view or a RenderLoop, which draw it")
    }
}
