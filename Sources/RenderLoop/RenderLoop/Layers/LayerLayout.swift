// SPDX-License-Identifier: MIT
// How layers find their sizes and places: stacks, frames, several layers in one, and space that is left.

/// A layout by an algorithm; equal to itself alone.
@MainActor
public class CustomLayerLayout: Equatable {
    /// The size of a layer; asks ``Layer/measure(_:)`` of its sublayers.
    func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize { .zero }
    /// Calls ``Layer/place(at:size:)`` of each sublayer.
    func place(_ layer: Layer) {}

    /// Whether both are the same object.
    public nonisolated static func == (lhs: CustomLayerLayout, rhs: CustomLayerLayout) -> Bool { lhs === rhs }
}

/// How a layer finds its size and places its sublayers.
///
/// Where the content is several layers (of a label or an attachment with several statements), they lie as they would without
/// the layer around them: as in the nearest stack; over one another in a ``ZStack``, a background or an overlay; else one below
/// the other.
public enum LayerLayout: Equatable {
    /// As large as its content.
    case leaf
    /// As large as it is proposed to be.
    case fill
    /// One after the other.
    case stack(Axis, spacing: Int, Alignment.Position)
    /// Over one another, the last in front; as large as the largest.
    case overlaid(Alignment)
    /// As large as its content, which several sublayers may be.
    case joined(Alignment)
    /// The content with a distance around.
    case padding(EdgeInsets)
    /// Of fixed size, where one is given.
    case frame(width: Int?, height: Int?, Alignment)
    /// Within limits as large as it is proposed to be.
    case limits(width: LengthLimits, height: LengthLimits, Alignment)
    /// Space that is left in a stack, and at least so much; as large as it is proposed to be elsewhere.
    case spacer(minLength: Int)
    /// Somewhere else than where it would be.
    case offset(x: Int, y: Int)
    /// The first `count` sublayers are the content, which decides the size; all others get that size proposed.
    case attached(Alignment)
    /// By an algorithm.
    case custom(CustomLayerLayout)
}

@available(*, unavailable)
extension LayerLayout: Sendable {}

extension Layer {
    /// How several layers of one content follow one another.
    struct Joint {
        var axis = Axis.vertical
        var spacing = 0
        var position = Alignment.Position.leading
    }

    /// How the content's layers lie; nil where there is one, and where they lie over one another.
    ///
    /// That is the content of a control, of an attachment or of a row; a modifier of several views has a layer around each.
    var joint: Joint? {
        guard contentRange.count > 1 else { return nil }
        var inner = self
        while let layer = inner.outer {
            switch layer.layout {
            case .stack(let axis, let spacing, let position):
                return Joint(axis: axis, spacing: spacing, position: position)
            case .overlaid, .fill, .spacer: return nil
            case .attached where !layer.isContent(inner): return nil
            case .custom: return Joint()
            case .attached, .joined, .leaf, .padding, .frame, .limits, .offset: inner = layer
            }
        }
        return Joint()
    }

    /// Arranges anew what lies as this layer, which now has another layout, says.
    func rearrangeJoints(_ layout: LayoutPass) {
        for layer in sublayers {
            switch layer.layout {
            case .spacer: layout.insert(layer)
            case .stack, .overlaid, .fill, .custom: continue
            case .attached, .joined, .leaf, .padding, .frame, .limits, .offset:
                if layer.contentRange.count > 1 { layout.insert(layer) }
                layer.rearrangeJoints(layout)
            }
        }
    }

    /// How far the layer takes up space that is left, each way; nothing where its size follows from its content.
    ///
    /// It follows from the layouts of the layer and of those in it, and not from sizes.
    var currentGrowth: CellSize {
        switch layout {
        case .fill, .custom: .zero
        case .leaf, .overlaid, .joined, .padding, .offset, .attached: contentGrowth(along: joint?.axis)
        case .stack(let axis, _, _): contentGrowth(along: axis)
        case .frame(let width, let height, _):
            contentGrowth(along: joint?.axis).keeping(width: width == nil, height: height == nil)
        case .limits(let width, let height, _):
            contentGrowth(along: joint?.axis).limited(width: width.max, height: height.max)
        case .spacer: stackAxis.map { CellSize.all(along: $0) } ?? .all
        }
    }

    /// The layers of the content together.
    func contentGrowth(along axis: Axis?) -> CellSize {
        var growth = CellSize.zero
        for layer in contentLayers where layer.growth != .zero {
            growth = growth.joined(with: layer.growth, along: axis)
        }
        return growth
    }

