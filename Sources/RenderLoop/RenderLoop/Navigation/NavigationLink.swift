// SPDX-License-Identifier: MIT
// Links to pages, and which pages values have.

/// A label that shows a page of the ``NavigationStack`` around when it is tapped. Outside of one it does nothing.
public struct NavigationLink<Label: View, Destination: View>: WrapperContent {
    private enum Target {
        case value(AnyHashable?)
        case view(Destination)
    }

    private let title: String?
    private let label: Label
    private let target: Target

    private init(title: String?, label: Label, target: Target) {
        self.title = title
        self.label = label
        self.target = target
    }

    var content: some View {
        Control(title: title, face: .link, label: label) { event, layer in
            guard event.kind == .tap, let node = layer.owner as? Node else { return false }
            guard let navigator = node.environment.values.navigator else { return false }
            switch target {
            case .value(let value): value.map { navigator.push($0) }
            case .view(let view): navigator.push(AnyView(view))
            }
            return true
        }
    }
}

extension NavigationLink {
    /// Links to a view; a script finds the link by ``View/inputName(_:)``.
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.init(title: nil, label: label(), target: .view(destination()))
    }

    /// Links to a view; a script finds the link by ``View/inputName(_:)``.
    public init(destination: Destination, @ViewBuilder label: () -> Label) {
        self.init(title: nil, label: label(), target: .view(destination))
    }
}

extension NavigationLink where Label == Text {
    /// Links to a view by a text, by which a script finds it.
    public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) {
        self.init(title: String(title), label: Text(title), target: .view(destination()))
    }

    /// Links to a view by a text, by which a script finds it.
    public init(_ title: some StringProtocol, destination: Destination) {
        self.init(title: String(title), label: Text(title), target: .view(destination))
    }
}

extension NavigationLink where Destination == Never {
    /// Links to the page of a value; nil links to nothing. A script finds the link by ``View/inputName(_:)``.
    public init<Value: Hashable>(value: Value?, @ViewBuilder label: () -> Label) {
        self.init(title: nil, label: label(), target: .value(value.map { AnyHashable($0) }))
    }
}

extension NavigationLink where Label == Text, Destination == Never {
    /// Links to the page of a value by a text, by which a script finds it; nil links to nothing.
    public init<Value: Hashable>(_ title: some StringProtocol, value: Value?) {
        self.init(title: String(title), label: Text(title), target: .value(value.map { AnyHashable($0) }))
    }
}

/// Says which page the values of a type have.
struct DestinationModifier<Value: Hashable>: CommonModifier {
    let make: @MainActor (Value) -> AnyView

    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        DestinationNode(view, in: context) { $0.content }
    }

    private final class DestinationNode<Content: View>: ModifierNode<DestinationModifier, Content> {
        override func didMount() {
            super.didMount()
            register()
        }

        override func viewDidChange(from old: ModifiedContent<Content, DestinationModifier>) {
            super.viewDidChange(from: old)
            if ValueComparison.firstDifference(old.modifier, view.modifier) != nil { register() }
        }

        private func register() { environment.values.navigator?.register(Value.self, view.modifier.make) }
    }
}

extension View {
    /// Says which page the values of a type have in the ``NavigationStack`` around.
    public func navigationDestination<Value: Hashable, Destination: View>(
        for type: Value.Type, @ViewBuilder destination: @escaping @MainActor (Value) -> Destination
    ) -> some View {
        modifier(DestinationModifier<Value> { AnyView(destination($0)) })
    }
}
