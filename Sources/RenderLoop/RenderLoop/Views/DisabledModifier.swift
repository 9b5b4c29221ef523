// SPDX-License-Identifier: MIT
// Whether the controls of a part of the tree take input.

private struct EnabledKey: EnvironmentKey {
    static var defaultValue: Bool { true }
}

extension EnvironmentValues {
    /// Whether controls take input. ``View/disabled(_:)`` sets it.
    public var isEnabled: Bool {
        get { self[EnabledKey.self] }
        set { self[EnabledKey.self] = newValue }
    }
}

extension View {
    /// Keeps input from the controls and gestures in the view.
    ///
    /// Where a view around is disabled, `disabled(false)` changes nothing. What a disabled view does not take is offered to
    /// the views around it. A renderer finds it as ``LayerContent/disabled(_:)``.
    public func disabled(_ disabled: Bool) -> some View {
        transformEnvironment(\.isEnabled) { $0 = $0 && !disabled }
            .modifier(StyleModifier(style: .disabled(disabled)))
    }
}

extension Node {
    /// Whether no view around it keeps input from it.
    final var isEnabled: Bool { environment.values.isEnabled }
}
