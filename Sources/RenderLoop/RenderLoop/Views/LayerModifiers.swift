// SPDX-License-Identifier: MIT
// Modifiers with a layer around the view.

/// A distance around a view.
public struct PaddingModifier: LayerModifier {
    let insets: EdgeInsets
    /// The layer keeps the distance.
    public func configure(_ layer: Layer) { layer.layout = .padding(insets) }
}

/// A fixed size.
public struct FrameModifier: LayerModifier {
    let width: Int?
    let height: Int?
    let alignment: Alignment
    /// The layer has the size.
    public func configure(_ layer: Layer) { layer.layout = .frame(width: width, height: height, alignment) }
}

/// Another place than the layout's.
public struct OffsetModifier: LayerModifier {
    let x: Int
    let y: Int
    /// The layer is where it was, what is in it is elsewhere.
    public func configure(_ layer: Layer) { layer.layout = .offset(x: x, y: y) }
}

/// How much of what lies below is covered.
public struct OpacityModifier: LayerModifier {
    let opacity: Double
    /// The layer has the opacity.
    public func configure(_ layer: Layer) { layer.opacity = Float(opacity) }
}

/// A line along the edges, over the view.
public struct BorderModifier: LayerModifier {
    let color: Color
    let points: Int
    /// The layer has the line.
    public func configure(_ layer: Layer) { layer.content = .border(color, points: points) }
}

/// A view behind or in front of another, with its size proposed.
public struct AttachedModifier<Attachment: View>: ViewModifier {
    /// Primitive.
    public typealias Body = Never

    let attachment: Attachment
    let alignment: Alignment
    let isInFront: Bool

    /// A node with a layer in which both are.
    public static func makeNode<Modified: View>(
        _ view: ModifiedContent<Modified, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<Modified, Self>> {
        AttachedNode(view, in: context)
    }

    private final class AttachedNode<Content: View>:
        LayerNode<ModifiedContent<Content, AttachedModifier<Attachment>>, Content>
    {
        private var attachment: ViewNode<Attachment>?

        init(_ view: ModifiedContent<Content, AttachedModifier<Attachment>>, in context: NodeContext) {
            super.init(view, in: context, content: { $0.content }) { view, layer in
                layer.layout = .attached(view.modifier.alignment)
            }
        }

        override func didMount() {
            super.didMount()
            attachment = contentContext.make(view.modifier.attachment)
            loop.layout.sublayersChanged(of: layer)
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
    public func padding(_ length: Int = 1) -> ModifiedContent<Self, PaddingModifier> {
        padding(EdgeInsets(top: length, leading: length, bottom: length, trailing: length))
    }

    /// Keeps distances in cells.
    public func padding(_ insets: EdgeInsets) -> ModifiedContent<Self, PaddingModifier> {
        modifier(PaddingModifier(insets: insets))
    }

    /// Fixes the size in cells, where one is given.
    public func frame(
        width: Int? = nil, height: Int? = nil, alignment: Alignment = .center
    ) -> ModifiedContent<Self, FrameModifier> {
        modifier(FrameModifier(width: width, height: height, alignment: alignment))
    }

    /// Shows the view elsewhere than the layout puts it.
    public func offset(x: Int = 0, y: Int = 0) -> ModifiedContent<Self, OffsetModifier> {
        modifier(OffsetModifier(x: x, y: y))
    }

    /// Lets what lies below through: 0 (or less, or no number) shows nothing of the view, which takes no input then; 1 (or
    /// more) shows all.
    public func opacity(_ opacity: Double) -> ModifiedContent<Self, OpacityModifier> {
        modifier(OpacityModifier(opacity: opacity))
    }

    /// Draws a line along the edges, over the view.
    public func border(_ color: Color, width points: Int = 1) -> ModifiedContent<Self, BorderModifier> {
        modifier(BorderModifier(color: color, points: points))
    }

    /// Puts a view behind this one.
    public func background<Background: View>(
        alignment: Alignment = .center, @ViewBuilder _ background: () -> Background
    ) -> ModifiedContent<Self, AttachedModifier<Background>> {
        modifier(AttachedModifier(attachment: background(), alignment: alignment, isInFront: false))
    }

    /// Puts a view behind this one.
    public func background<Background: View>(
        _ background: Background, alignment: Alignment = .center
    ) -> ModifiedContent<Self, AttachedModifier<Background>> {
        modifier(AttachedModifier(attachment: background, alignment: alignment, isInFront: false))
    }

    /// Puts a view in front of this one.
    public func overlay<Overlay: View>(
        alignment: Alignment = .center, @ViewBuilder _ overlay: () -> Overlay
    ) -> ModifiedContent<Self, AttachedModifier<Overlay>> {
        modifier(AttachedModifier(attachment: overlay(), alignment: alignment, isInFront: true))
    }

    /// Puts a view in front of this one.
    public func overlay<Overlay: View>(
        _ overlay: Overlay, alignment: Alignment = .center
    ) -> ModifiedContent<Self, AttachedModifier<Overlay>> {
        modifier(AttachedModifier(attachment: overlay, alignment: alignment, isInFront: true))
    }
}
