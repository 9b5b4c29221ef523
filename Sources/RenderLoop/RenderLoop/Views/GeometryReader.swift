// SPDX-License-Identifier: MIT
// A view that knows its size.

/// What a view knows of its place after a layout.
public struct GeometryProxy: Hashable, Sendable {
    /// Where it is on the screen.
    public let frame: CellRect
    /// The size that the view has.
    public var size: CellSize { frame.size }
}

/// A view as large as it is proposed to be, whose content knows the size.
///
/// The content is evaluated when the first layout has given the view its size, and again when a layout gives it another
/// size or place; both in the phase of that layout.
public struct GeometryReader<Content: View>: PrimitiveView {
    fileprivate let content: @MainActor (GeometryProxy) -> Content

    /// Makes a view of what its content makes of the size.
    public init(@ViewBuilder content: @escaping @MainActor (GeometryProxy) -> Content) { self.content = content }

    /// A node with a layer that is followed, which makes the content as soon as it knows the size.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        GeometryNode(view, in: context, measured: MeasuredGeometry())
    }
}

/// The content before and after there is a size.
private final class GeometryNode<Content: View>: LayerNode<GeometryReader<Content>, MeasuredContent<Content>?> {
    private let measured: MeasuredGeometry

    init(_ view: GeometryReader<Content>, in context: NodeContext, measured: MeasuredGeometry) {
        self.measured = measured
        super.init(
            view, in: context,
            content: { view in
                measured.isKnown ? MeasuredContent(content: view.content, geometry: measured) : nil
            },
            configure: { _, layer in layer.layout = .fill })
    }

    override func didMount() {
        super.didMount()
        layer.follow { [weak self] layer in
            self?.take(GeometryProxy(frame: layer.screenFrame))
        }
    }

    private func take(_ proxy: GeometryProxy) {
        guard isMounted else { return }
        if !measured.isKnown { invalidate(EvaluationReason(.graph, MeasuredGeometry.reasonName)) }
        measured.set(proxy)
    }

    /// There is a size now.
    override func evaluate() {
        isQueued = false
        forgetReasons()
        viewDidChange(from: view)
    }
}

/// The result of the last layout; its readers depend on it.
private final class MeasuredGeometry: DependencySource {
    static let reasonName = "size"

    private var proxy: GeometryProxy?
    var isKnown: Bool { proxy != nil }

    var value: GeometryProxy {
        CurrentEvaluation.read(self)
        return proxy ?? GeometryProxy(frame: .zero)
    }

    func set(_ new: GeometryProxy) {
        guard proxy != new else { return }
        proxy = new
        forEachReader { $0.invalidate(EvaluationReason(.graph, Self.reasonName)) }
    }
}

/// What the closure of a ``GeometryReader`` makes of the size.
private struct MeasuredContent<Content: View>: View, NamedForAnother {
    static var nameType: Any.Type { GeometryReader<Content>.self }

    let content: @MainActor (GeometryProxy) -> Content
    let geometry: MeasuredGeometry

    var body: Content { content(geometry.value) }
}
