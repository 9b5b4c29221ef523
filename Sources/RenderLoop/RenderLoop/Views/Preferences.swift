// SPDX-License-Identifier: MIT
// Values that views hand up to those above them.

/// Names a value that views hand up, and says how several become one.
@MainActor
public protocol PreferenceKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no view below has one.
    static var defaultValue: Value { get }
    /// Adds the value of a view that comes later in the tree's order.
    static func reduce(value: inout Value, nextValue: () -> Value)
}

/// A node that hands a value up; those of the views below it are replaced by it.
@MainActor
protocol PreferenceSource: Node {
    /// The value, if it is of this key.
    func preference(_ key: ObjectIdentifier) -> Any?
}

/// Hands a value up.
package struct PreferenceModifier<Key: PreferenceKey>: PrimitiveModifier {
    let value: Key.Value

    /// A node that has the value.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        PreferenceNode(view, in: context) { $0.content }
    }

    private final class PreferenceNode<Content: View>: ModifierNode<PreferenceModifier<Key>, Content>, PreferenceSource
    {
        override func didMount() {
            super.didMount()
            preferenceDidChange(Key.self)
        }

        override func viewDidChange(from old: ModifiedContent<Content, PreferenceModifier<Key>>) {
            super.viewDidChange(from: old)
            if ValueComparison.firstDifference(old.modifier.value, view.modifier.value) != nil {
                preferenceDidChange(Key.self)
            }
        }

        override func willUnmount() { preferenceDidChange(Key.self) }

        func preference(_ key: ObjectIdentifier) -> Any? {
            key == ObjectIdentifier(Key.self) ? view.modifier.value : nil
        }
    }
}

/// Runs an action when the value that views below hand up has changed.
package struct PreferenceChangeModifier<Key: PreferenceKey>: PrimitiveModifier where Key.Value: Equatable {
    let action: @MainActor (Key.Value) -> Void

    /// A node that follows the value.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        FollowingNode(view, in: context) { $0.content }
    }

    private final class FollowingNode<Content: View>: ModifierNode<PreferenceChangeModifier<Key>, Content>,
        PreferenceFollower
    {
        private lazy var handler = Handler("onPreferenceChange(\(Key.self))", of: self)
        private var latest: Key.Value?
        private var isScheduled = false
        /// Who handed something else up since the last check; noted while there are probes.
        private var causes: [Node] = []

        override func didMount() {
            super.didMount()
            check()
        }

        func preferenceDidChange(_ key: ObjectIdentifier?, at node: Node) {
            guard key == nil || key == ObjectIdentifier(Key.self) else { return }
            if graph.probeOffers > 0, let holder = node.holder { causes.append(holder) }
            check()
        }

        /// The value is made when the whole tree is up to date.
        private func check() {
            guard !isScheduled else { return }
            isScheduled = true
            graph.afterEvaluation { [self] in
                isScheduled = false
                let causes = causes
                self.causes = []
                guard isMounted else { return }
                let value = reduced(Key.self)
                guard value != latest else { return }
                latest = value
                let action = view.modifier.action
                handler.schedule(causes: causes) { action(value) }
            }
        }
    }
}

/// A node that wants to know of changed preferences below it.
@MainActor
protocol PreferenceFollower: Node {
    /// At which node; the key is nil where any may have changed.
    func preferenceDidChange(_ key: ObjectIdentifier?, at node: Node)
}

extension Node {
    /// Tells the followers above. As many steps as nodes are above.
    func preferenceDidChange<Key: PreferenceKey>(_: Key.Type) { tellFollowers(of: ObjectIdentifier(Key.self)) }

    /// Tells the followers above that what is below stands in another order.
    func preferencesDidMove() { tellFollowers(of: nil) }

    private func tellFollowers(of key: ObjectIdentifier?) {
        for case let follower as any PreferenceFollower in chain.dropFirst() {
            follower.preferenceDidChange(key, at: self)
        }
    }

    /// What the views below hand up. As many steps as nodes are below.
    func reduced<Key: PreferenceKey>(_ key: Key.Type) -> Key.Value {
        var value: Key.Value?
        forEachChild { $0.reduce(key, into: &value) }
        return value ?? Key.defaultValue
    }

