// SPDX-License-Identifier: MIT
// Modifiers with a layer around the view, and frames with limits.

public import Foundation

/// A layer around the view that gives it a distance, a size or another place.
package struct LayoutModifier: LayerModifier {
    let layout: LayerLayout
    package func configure(_ layer: Layer) { layer.layout = layout }
}

/// How much of what lies below is covered.
package struct OpacityModifier: LayerModifier {
    let opacity: Double
    /// The layer has the opacity.
    package func configure(_ layer: Layer) { layer.opacity = Float(opacity) }
}

/// A line along the edges, over the view.
package struct BorderModifier: LayerModifier {
    let color: Color
    let points: Int
    /// The layer has the line.
    package func configure(_ layer: Layer) { layer.content = .border(color, points: points) }
}

/// A view behind or in front of another, with its size proposed.
package struct AttachedModifier<Attachment: View>: PrimitiveModifier {
    let attachment: Attachment
    let alignment: Alignment
    let isInFront: Bool

    /// A node with a layer in which both are.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        AttachedNode(view, in: context, content: { $0.content }) { view, layer in
            layer.layout = .attached(view.modifier.alignment)
        }
    }

    private final class AttachedNode<Content: View>:
        LayerNode<ModifiedContent<Content, AttachedModifier<Attachment>>, Content>
    {
        private var attachment: ViewNode<Attachment>?

        override func didMount() {
            super.didMount()
            attachment = contentContext.make(view.modifier.attachment)
            graph.layers.layout.sublayersChanged(of: layer)
        }

        override func viewDidChange(from old: ModifiedContent<Content, AttachedModifier<Attachment>>) {
            super.viewDidChange(from: old)
            attachment?.update(to: view.modifier.attachment)
        }

        override func forEachChild(_ body: (Node) -> Void) {
            super.forEachChild(body)
            if let attachment { body(attachment) }
        }

        override func collectSublayers(into list: inout [Layer]) -> Range<Int> {
            if !view.modifier.isInFront { attachment?.collectLayers(into: &list) }
            let first = list.count
            child?.collectLayers(into: &list)
            let content = first..<list.count
            if view.modifier.isInFront { attachment?.collectLayers(into: &list) }
            return content
        }
    }
}

extension View {
    /// Keeps a distance in cells on all sides.
    public func padding(_ length: Int = 1) -> some View {
        padding(EdgeInsets(top: length, leading: length, bottom: length, trailing: length))
    }

    /// Keeps distances in cells.
    public func padding(_ insets: EdgeInsets) -> some View {
        modifier(LayoutModifier(layout: .padding(insets)))
    }

    /// Fixes the size in cells, where one is given.
    public func frame(
        width: Int? = nil, height: Int? = nil, alignment: Alignment = .center
    ) -> some View {
        modifier(LayoutModifier(layout: .frame(width: width, height: height, alignment)))
    }

    /// Shows the view elsewhere than the layout puts it.
    public func offset(x: Int = 0, y: Int = 0) -> some View {
        modifier(LayoutModifier(layout: .offset(x: x, y: y)))
    }

    /// Lets what lies below through: 0 (or less, or no number) shows nothing of the view, which takes no input then; 1 (or
    /// more) shows all.
    public func opacity(_ opacity: Double) -> some View {
        modifier(OpacityModifier(opacity: opacity))
    }

    /// Shows nothing of the view, which keeps its place and takes no input.
    public func hidden() -> some View { opacity(0) }

    /// Draws a line along the edges, over the view.
    public func border(_ color: Color, width points: Int = 1) -> some View {
        modifier(BorderModifier(color: color, points: points))
    }

    /// Puts a view behind this one.
    public func background(alignment: Alignment = .center, @ViewBuilder _ background: () -> some View) -> some View {
        self.background(background(), alignment: alignment)
    }

    /// Puts a view behind this one.
    public func background(_ background: some View, alignment: Alignment = .center) -> some View {
        modifier(AttachedModifier(attachment: background, alignment: alignment, isInFront: false))
    }

    /// Puts a view in front of this one.
    public func overlay(alignment: Alignment = .center, @ViewBuilder _ overlay: () -> some View) -> some View {
        self.overlay(overlay(), alignment: alignment)
    }

    /// Puts a view in front of this one.
    public func overlay(_ overlay: some View, alignment: Alignment = .center) -> some View {
        modifier(AttachedModifier(attachment: overlay, alignment: alignment, isInFront: true))
    }

    /// Limits the size in cells, where a limit is given.
    ///
    /// With a maximum the frame takes up the space that is proposed, as far as that goes: `maxWidth: .infinity` takes up all.
    /// In a stack that is a share of the space that is left. Without a minimum it is at least as large as the view.
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        let width = LengthLimits(min: minWidth, ideal: idealWidth, max: maxWidth)
        let height = LengthLimits(min: minHeight, ideal: idealHeight, max: maxHeight)
        return modifier(LayoutModifier(layout: .limits(width: width, height: height, alignment)))
    }
}
