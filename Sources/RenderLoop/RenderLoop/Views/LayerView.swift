// SPDX-License-Identifier: MIT
// Primitive views and modifiers that have a layer: the one mechanism for everything that draws. Texts and colours are the simplest.

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
