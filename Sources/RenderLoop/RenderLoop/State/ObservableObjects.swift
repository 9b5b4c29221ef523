// SPDX-License-Identifier: MIT
// OpenCombine's `ObservableObject`, owned, given, or found in the environment.

public import OpenCombine
public import Observation

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
