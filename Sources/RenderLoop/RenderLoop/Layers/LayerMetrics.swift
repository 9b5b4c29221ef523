// SPDX-License-Identifier: MIT
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
