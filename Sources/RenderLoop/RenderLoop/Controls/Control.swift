// SPDX-License-Identifier: MIT
// All controls share a label, a name for input, and a face that shows a value. A button is the simplest control.

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

/// Gives a view a name by which input finds it.
package struct InputNameModifier: PrimitiveModifier {
    let name: String

    /// A node that passes input on to the first view in it that takes it.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        NameNode(view, in: context) { $0.content }
    }

    private final class NameNode<Content: View>: ModifierNode<InputNameModifier, Content>, InputTarget {
        override func didMount() {
            loop.inputs.register(self, as: view.modifier.name)
            super.didMount()
        }

        override func viewDidChange(from old: ModifiedContent<Content, InputNameModifier>) {
            if old.modifier.name != view.modifier.name { loop.inputs.rename(self, to: view.modifier.name) }
            super.viewDidChange(from: old)
        }

        override func willUnmount() { loop.inputs.remove(self) }

        /// The name is for the views in it, which are offered the event, too.
        func receive(_ event: InputEvent) -> Bool { false }
    }
}

extension View {
    /// Gives the view a name, by which scripts and tests find it.
    public func inputName(_ name: String) -> some View {
        modifier(InputNameModifier(name: name))
    }
}

/// A control's value: as the renderer's own control, or as characters where it has none.
struct FaceView: LayerView {
    let face: ControlFace
    let characters: String

    /// The layer shows one of both.
    func configure(_ layer: Layer) { layer.content = layer.drawsControls ? .control(face) : .text(characters) }
}

/// A label that runs an action when it is tapped.
public struct Button<Label: View>: WrapperContent {
    let label: Label
    let title: String?
    let action: @MainActor () -> Void

    /// Makes a button; a script finds it by ``View/inputName(_:)``.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.label = label()
        title = nil
        self.action = action
    }

    var content: some View {
        Control(title: title, face: .button, label: label) { event, _ in
            guard event.kind == .tap else { return false }
            action()
            return true
        }
    }
}

extension Button where Label == Text {
    /// Makes a button with a text, by which a script finds it.
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
        label = Text(title)
        self.title = String(title)
        self.action = action
    }
}
