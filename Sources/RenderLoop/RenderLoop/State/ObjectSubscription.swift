// SPDX-License-Identifier: MIT
// A view's subscription to an `ObservableObject`, and the names of what changes in it.

import OpenCombine

/// Invalidates a node whenever an object is about to change; lives until the view or the object is another.
@MainActor
final class ObjectSubscription<Object: ObservableObject>: UnmountedStorage {
    let object: Object
    private let name: String
    private weak var node: Node?
    private var change: AnyCancellable?
    /// Kept, because an object may keep it weakly, and a subscription does not keep it.
    private let publisher: Object.ObjectWillChangePublisher
    private var properties: [AnyCancellable] = []
    private var namesAreKnown = false
    private var late: LateChange?
    /// Values that come with the subscription are no changes.
    private var isSubscribed = false

    private init(_ object: Object, _ context: DynamicPropertyContext) {
        self.object = object
        name = context.name
        node = context.node
        publisher = object.objectWillChange
        if let type = PublishedProperties.lostPublisher(of: object) {
            context.node.graph.warnOfLostPublisher(type, for: context.node)
        }
        // Sendable, or it would belong to the main actor and stop the program where another thread writes.
        change = publisher.sink { @Sendable [weak self] _ in
            if MainQueue.isCurrent {
                MainActor.assumeIsolated { self?.objectWillChange() }
            } else {
                onMainActor { self?.objectWillChangeElsewhere() }
            }
        }
        isSubscribed = true
    }

    /// The subscription that the property has; another one if it has none yet, or one to another object.
    static func taken(
        from context: inout DynamicPropertyContext, replacing object: Object? = nil, _ make: @MainActor () -> Object
    ) -> ObjectSubscription {
        if let known = context.stored as? ObjectSubscription<Object> {
            if object == nil || known.object === object { return known.following() }
            known.unmount()
        }
        let made = ObjectSubscription(object ?? make(), context)
        context.stored = made
        return made.following()
    }

    func unmount() {
        late = nil
        change = nil
        properties = []
    }

    private func objectWillChange() {
        guard let node, isSubscribed else { return }
        CurrentEvaluation.warnOfWrite()
        // A property tells its own name right after this, which then stands for both.
        node.invalidate(EvaluationReason(.object, name))
    }

    /// Another thread is about to change the object, or has done so meanwhile.
    private func objectWillChangeElsewhere() {
        guard let node, node.isMounted else { return }
        node.graph.warnOfPublishing(type(of: object), for: node)
        objectWillChange()
        let late =
            late
            ?? LateChange { [weak self] in
                guard let self else { return }
                self.node?.invalidate(EvaluationReason(.object, name))
            }
        self.late = late
        let (looks, areAll) = PublishedProperties.looks(at: object)
        late.follow(looks, areAll: areAll)
    }

    /// Subscribes to the single properties when their names are needed.
    private func following() -> ObjectSubscription {
        guard !namesAreKnown, let node, node.graph.isObserved || node.record != nil else { return self }
        namesAreKnown = true
        for (label, property) in PublishedProperties.named(of: object) {
            let name = "\(name).\(plainName(label))"
            properties.append(
                property.onChange { [weak self] in
                    onMainActor { self?.node?.invalidate(EvaluationReason(.object, name)) }
                })
        }
        return self
    }
}
