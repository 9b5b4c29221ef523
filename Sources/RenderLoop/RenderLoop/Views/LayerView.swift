// SPDX-License-Identifier: MIT
// Primitive views and modifiers that have a layer: the one mechanism for everything that draws. Texts and colours are the simplest.

public import Foundation

/// A primitive view with a layer of its own.
///
/// To add one, say what the layer shows and how it arranges what is in it:
///
///     struct Rule: LayerView {
///         func configure(_ layer: Layer) { layer.content = .text("----") }
///     }
public protocol LayerView: PrimitiveView {
    /// The views in it; `EmptyView` where there are none.
    associatedtype Content: View = EmptyView

    /// The views in it.
    var content: Content { get }

    /// Sets what the layer shows, its opacity and its layout. Called when the view appears and whenever it gets new
    /// values; setting what is set already costs nothing.
    func configure(_ layer: Layer)
}

extension LayerView where Content == EmptyView {
    /// None.
    public var content: EmptyView { EmptyView() }
}

extension LayerView {
    /// A node with a layer.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        LayerNode(view, in: context, content: { $0.content }, configure: { $0.configure($1) })
    }
}

/// A primitive modifier with a layer around the modified view.
public protocol LayerModifier: PrimitiveModifier {
    /// As for a ``LayerView``; in the layer are those of the modified view.
    func configure(_ layer: Layer)
}

extension LayerModifier {
    /// A node with a layer around the content.
    public static func makeNode<V: View>(
        _ view: ModifiedContent<V, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<V, Self>> {
        LayerNode(view, in: context, content: { $0.content }, configure: { $0.modifier.configure($1) })
    }
}

/// A node with a layer, in which those of its content are.
class LayerNode<Content: View, Child: View>: WrapperNode<Content, Child> {
    private(set) final lazy var layer = Layer(of: self)
    private let configure: (Content, Layer) -> Void

    /// Makes a node; `configure` sets what the layer shows whenever the view has new values.
    init(
        _ view: Content, in context: NodeContext, content: @escaping (Content) -> Child,
        configure: @escaping (Content, Layer) -> Void
    ) {
        self.configure = configure
        super.init(view, in: context, content: content)
    }

    override var ownLayer: Layer? { layer }

    override func didMount() {
        configure(view, layer)
        guard Child.self != EmptyView.self else { return graph.layers.layout.insert(layer) }
        super.didMount()
        graph.layers.layout.sublayersChanged(of: layer)
    }

    override func viewDidChange(from old: Content) {
        configure(view, layer)
        super.viewDidChange(from: old)
    }
}

/// Lines of characters.
public struct Text: LayerView {
    /// What is shown.
    public let string: String

    /// Shows a text; line feeds begin new lines.
    public init(_ string: some StringProtocol) { self.string = String(string) }

    /// The layer shows the text.
    public func configure(_ layer: Layer) { layer.content = .text(string) }
}

extension Color: LayerView {
    /// Fills the proposed size, unless the colour is clear.
    public func configure(_ layer: Layer) {
        layer.layout = .fill
        layer.content = isClear ? .none : .fill(self)
    }
}

/// A layer that says the font of what is in it, and changes nothing of its size.
struct FontModifier: LayerModifier {
    let font: Font?
    func configure(_ layer: Layer) { layer.content = .font(font) }
}

extension View {
    /// Sets the font of the texts in the view; nil for the renderer's own. The nearest one counts.
    public func font(_ font: Font?) -> some View { modifier(FontModifier(font: font)) }
}

// Modifiers with a layer around the view, and frames with limits.

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

// Views one after the other or over one another, and the space between them.

/// Views from top to bottom.
public struct VStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: HorizontalAlignment
    private let spacing: Int

    /// Stacks views with a distance in cells; none without one.
    public init(
        alignment: HorizontalAlignment = .center, spacing: Int? = nil, @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing ?? 0
        self.content = content()
    }

    /// The layer stacks what is in it.
    public func configure(_ layer: Layer) { layer.layout = .stack(.vertical, spacing: spacing, alignment.position) }
}

/// Views from left to right.
public struct HStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: VerticalAlignment
    private let spacing: Int

    /// Stacks views with a distance in cells; one without one.
    public init(alignment: VerticalAlignment = .center, spacing: Int? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing ?? 1
        self.content = content()
    }

    /// The layer stacks what is in it.
    public func configure(_ layer: Layer) { layer.layout = .stack(.horizontal, spacing: spacing, alignment.position) }
}

/// Views over one another, the last in front.
public struct ZStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: Alignment

    /// Lays views over one another.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    /// The layer lays what is in it over one another.
    public func configure(_ layer: Layer) { layer.layout = .overlaid(alignment) }
}

/// Takes up the space that is left in the stack around it; several share it.
///
/// Outside of a stack it is as large as it is proposed to be.
public struct Spacer: LayerView {
    private let minLength: CGFloat?

    /// Takes up at least so many cells; none without a length.
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    /// The layer is space.
    public func configure(_ layer: Layer) { layer.layout = .spacer(minLength: max(0, minLength?.cells ?? 0)) }
}
