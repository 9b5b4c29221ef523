// SPDX-License-Identifier: MIT
// A view that acts when it is tapped, and how input finds its target.

/// A label that runs an action when it is tapped.
public struct Button<Label: View>: PrimitiveView {
    let label: Label
    let title: String?
    let action: @MainActor () -> Void

    /// Makes a button; a script finds it by ``View/inputName(_:)``.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.label = label()
        title = nil
        self.action = action
    }

    /// A node that takes taps.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        WrapperNode(view, in: context) { button in
            Control(title: button.title, label: button.label) { event, _ in
                guard event.kind == .tap else { return false }
                button.action()
                return true
            }
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

/// Gives a view a name by which input finds it.
public struct InputNameModifier: ViewModifier {
    /// Primitive.
    public typealias Body = Never
    let name: String

    /// A node that passes input on to the first view in it that takes it.
    public static func makeNode<Modified: View>(
        _ view: ModifiedContent<Modified, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<Modified, Self>> {
        NameNode(view, in: context) { $0.content }
    }

    private final class NameNode<Content: View>:
        WrapperNode<ModifiedContent<Content, InputNameModifier>, Content>, InputTarget
    {
        override func didMount() {
            loop.inputs.register(self, as: view.modifier.name)
            super.didMount()
        }

        override func viewDidChange(from old: ModifiedContent<Content, InputNameModifier>) {
            if old.modifier.name != view.modifier.name { loop.inputs.rename(self, to: view.modifier.name) }
            super.viewDidChange(from: old)
        }

        override func willUnmount() { loop.inputs.remove(self) }

        var passesInputOn: Bool { true }

        func receive(_ event: InputEvent) -> Bool { child.map { $0.offer(event) } ?? false }
    }
}

extension Node {
    /// Whether no view around it lets everything through, as of the last commit.
    var isSeen: Bool {
        var node: Node? = self
        while let current = node {
            if current.ownLayer?.isTransparent == true { return false }
            node = current.parent
        }
        return true
    }

    /// Offers input to this node and those below, in order, until one takes it.
    func offer(_ event: InputEvent) -> Bool {
        guard ownLayer?.isTransparent != true else { return false }
        if let target = self as? any InputTarget, target.receive(event) { return true }
        var isTaken = false
        forEachChild { if !isTaken { isTaken = $0.offer(event) } }
        return isTaken
    }
}

extension View {
    /// Gives the view a name, by which scripts and tests find it.
    public func inputName(_ name: String) -> ModifiedContent<Self, InputNameModifier> {
        modifier(InputNameModifier(name: name))
    }
}
