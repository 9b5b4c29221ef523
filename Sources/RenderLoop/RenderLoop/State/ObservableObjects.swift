// SPDX-License-Identifier: MIT
// OpenCombine's `ObservableObject`, owned, given, or found in the environment.

public import Observation
public import OpenCombine
@_spi(Bridge) import Rerender

/// An object that the view owns: made when the view appears, kept for as long as it is there.
@MainActor
@propertyWrapper
public struct StateObject<Object: ObservableObject>: BuiltInProperty {
    private let make: @MainActor () -> Object
    private var object: Object?

    /// An object that is made once, when the view appears.
    public init(wrappedValue: @autoclosure @escaping @MainActor () -> Object) { make = wrappedValue }

    /// The object. A view that has not appeared gets one of its own.
    public var wrappedValue: Object { object ?? make() }

    /// Bindings to the object's properties.
    public var projectedValue: ObservedObject<Object>.Wrapper { ObservedObject.Wrapper(object: wrappedValue) }

    /// Takes up the object that the view has.
    mutating func update(in context: inout DynamicPropertyContext) {
        let subscription = ObjectSubscription<Object>.taken(from: &context, make)
        object = subscription.object
    }

    /// Always: the closure counts only once.
    func isSameInput(as other: Self) -> Bool { true }
}

/// An object that the view is given. Every change of it evaluates the view.
@MainActor
@propertyWrapper
public struct ObservedObject<Object: ObservableObject>: BuiltInProperty {
    /// The object.
    public var wrappedValue: Object

    /// Observes an object.
    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
    /// Observes an object.
    public init(initialValue: Object) { wrappedValue = initialValue }

    /// Bindings to the object's properties.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    /// Bindings to an object's properties.
    @MainActor
    @dynamicMemberLookup
    public struct Wrapper {
        let object: Object

        /// A binding to a property.
        public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
            Binding(location: PublishedLocation(object, path), part: AnyHashable(path as AnyKeyPath))
        }
    }

    /// Follows the object.
    mutating func update(in context: inout DynamicPropertyContext) {
        let object = wrappedValue
        _ = ObjectSubscription<Object>.taken(from: &context, replacing: object) { object }
    }

    /// Whether it is the same object.
    func isSameInput(as other: Self) -> Bool { wrappedValue === other.wrappedValue }
}

/// An object that a view above has put into the environment. Every change of it evaluates the view.
@MainActor
@propertyWrapper
public struct EnvironmentObject<Object: ObservableObject>: BuiltInProperty {
    /// Bindings to the object's properties.
    public typealias Wrapper = ObservedObject<Object>.Wrapper

    private var object: Object?
    private var reader = ""

    /// Finds the object by its type.
    public init() {}

    /// The object; without one the program stops with a message that names the type and the view.
    public var wrappedValue: Object {
        if let object { return object }
        fatalError(MissingObject.message(Object.self, reader: reader, modifier: "environmentObject(_:)"))
    }

    /// Bindings to the object's properties.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    /// Finds and follows the object.
    mutating func update(in context: inout DynamicPropertyContext) {
        let node = context.node
        reader = node.reference.name
        node.nameDependency(context.name) { object = node.environment.values.object(Object.self) }
        guard let object else { return }
        _ = ObjectSubscription<Object>.taken(from: &context, replacing: object) { object }
    }

    /// Always: it is the environment that changes.
    func isSameInput(as other: Self) -> Bool { true }
}

extension View {
    /// Puts an object into the environment of this view and those below.
    public func environmentObject<Object: ObservableObject>(
        _ object: Object
    ) -> some View {
        modifier(EnvironmentModifier { $0.setObject(Object.self, object) })
    }
}

/// Bindings to the properties of an `@Observable` model.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Object: AnyObject & Observable>: BuiltInProperty {
    /// The model.
    public var wrappedValue: Object

    /// Makes bindings to a model's properties.
    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
    /// Makes bindings to a model's properties.
    public init(_ object: Object) { wrappedValue = object }

    /// The bindings.
    public var projectedValue: Self { self }

    /// A binding to a property.
    public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
        Binding(location: PropertyLocation(wrappedValue, path), part: AnyHashable(path as AnyKeyPath))
    }

    mutating func update(in context: inout DynamicPropertyContext) {}

    /// Whether it is the same model.
    func isSameInput(as other: Self) -> Bool { wrappedValue === other.wrappedValue }
}

private class PropertyLocation<Object: AnyObject, Value>: ClosureLocation<Value> {
    private let object: Object

    init(_ object: Object, _ path: ReferenceWritableKeyPath<Object, Value>) {
        self.object = object
        super.init(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
    }

    override var owner: ObjectIdentifier { ObjectIdentifier(object) }
}

/// A property of an `ObservableObject`, with its value at the time.
private final class PublishedLocation<Object: AnyObject, Value>: PropertyLocation<Object, Value> {
    private let known: Value

    override init(_ object: Object, _ path: ReferenceWritableKeyPath<Object, Value>) {
        known = object[keyPath: path]
        super.init(object, path)
    }

    override func isUnchanged(since other: Location<Value>) -> Bool {
        guard let other = other as? PublishedLocation<Object, Value> else { return false }
        return ValueComparison.firstDifference(other.known, known) == nil
    }
}

// A view's subscription to an `ObservableObject`.

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
