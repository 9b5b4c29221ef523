// SPDX-License-Identifier: MIT
// Names by which input finds views.

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
