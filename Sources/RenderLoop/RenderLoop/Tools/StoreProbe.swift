// SPDX-License-Identifier: MIT
// The evaluations of a view in a store of `Rerender`: its modifier, its probe, and the store in the environment.

@_spi(Bridge) public import Rerender

private struct RerenderStoreKey: EnvironmentKey {
    static var defaultValue: RerenderStore? { nil }
}

extension EnvironmentValues {
    /// The store in which probes of the views below count; nil at first, which makes them do nothing.
    public var rerenderStore: RerenderStore? {
        get { self[RerenderStoreKey.self] }
        set { self[RerenderStoreKey.self] = newValue }
    }
}

/// Counts the evaluations of one view in a store.
///
/// The store finds the reads of `@Observable` models and changed inputs itself; changes of `@State`, of `ObservableObject`s,
/// of the environment and of the graph itself (`size`) are announced to it by their names, with the code that wrote them. What
/// the program does about input, and in `onAppear` and the like, is run as a handler. The instance is the node's serial number, with the loop's
/// above it. A further evaluation in the same turn is reported with the handler that caused it.
@MainActor
final class StoreProbe: EvaluationProbe {
    /// The store that counts.
    let store: RerenderStore
    /// The view's key in it.
    let label: String
    private let tools: LoopTools
    private let instance: InstanceID
    private let parent: ViewKey?
    private let parentInstance: InstanceID?
    private let serial: UInt64
    private let fileID: StaticString
    private let line: UInt32
    private var evaluations: UInt64 = 0

    /// Makes the probe of a node; the file and the line are those that the store names for the view.
    init(
        _ store: RerenderStore, label: String, node: Node, fileID: StaticString = #fileID, line: UInt32 = #line
    ) {
        self.store = store
        self.label = label
        serial = node.serial
        self.fileID = fileID
        self.line = line
        tools = node.loop.tools
        instance = InstanceID(rawValue: node.instanceNumber)
        // The next view up that is counted in the same way.
        let around = node.chain.dropFirst().lazy.compactMap { $0.record?.probe as? StoreProbe }.first
        parent = around.map { ViewKey(rawValue: $0.label) }
        parentInstance = around?.instance
        tools.pulses.follow(store, in: node.loop)
        if !store.frameworkModules.isSuperset(of: Self.modules) { store.frameworkModules.formUnion(Self.modules) }
    }

    /// None of their functions is the program's.
    private static let modules: Set = ["RenderLoop", "OpenCombine"]

    /// Announces what the store cannot see.
    func willEvaluate(_ node: Node, reason: EvaluationReason) {
        switch reason.kind {
        case .state, .object, .environment, .graph:
            let name = reason.name.isEmpty ? reason.kind.rawValue : reason.name
            store.invalidate(label, instance: instance, cause: name, by: reason.writer)
        case .initial, .input, .observed, .further: break
        }
    }

    /// Tells that the result before was never shown.
    func evaluatedAgain(_ node: Node) { store.evaluatesAgain(label, instance: instance) }

    /// The code that runs now.
    func causeWriter() -> CauseWriter? { store.causeWriter() }

    /// Runs a handler of the program's: `tap` of this view, `tap on Icon` of one in it.
    func handling(_ event: HandledEvent, of view: NodeReference, _ body: () -> Void) {
        let isOwn = view.id == serial
        let name = isOwn ? event.kind : "\(event.kind) \(event.preposition) \(view.name)"
        if event.isReaction {
            store.reacting(name, of: label, instance: instance, body)
        } else {
            store.handling(name, of: label, body)
        }
    }

    /// Evaluates the body under the store.
    func evaluate<Content: View>(_ view: Content, at node: Node, _ body: () -> Content.Body) -> Content.Body {
        tellTurn(node.graph.turn)
        evaluations += 1
        return store.evaluate(
            label, of: view, instance: instance, parent: parent, parentInstance: parentInstance, fileID: fileID,
            line: line,
            body)
    }

