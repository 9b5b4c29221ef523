// SPDX-License-Identifier: MIT
// A view's own state.

/// A value that belongs to a view's node and outlives the view's values.
///
/// Reading it in a body makes the body depend on it; writing another value invalidates those who read it, and evaluates
/// nothing at once. Writing an equal value does nothing.
@MainActor
@propertyWrapper
public struct State<Value>: BuiltInProperty {
    private let initial: Value
    private var box: StateBox<Value>?

    /// State with a first value, which counts when the view appears.
    public init(wrappedValue: Value) { initial = wrappedValue }
    /// State with a first value, which counts when the view appears.
    public init(initialValue: Value) { initial = initialValue }

    /// The value. Before the view has appeared, it is the first one and cannot be written.
    public var wrappedValue: Value {
        get { box.map { $0.value } ?? initial }
        nonmutating set { box?.value = newValue }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        guard let box else { return .constant(initial) }
        return Binding(location: box)
    }

    /// Finds the value that is kept for the view.
    mutating func update(in context: inout DynamicPropertyContext) {
        if let known = context.stored as? StateBox<Value> {
            box = known
        } else {
            let made = StateBox(initial, name: context.name)
            context.stored = made
            box = made
        }
    }

    /// Always: a first value is no input after the first evaluation.
    func isSameInput(as other: Self) -> Bool { true }
}

extension State where Value: ExpressibleByNilLiteral {
    /// State that is nil at first.
    public init() { self.init(wrappedValue: nil) }
}

/// Something that has a value, can be written, and knows its readers.
@MainActor
class Location<Value>: DependencySource {
    var value: Value {
        get { fatalError("\(Self.self) has to override value") }
        set { _ = newValue }
    }

    /// The location at the root of what this is a part of.
    var root: DependencySource { self }

    /// Who owns the value; equal for two locations of one owner.
    var owner: ObjectIdentifier { ObjectIdentifier(root) }

    /// Whether the value is as it was when the other was made, where reading it is not enough to be told of changes.
    func isUnchanged(since other: Location<Value>) -> Bool { true }
}

/// The value of a state.
@MainActor
final class StateBox<Value>: Location<Value> {
    private var current: Value
    private let name: String

    init(_ value: Value, name: String) {
        current = value
        self.name = name
    }

    override var value: Value {
        get {
            CurrentEvaluation.read(self)
            return current
        }
        set {
            let isSame = ValueComparison.firstDifference(current, newValue) == nil
            current = newValue
            guard !isSame else { return }
            CurrentEvaluation.warnOfWrite()
            forEachReader { $0.invalidate(EvaluationReason(.state, $0.name(of: self) ?? name)) }
        }
    }
}
