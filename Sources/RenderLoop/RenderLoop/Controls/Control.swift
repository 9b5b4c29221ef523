// SPDX-License-Identifier: MIT
// What all controls share: a label, a name by which scripts find it, and input.

/// A view that takes input; buttons, fields and switches are made of it.
package struct Control<Label: View>: PrimitiveView {
    /// By which scripts find the control; nil for one that is found by ``View/inputName(_:)`` alone.
    let title: String?
    /// Whether typed characters without a target may come here.
    let takesKeys: Bool
    /// What a renderer with controls of its own shows around the label; nil for the label alone.
    let face: ControlFace?
    let label: Label
    /// Takes an event, with the layer as it is laid out; false if it is not for this control.
    let receive: @MainActor (InputEvent, Layer) -> Bool

    /// Makes a view that hands input to `receive`.
    package init(
        title: String? = nil, takesKeys: Bool = false, face: ControlFace? = nil, label: Label,
        receive: @escaping @MainActor (InputEvent, Layer) -> Bool
    ) {
        self.title = title
        self.takesKeys = takesKeys
        self.face = face
        self.label = label
        self.receive = receive
    }

    package static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ControlNode(view, in: context, content: { $0.label }) { view, layer in
            layer.layout = .joined(.center)
            if let face = view.face, layer.drawsControls { layer.content = .control(face) }
        }
    }
}

private final class ControlNode<Label: View>: LayerNode<Control<Label>, Label>, InputTarget {
    override func didMount() {
        super.didMount()
        loop.inputs.register(self, as: view.title, takesKeys: view.takesKeys)
    }

    override func willUnmount() { loop.inputs.remove(self, takesKeys: view.takesKeys) }

    override func viewDidChange(from old: Control<Label>) {
        super.viewDidChange(from: old)
        if old.title != view.title { loop.inputs.rename(self, to: view.title) }
    }

    func receive(_ event: InputEvent) -> Bool {
        guard view.receive(event, layer) else { return false }
        switch event.kind {
        case .tap where view.takesKeys: loop.inputs.focused = self
        case .began: loop.inputs.captured = self
        default: break
        }
        return true
    }
}
