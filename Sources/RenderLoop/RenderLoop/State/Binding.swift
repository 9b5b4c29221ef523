// SPDX-License-Identifier: MIT
// A reference to a value that another view or a model owns.

import Dispatch

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
