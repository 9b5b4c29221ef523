// SPDX-License-Identifier: MIT
// A view that knows its size.

/// What a view knows of its place after a layout.
public struct GeometryProxy: Hashable, Sendable {
    /// The size that the view has.
    public let size: CellSize
    /// Where it is on the screen.
    public let frame: CellRect
}

/// A view as large as it is proposed to be, whose content knows the size.
///
/// The content is evaluated again when the layout has given it another size or place, in the same phase.
public struct GeometryReader<Content: View>: View {
    private let content: @MainActor (GeometryProxy) -> Content
    @State private var proxy = GeometryProxy(size: .zero, frame: .zero)

    /// Makes a view of what its content makes of the size.
    public init(@ViewBuilder content: @escaping @MainActor (GeometryProxy) -> Content) { self.content = content }

    /// The content in a layer that reports where it is.
    public var body: ModifiedContent<Content, GeometryModifier> {
        content(proxy).modifier(
            GeometryModifier(fills: true) { [$proxy] layer in
                $proxy.wrappedValue = GeometryProxy(size: layer.frame.size, frame: layer.screenFrame)
            })
    }
}

/// Reports the size and place that the layout gives to a view.
public struct GeometryModifier: ViewModifier {
    /// Primitive.
    public typealias Body = Never
    let fills: Bool
    let report: @MainActor (Layer) -> Void

    /// Makes a modifier; `report` is called after the first layout and after each that changed the layer's size or its
    /// place on the screen, also where it is a view around it that moved. What it invalidates is evaluated in the same
    /// phase.
    public init(fills: Bool = false, report: @escaping @MainActor (Layer) -> Void) {
        self.fills = fills
        self.report = report
    }

    /// A node with a layer that is followed.
    public static func makeNode<Modified: View>(
        _ view: ModifiedContent<Modified, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<Modified, Self>> {
        LayerNode(view, in: context, content: { $0.content }) { view, layer in
            layer.layout = view.modifier.fills ? .fill : .overlaid(.topLeading)
            layer.follow(view.modifier.report)
        }
    }
}
