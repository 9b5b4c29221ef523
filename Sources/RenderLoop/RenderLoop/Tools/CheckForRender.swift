// SPDX-License-Identifier: MIT
// Flashes red over each view that is initialised again.

/// Flashes whenever the view's value is made, the first time included.
struct CheckModifier: PrimitiveModifier {
    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        CheckNode(view, in: context) { $0.content }
    }

    /// New values come to a node like this one whether or not they are equal.
    private final class CheckNode<Content: View>: ModifierNode<CheckModifier, Content> {
        override func didMount() {
            super.didMount()
            loop.tools.overlays.show(.flash, over: self)
        }

        override func viewDidChange(from old: ModifiedContent<Content, CheckModifier>) {
            super.viewDidChange(from: old)
            loop.tools.overlays.show(.flash, over: self)
        }
    }
}

extension View {
    /// Covers the view, or each of the views that it stands for, with red at 30 % opacity whenever it is initialised,
    /// fading out within 0.3 seconds.
    ///
    /// A view is initialised by the body that contains it, whether or not its own body is evaluated then. The flash takes
    /// part neither in the layout nor in input, and does not count as a change of a view. In a release build it is the view
    /// itself.
    public func checkForRender() -> some View {
        #if RERENDER_PROBES
            modifier(CheckModifier())
        #else
            self
        #endif
    }
}

/// Applies ``View/checkForRender()`` to each of its views.
///
///     RenderCheck {
///         Header()
///         ForEach(rows) { Row($0) }
///     }
///
/// Those are its subviews: of a `Group`, a `ForEach`, a branch or a body of several statements each one by itself. It
/// arranges nothing: around it they are so many views.
public struct RenderCheck<Content: View>: WrapperContent {
    private let checked: Content

    /// Checks each view of the content.
    public init(@ViewBuilder content: () -> Content) { checked = content() }

    /// Whether its content is one.
    public static var isOneView: Bool { Content.isOneView }

    var content: some View { checked.checkForRender() }
}

/// Each row is checked.
extension RenderCheck: RowContent {
    var rowCount: Int { content.rows.rowCount }
    func row(at index: Int) -> Row { content.rows.row(at: index) }
}
