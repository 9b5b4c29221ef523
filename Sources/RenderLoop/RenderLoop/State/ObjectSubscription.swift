// SPDX-License-Identifier: MIT
// A view's subscription to an `ObservableObject`.

import OpenCombine
@_spi(Bridge) import Rerender

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
        change = nil
        properties = []
    }

    private func objectWillChange() {
        guard let node, isSubscribed else { return }
        CurrentEvaluation.warnOfWrite()
        // A property tells its own name right after this, which then stands for both.
        node.invalidate(EvaluationReason(.object, name))
    }

    /// Another thread is about to change the object, or has done so meanwhile: what is evaluated may be the value before.
    private func objectWillChangeElsewhere() {
        guard let node, node.isMounted else { return }
        node.graph.warnOfPublishing(type(of: object), for: node)
        objectWillChange()
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

/// The `@Published` properties of an object.
@MainActor
enum PublishedProperties {
    /// The object's type, if each access of `objectWillChange` gives it another publisher; nil for all others.
    ///
    /// OpenCombine keeps the publisher in the `@Published` properties. Combine keeps it also where there are none. An
    /// object that is nothing but constant numbers and texts has nothing to tell.
    static func lostPublisher<Object: ObservableObject>(of object: Object) -> Any.Type? {
        // One of another type may hand on what a publisher sends that is kept.
        typealias Publisher = Object.ObjectWillChangePublisher
        guard Publisher.self == ObservableObjectPublisher.self || Publisher.self is any Subject.Type else { return nil }
        let type = type(of: object)
        if let isKept = keepsPublisher[ObjectIdentifier(type)] { return isKept ? nil : type }
        let isKept =
            object.objectWillChange as AnyObject === object.objectWillChange as AnyObject
            || StoredProperty.areConstantValues(of: type)
        keepsPublisher[ObjectIdentifier(type)] = isKept
        return isKept ? nil : type
    }

    /// By the types of objects.
    private static var keepsPublisher: [ObjectIdentifier: Bool] = [:]

    static func named(of object: some ObservableObject) -> [(label: String, property: any PublishedProperty)] {
        children(of: object).compactMap { child in
            guard let label = child.label, let property = child.value as? any PublishedProperty else { return nil }
            return (label, property)
        }
    }

    private static func children(of object: some ObservableObject) -> [Mirror.Child] {
        sequence(first: Mirror(reflecting: object), next: \.superclassMirror).flatMap(\.children)
    }
}

/// A `@Published` property, of whatever type.
protocol PublishedProperty {
    /// Calls before every change, on the thread that makes it.
    func onChange(_ body: @escaping @Sendable () -> Void) -> AnyCancellable
}

extension Published: PublishedProperty {
    func onChange(_ body: @escaping @Sendable () -> Void) -> AnyCancellable {
        // A copy shares its storage with the object's own. The first value is the present one.
        var copy = self
        return copy.projectedValue.dropFirst().sink { _ in body() }
    }
}