    /// Counts the commit, with what it changed.
    func committed(_ node: Node, changed: Bool) {
        store.committed(label, changed: changed, instance: instance)
        tools.pulses.committed(node, changed: changed, evaluations: evaluations)
    }

    /// Forgets the instance.
    func unmounted(_ node: Node) {
        store.ended(label, instance: instance)
        tools.pulses.unfollow(store)
    }

    /// Tells the store of a turn, for processes without a monitored main loop; once, because a second call would be another
    /// turn.
    private func tellTurn(_ turn: UInt64) {
        if tools.toldTurn.number != turn { tools.toldTurn = (turn, []) }
        guard let identity = store.identity, tools.toldTurn.stores.insert(identity).inserted else { return }
        store.turnBegan()
    }
}

extension View {
    /// Has the evaluations of the view counted, timed and explained by the `RerenderStore` of its environment.
    ///
    ///     EpisodesView(model: model).rerender()
    ///     Row(item: item).rerender("Row")
    ///
    /// Without a store nothing is done. The store is the one that is there when the view appears. A modified primitive,
    /// such as a stack, has no evaluations: then the nearest views in it that have a body are meant, each as an instance.
    /// The body of a ``ViewModifier`` does not count as one of a view: the modified view is meant, and not what else is in that body.
    /// Each view counts under the nearest `rerender` around it alone. In a release build it is the view itself.
    ///
    /// - Parameters:
    ///   - label: The view's key, as it is when the view appears; without one `fileID:line`, as in the store.
    ///   - fileID: The file that the store names for the view.
    ///   - line: The line in it.
    public func rerender(
        _ label: @autoclosure () -> String? = nil, fileID: StaticString = #fileID, line: UInt32 = #line
    ) -> some View {
        #if RERENDER_PROBES
            let label = label() ?? "\(fileID):\(line)"
            return modifier(
                ProbeModifier { node in
                    guard let store = node.environment.values.rerenderStore else { return nil }
                    return StoreProbe(store, label: label, node: node, fileID: fileID, line: line)
                })
        #else
            return self
        #endif
    }

    /// Has the views below that ask for it count in a store: `.environment(\.rerenderStore, store)`.
    public func rerenderStore(_ store: RerenderStore?) -> some View {
        environment(\.rerenderStore, store)
    }
}

/// Offers a probe to each of the nearest views with a body below it, when they appear.
package struct ProbeModifier: CommonModifier {
    private let make: @MainActor (Node) -> (any EvaluationProbe)?

    /// Makes a modifier; `make` gets the node whose view appears, and finds the environment through it. Without a probe
    /// nothing is done.
    package init(_ make: @escaping @MainActor (Node) -> (any EvaluationProbe)?) { self.make = make }

    /// A node that offers the probe.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        ProbeNode(view, in: context) { $0.content }
    }

    private final class ProbeNode<Content: View>: ModifierNode<ProbeModifier, Content> {
        override func didMount() {
            graph.probeOffers += 1
            super.didMount()
        }

        override func willUnmount() { graph.probeOffers -= 1 }

        override func makeProbe(for node: Node) -> (any EvaluationProbe)? { view.modifier.make(node) }
    }
}

extension View {
    /// Has the views below that ask for it count in a store, as ``View/rerenderStore(_:)`` does. They find the store by
    /// `@Environment(RerenderStore.self)`.
    public func environment(_ store: RerenderStore?) -> some View { rerenderStore(store) }
}

extension Environment where Value == RerenderStore {
    /// The store of a view above, which must be there.
    public init(_ type: RerenderStore.Type) {
        self.init(finding: type) { $0.rerenderStore }
    }
}

extension Environment where Value == RerenderStore? {
    /// The store of a view above, if there is one.
    public init(_ type: RerenderStore.Type) { self.init(\.rerenderStore) }
}
