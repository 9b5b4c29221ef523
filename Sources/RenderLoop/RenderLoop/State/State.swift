// SPDX-License-Identifier: MIT
// A view's own state.

import Dispatch

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

// A reference to a value that another view or a model owns.

/// Reads and writes a value that another view, or a model, owns.
///
/// The view that reads it depends on it; one that only passes it on does not.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    let location: Location<Value>
    /// Which part of the location it is; equal for equal parts.
    let part: AnyHashable?

    init(location: Location<Value>, part: AnyHashable? = nil) {
        self.location = location
        self.part = part
    }

    /// A binding that asks closures. Two such are never the same input.
    @MainActor
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.init(location: ClosureLocation(get: get, set: set))
    }

    /// A binding whose value never changes.
    @MainActor
    public static func constant(_ value: Value) -> Binding { Binding(get: { value }, set: { _ in }) }

    /// A binding that a closure takes as its parameter, as in `{ $item in … }`.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// The value, on any thread.
    ///
    /// Another thread waits for the main actor to read what closures or a model give, while it reads and writes `@State` at
    /// once. What it writes to the others is written in the main loop's next turn.
    public var wrappedValue: Value {
        get { location.anywhere }
        nonmutating set { location.anywhere = newValue }
    }

    /// The binding itself.
    public var projectedValue: Binding { self }

    /// A binding to a part of the value.
    @MainActor
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(location: PartLocation(location, path), part: AnyHashable(Part(outer: part, path: path)))
    }

    private struct Part: Hashable {
        let outer: AnyHashable?
        let path: AnyKeyPath
    }
}

/// The location is for all threads; which part it is never changes.
extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: @MainActor BuiltInProperty {
    /// Notes the name that the view has for the value.
    mutating func update(in context: inout DynamicPropertyContext) {
        context.node.setName(context.name, of: location.root)
    }

    /// Whether both refer to the same part of the same value. What it is matters only in an `ObservableObject`, which
    /// tells those alone who observe it.
    func isSameInput(as other: Self) -> Bool {
        location.owner == other.location.owner && part == other.part && other.location.isUnchanged(since: location)
    }
}

/// A value that closures read and write.
class ClosureLocation<Value>: Location<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    override var value: Value {
        get { get() }
        set { set(newValue) }
    }

    override nonisolated var elsewhere: Value {
        DispatchQueue.main.sync { MainActor.assumeIsolated { Transfer(value) } }.value
    }

    override nonisolated func changeElsewhere(_ change: @escaping (inout Value) -> Void) {
        let change = Transfer(change)
        onMainActor {
            var value = self.value
            change.value(&value)
            self.value = value
        }
    }
}

private final class PartLocation<Whole, Value>: ClosureLocation<Value> {
    private let whole: Location<Whole>
    private let path: Transfer<WritableKeyPath<Whole, Value>>

    init(_ whole: Location<Whole>, _ path: WritableKeyPath<Whole, Value>) {
        self.whole = whole
        self.path = Transfer(path)
        super.init(
            get: { whole.value[keyPath: path] }, set: { new in whole.change { $0[keyPath: path] = new } })
    }

    override func change(_ change: (inout Value) -> Void) {
        let path = path.value
        whole.change { change(&$0[keyPath: path]) }
    }

    override nonisolated var elsewhere: Value { whole.elsewhere[keyPath: path.value] }

    override nonisolated func changeElsewhere(_ change: @escaping (inout Value) -> Void) {
        let path = path.value
        whole.changeElsewhere { change(&$0[keyPath: path]) }
    }

    override var root: DependencySource { whole.root }
    override var owner: ObjectIdentifier { whole.owner }

    override func isUnchanged(since other: Location<Value>) -> Bool {
        (other as? PartLocation<Whole, Value>).map { whole.isUnchanged(since: $0.whole) } ?? false
    }
}

extension Node {
    /// Keeps the view's name for a source, for the reasons of its evaluations, while the loop is observed.
    func setName(_ name: String, of source: DependencySource) {
        guard graph.isObserved || record != nil else { return }
        requiredRecord.setName(name, of: source)
    }

    /// The name by which the view knows a source, if it has one of its own.
    func name(of source: DependencySource) -> String? { record?.name(of: source) }
}
