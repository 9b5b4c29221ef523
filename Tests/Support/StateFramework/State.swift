// SPDX-License-Identifier: MIT
// Property wrappers of a framework: each value of a view has boxes of its own.

/// State in a box in a box, as frameworks have it.
@propertyWrapper public struct State<Value> {
    final class Storage {
        var box: Inner
        init(_ box: Inner) { self.box = box }
    }
    final class Inner {
        var value: Value
        /// Of the type that many values have.
        var writes = 0
        var listeners = Listeners()
        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    /// The first value.
    public init(wrappedValue: Value) { storage = Storage(Inner(wrappedValue)) }

    /// The value.
    public var wrappedValue: Value {
        get { storage.box.value }
        nonmutating set {
            storage.box.value = newValue
            storage.box.writes += 1
        }
    }
}

/// Other modules' business.
public final class Listeners {
    private var all: [Int: () -> Void] = [:]
}

/// A value that the framework puts there before it asks for the body.
@propertyWrapper public struct Ambient<Value> {
    private let path: String
    private let box: Box<Value?>

    /// By the name that a failure tells.
    public init(_ path: String) {
        self.path = path
        box = Box(nil)
    }

    /// Puts the value there.
    public func update(_ value: Value) { box.value = value }

    /// The value.
    public var wrappedValue: Value {
        guard let value = box.value else { preconditionFailure("\(path) was read before the body") }
        return value
    }
}

final class Box<Content> {
    var value: Content
    init(_ value: Content) { self.value = value }
}

/// A getter and a setter: what they lead to cannot be told.
@propertyWrapper public struct Link<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    /// By what reads and writes it.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

    /// The value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

/// The value and the one before it, both of the type.
@propertyWrapper public struct Remembering<Value> {
    final class Values {
        var current: Value
        var previous: Value
        init(_ value: Value) { (current, previous) = (value, value) }
    }

    private let values: Values

    /// The first value.
    public init(wrappedValue: Value) { values = Values(wrappedValue) }

    /// The value.
    public var wrappedValue: Value {
        get { values.current }
        nonmutating set { (values.previous, values.current) = (values.current, newValue) }
    }
}

@available(*, unavailable)
extension State: Sendable {}
@available(*, unavailable)
extension Listeners: Sendable {}
@available(*, unavailable)
extension Ambient: Sendable {}
@available(*, unavailable)
extension Link: Sendable {}
@available(*, unavailable)
extension Remembering: Sendable {}