    private func reduce<Key: PreferenceKey>(_ key: Key.Type, into value: inout Key.Value?) {
        // Not in one step: of a node that has none, nil would do where the value is optional.
        if let found = (self as? any PreferenceSource)?.preference(ObjectIdentifier(key)),
            let own = found as? Key.Value
        {
            guard var sum = value else { return value = own }
            key.reduce(value: &sum) { own }
            value = sum
        } else {
            forEachChild { $0.reduce(key, into: &value) }
        }
    }
}

extension View {
    /// Hands a value up to the views above.
    public func preference<Key: PreferenceKey>(
        key: Key.Type, value: Key.Value
    ) -> some View {
        modifier(PreferenceModifier<Key>(value: value))
    }

    /// Runs an action after an evaluation and its layout when the value of the views below has changed, and once when
    /// the view appears; at most twice a turn.
    public func onPreferenceChange<Key: PreferenceKey>(
        _ key: Key.Type, perform action: @escaping @MainActor (Key.Value) -> Void
    ) -> some View where Key.Value: Equatable {
        modifier(PreferenceChangeModifier<Key>(action: action))
    }
}

// A view that knows its size.

/// What a view knows of its place after a layout.
public struct GeometryProxy: Hashable, Sendable {
    /// Where it is on the screen.
    public let frame: CellRect
    /// The size that the view has.
    public var size: CellSize { frame.size }
}

/// A view as large as it is proposed to be, whose content knows the size.
///
/// The content is evaluated when the first layout has given the view its size, and again when a layout gives it another
/// size or place; both in the phase of that layout.
public struct GeometryReader<Content: View>: PrimitiveView {
    fileprivate let content: @MainActor (GeometryProxy) -> Content

    /// Makes a view of what its content makes of the size.
    public init(@ViewBuilder content: @escaping @MainActor (GeometryProxy) -> Content) { self.content = content }

    /// A node with a layer that is followed, which makes the content as soon as it knows the size.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        GeometryNode(view, in: context, measured: MeasuredGeometry())
    }
}

/// The content before and after there is a size.
private final class GeometryNode<Content: View>: LayerNode<GeometryReader<Content>, MeasuredContent<Content>?> {
    private let measured: MeasuredGeometry

    init(_ view: GeometryReader<Content>, in context: NodeContext, measured: MeasuredGeometry) {
        self.measured = measured
        super.init(
            view, in: context,
            content: { view in
                measured.isKnown ? MeasuredContent(content: view.content, geometry: measured) : nil
            },
            configure: { _, layer in layer.layout = .fill })
    }

    override func didMount() {
        super.didMount()
        layer.follow { [weak self] layer in
            self?.take(GeometryProxy(frame: layer.screenFrame))
        }
    }

    private func take(_ proxy: GeometryProxy) {
        guard isMounted else { return }
        if !measured.isKnown { invalidate(EvaluationReason(.graph, MeasuredGeometry.reasonName)) }
        measured.set(proxy)
    }

    /// There is a size now.
    override func evaluate() {
        isQueued = false
        forgetReasons()
        viewDidChange(from: view)
    }
}

/// The result of the last layout; its readers depend on it.
private final class MeasuredGeometry: DependencySource {
    static let reasonName = "size"

    private var proxy: GeometryProxy?
    var isKnown: Bool { proxy != nil }

    var value: GeometryProxy {
        CurrentEvaluation.read(self)
        return proxy ?? GeometryProxy(frame: .zero)
    }

    func set(_ new: GeometryProxy) {
        guard proxy != new else { return }
        proxy = new
        forEachReader { $0.invalidate(EvaluationReason(.graph, Self.reasonName)) }
    }
}

/// What the closure of a ``GeometryReader`` makes of the size.
private struct MeasuredContent<Content: View>: View, NamedForAnother {
    static var nameType: Any.Type { GeometryReader<Content>.self }

    let content: @MainActor (GeometryProxy) -> Content
    let geometry: MeasuredGeometry

    var body: Content { content(geometry.value) }
}