    /// The direction of the stack that the layer is a part of; nil where none is around it.
    var stackAxis: Axis? {
        var inner = self
        while let layer = inner.outer {
            switch layer.layout {
            case .stack(let axis, _, _): return axis
            case .overlaid, .fill, .custom, .spacer: return nil
            case .attached where !layer.isContent(inner): return nil
            case .attached, .joined, .leaf, .padding, .frame, .limits, .offset: inner = layer
            }
        }
        return nil
    }

    /// Proposes equal parts of the space that is left to layers that take it up, those with the least use for it first.
    ///
    /// Calls with the size of each.
    func share(
        _ space: Int, among layers: [Layer], along axis: Axis, _ proposal: ProposedSize, _ take: (CellSize) -> Void
    ) {
        let order = layers.enumerated().sorted {
            ($0.element.growth.along(axis), $0.offset) < ($1.element.growth.along(axis), $1.offset)
        }
        var left = max(0, space)
        for (index, (_, layer)) in order.enumerated() {
            let size = layer.measure(proposal.with(left / (order.count - index), along: axis))
            left = max(0, left - size.along(axis))
            take(size)
        }
    }
}

extension CellSize {
    /// As much as there can be.
    fileprivate static var all: CellSize { CellSize(width: .max, height: .max) }

    fileprivate static func all(along axis: Axis) -> CellSize {
        axis == .horizontal ? CellSize(width: .max, height: 0) : CellSize(width: 0, height: .max)
    }

    fileprivate func keeping(width keepsWidth: Bool, height keepsHeight: Bool) -> CellSize {
        CellSize(width: keepsWidth ? width : 0, height: keepsHeight ? height : 0)
    }

    fileprivate func limited(width: Int?, height: Int?) -> CellSize {
        CellSize(width: width ?? self.width, height: height ?? self.height)
    }

    /// One after the other along the axis, side by side across it.
    fileprivate func joined(with other: CellSize, along axis: Axis?) -> CellSize {
        CellSize(
            width: axis == .horizontal ? width + other.width : max(width, other.width),
            height: axis == .vertical ? height + other.height : max(height, other.height))
    }
}

extension ProposedSize {
    fileprivate func with(_ length: Int, along axis: Axis) -> ProposedSize {
        axis == .horizontal ? ProposedSize(width: length, height: height) : ProposedSize(width: width, height: length)
    }
}

// How large texts and controls are where a renderer draws them with fonts and controls of its own.

/// What a control looks like, for a renderer that has controls of its own.
public enum ControlFace: Hashable, Sendable {
    /// Something to press, around a label.
    case button
    /// A line of text; the title stands in the place of an empty one.
    case field(String, title: String)
    /// A value from 0 to 1.
    case slider(Double)
}

/// The font of a text, as the layers around it say it.
package struct TextLook: Hashable, Sendable {
    /// Nil for the renderer's own.
    package var font: Font?

    /// The renderer's own font.
    package init() {}

    /// Takes up what a layer says of those in it.
    package mutating func enter(_ content: LayerContent) {
        if case .font(let font) = content { self.font = font }
    }
}

/// Sizes of what a renderer draws itself. Without one, a character is a cell and a control is characters.
@MainActor
package protocol LayerMetrics: AnyObject {
    /// The cells that a text takes.
    func size(of text: String, _ look: TextLook) -> CellSize
    /// The cells that a control takes around its label.
    func size(of face: ControlFace, label: CellSize) -> CellSize
}

extension Layer {
    /// Whether the renderer draws controls itself, so that a control need not be characters.
    package var drawsControls: Bool { owningTree?.metrics != nil }

    /// Whether a tool shows the layer, and no view.
    package var isOfTool: Bool { owner == nil }

    /// The font of the layer's text: the nearest one counts. As many steps as layers are above.
    private var look: TextLook {
        var look = TextLook()
        for layer in Array(sequence(first: self, next: \.outer)).reversed() { look.enter(layer.content) }
        return look
    }

    func textSize(_ text: String) -> CellSize {
        owningTree?.metrics?.size(of: text, look) ?? TextMetrics.size(of: text)
    }

    /// The size of a control around what it labels; that itself where it has no face.
    func faceSize(_ label: CellSize) -> CellSize {
        guard case .control(let face) = content, let metrics = owningTree?.metrics else { return label }
        return metrics.size(of: face, label: label)
    }

    /// The layer says another font: texts in it are measured anew.
    func remeasureTexts(_ layout: LayoutPass) {
        if case .text = content { layout.insert(self) }
        for layer in sublayers { layer.remeasureTexts(layout) }
    }
}
