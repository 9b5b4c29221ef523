// SPDX-License-Identifier: MIT
// A view that says itself whether it has changed.

/// A view that is updated only where `==` says that its value is another one.
///
/// Without it, the parts of a view that are trivially copied are compared by their bytes, whatever `==` says.
public struct EquatableView<Content: View & Equatable>: PrimitiveView {
    /// The view that is compared.
    public var content: Content

    /// Compares a view.
    public init(content: Content) { self.content = content }

    /// Whether the content is one.
    public static var isOneView: Bool { Content.isOneView }

    /// A node that keeps equal values from the content.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        EquatableNode(view, in: context) { $0.content }
    }

    private final class EquatableNode: WrapperNode<EquatableView, Content> {
        override func viewDidChange(from old: EquatableView) {
            if old.content != view.content { super.viewDidChange(from: old) }
        }
    }
}

extension View where Self: Equatable {
    /// Updates the view only where `==` says that its value is another one.
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
