// SPDX-License-Identifier: MIT
// A control for a yes or no.

/// A switch with a label; a tap turns it over.
///
/// It reads the value itself, as a ``TextField`` does, and takes a value of at least one half for on. Scripts find it by
/// its title. Shown as `[x] label` or `[ ] label`.
public struct Toggle<Label: View>: View {
    private let title: String?
    private let label: Label
    @Binding private var isOn: Bool

    /// Makes a switch with a label; a script finds it by ``View/inputName(_:)``.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        title = nil
        self.label = label()
        _isOn = isOn
    }

    /// The switch and its label.
    public var body: some View {
        Control(
            title: title,
            label: HStack {
                FaceView(face: .toggle(isOn), characters: isOn ? "[x]" : "[ ]")
                label
            }
        ) { event, _ in
            switch event.kind {
            case .tap: isOn.toggle()
            case .value(let value) where !value.isNaN: isOn = value >= 0.5
            default: return false
            }
            return true
        }
    }
}

extension Toggle where Label == Text {
    /// Makes a switch with a text, by which a script finds it.
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
        self.title = String(title)
        label = Text(title)
        _isOn = isOn
    }
}
