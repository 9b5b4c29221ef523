// SPDX-License-Identifier: MIT
// Several layers that are the content of one: they lie as they would without it.

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
}
