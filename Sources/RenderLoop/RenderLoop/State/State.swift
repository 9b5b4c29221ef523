// SPDX-License-Identifier: MIT
// A view's own state.

/// A value that belongs to a view's node and outlives the view's values.
///
/// Reading it in a body makes the body depend on it; writing another value invalidates those who read it, and evaluates
/// nothing at once. Writing an equal value does nothing.
///
/// It may be read and written on any thread. What another thread writes is there at once for who reads it outside of a body;
/// its readers are invalidated in the main loop's next turn.
@propertyWrapper
public struct State<Value> {
    private let first: FirstValue<Value>
    private var box: StateBox<Value>?

    /// State with a first value, which counts when the view appears.
    public init(wrappedValue: Value) {
        first = FirstValue(value: wrappedValue)
    }
    /// State with a first value, which counts when the view appears.
    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    /// The value. Before the view has appeared, it is the first one and cannot be written. On any thread.
    public var wrappedValue: Value {
        get { box?.anywhere ?? first.value }
        nonmutating set { box?.anywhere = newValue }
    }

    /// A binding to the value.
    @MainActor
    public var projectedValue: Binding<Value> {
        guard let box else { return .constant(first.value) }
        return Binding(location: box)
    }
}

/// The first value is only copied, and the box is for all threads.
extension State: @unchecked Sendable where Value: Sendable {}

extension State: @MainActor BuiltInProperty {
    /// Finds the value that is kept for the view.
    mutating func update(in context: inout DynamicPropertyContext) {
        if let known = context.stored as? StateBox<Value> {
            box = known
        } else {
            let made = StateBox(first.value, name: context.name)
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

/// A value that is never written.
///
/// Proof of `Sendable`: a state's first value comes from the main actor, and all that is done to it is to copy it.
private struct FirstValue<Value>: @unchecked Sendable {
    let value: Value
}

/// Something that has a value, can be written, and knows its readers.
@MainActor
class Location<Value>: DependencySource {
    var value: Value {
        get { fatalError("\(Self.self) has to override value") }
        set { _ = newValue }
    }

    /// Changes a part of the value, and loses nothing of what other threads write meanwhile: it may be called again.
    func change(_ change: (inout Value) -> Void) { change(&value) }

    /// The value on another thread than the main one.
    nonisolated var elsewhere: Value { fatalError("\(Self.self) has to override elsewhere") }

    /// Changes the value on another thread than the main one.
    nonisolated func changeElsewhere(_ change: @escaping (inout Value) -> Void) {}

    /// The value, on any thread.
    nonisolated final var anywhere: Value {
        get {
            guard MainQueue.isCurrent else { return elsewhere }
            var value: Transfer<Value>?
            MainActor.assumeIsolated { value = Transfer(self.value) }
            return value?.value ?? elsewhere
        }
        set {
            guard MainQueue.isCurrent else { return changeElsewhere { $0 = newValue } }
            let new = Transfer(newValue)
            MainActor.assumeIsolated { value = new.value }
        }
    }

    /// The location at the root of what this is a part of.
    var root: DependencySource { self }

    /// Who owns the value; equal for two locations of one owner.
    var owner: ObjectIdentifier { ObjectIdentifier(root) }

    /// Whether the value is as it was when the other was made, where reading it is not enough to be told of changes.
    func isUnchanged(since other: Location<Value>) -> Bool { true }
}

@MainActor
final class StateBox<Value>: Location<Value> {
    private let shared: SharedValue<Value>
    private let name: String

    init(_ value: Value, name: String) {
        shared = SharedValue(value)
        self.name = name
    }

    override var value: Value {
        get {
            // All bodies of a round see the same.
            if CurrentEvaluation.current == nil { takeUp() }
            CurrentEvaluation.read(self)
            return shared.current
        }
        set { changed(from: shared.replace(newValue), to: newValue) }
    }

    override func change(_ change: (inout Value) -> Void) {
        let (old, new) = shared.update(change)
        changed(from: old, to: new)
    }

    private func changed(from old: Value, to new: Value) {
        guard ValueComparison.firstDifference(old, new) != nil else { return }
        CurrentEvaluation.warnOfWrite()
        forEachReader { $0.invalidate(EvaluationReason(.state, $0.name(of: self) ?? name)) }
    }

    // MARK: Other threads

    override nonisolated var elsewhere: Value { shared.latest }

    override nonisolated func changeElsewhere(_ change: @escaping (inout Value) -> Void) {
        if shared.write(change) { onMainActor { self.takeUp() } }
    }

    /// Makes what another thread has written the value.
    private func takeUp() {
        guard let (old, new) = shared.takeUp() else { return }
        changed(from: old, to: new)
    }
}
