// SPDX-License-Identifier: MIT
// A view that acts when it is tapped, and how input finds its target.

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
