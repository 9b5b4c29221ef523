// SPDX-License-Identifier: MIT
// Values that views find above them, by key.

public import Observation

/// Names a value of the environment.
@MainActor
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no view above has set one.
    static var defaultValue: Value { get }
}

/// The values that a view finds.
///
/// Extend it with a property for each key, whose accessors use the subscript.
@MainActor
public struct EnvironmentValues {
    private let scope: EnvironmentScope
    private(set) var written: [EnvironmentScope.Entry] = []

    init(_ scope: EnvironmentScope) { self.scope = scope }

    /// The value of a key; reading it in an evaluation makes the view depend on it.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get {
            // Not in one step: where nothing was found, an optional would do as a value.
            guard let found = value(of: ObjectIdentifier(key)) else { return Key.defaultValue }
            return found as? Key.Value ?? Key.defaultValue
        }
        set {
            write(ObjectIdentifier(key), newValue) { old, new in
                guard let old = old as? Key.Value, let new = new as? Key.Value else { return false }
                return ValueComparison.firstDifference(old, new) == nil
            }
        }
    }

    /// The object of a type that a view above has put there.
    func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
        value(of: ObjectIdentifier(type)) as? Object
    }

    mutating func setObject<Object: AnyObject>(_ type: Object.Type, _ object: Object?) {
        write(ObjectIdentifier(type), object as Any) { $0 as? Object === $1 as? Object }
    }

    private func value(of key: ObjectIdentifier) -> Any? {
        written.first { $0.key == key }?.value ?? scope.read(key)
    }

    private mutating func write(
        _ key: ObjectIdentifier, _ value: Any, isSame: @escaping @MainActor (Any, Any) -> Bool
    ) {
        written.removeAll { $0.key == key }
        written.append(EnvironmentScope.Entry(key: key, value: value, isSame: isSame))
    }
}

/// A part of the tree with values of its own in its environment.
///
/// Each value knows its readers, so that a change reaches them without a walk.
@MainActor
package final class EnvironmentScope {
    struct Entry {
        let key: ObjectIdentifier
        var value: Any
        let isSame: @MainActor (Any, Any) -> Bool
        var readers = DependencySource()
    }

    private let outer: EnvironmentScope?
    /// What is done to each single view that is made in here.
    let each: EachView?
    private var entries: [Entry] = []
    /// False until there can be views within, which is after the first values.
    private var hasReaders = false
    /// Readers of keys that no view sets, by key. Used in the outermost scope.
    private var defaultReaders: [ObjectIdentifier: DependencySource] = [:]

    init(outer: EnvironmentScope?) {
        self.outer = outer
        each = outer?.each
    }

    /// A scope in which something else is done to each single view.
    init(outer: EnvironmentScope, each: EachView?) {
        self.outer = outer
        self.each = each
    }

    /// The values as they are seen in here.
    package var values: EnvironmentValues { EnvironmentValues(self) }

    /// This scope and those around it, from the inside out.
    private var chain: some Sequence<EnvironmentScope> { sequence(first: self) { $0.outer } }

    fileprivate func read(_ key: ObjectIdentifier) -> Any? {
        let (entry, outermost) = find(key)
        CurrentEvaluation.read(entry?.readers ?? outermost.defaultReaders(of: key))
        return entry?.value
    }

    /// The value that is set nearest to here; without one, the outermost scope is the last that was searched.
    private func find(_ key: ObjectIdentifier) -> (entry: Entry?, last: EnvironmentScope) {
        var last = self
        for scope in chain {
            if let entry = scope.entries.first(where: { $0.key == key }) { return (entry, scope) }
            last = scope
        }
        return (nil, last)
    }

    /// Replaces the scope's own values, and invalidates the readers of each that differs.
    func replace(_ new: [Entry]) {
        var left = entries
        var kept: [Entry] = []
        for var entry in new {
            if let index = left.firstIndex(where: { $0.key == entry.key }) {
                let old = left.remove(at: index)
                entry.readers = old.readers
                if !entry.isSame(old.value, entry.value) { Self.invalidate(old.readers) }
            } else if hasReaders {
                invalidateReadersWithin(of: entry.key)
            }
            kept.append(entry)
        }
        entries = kept
        hasReaders = true
        for entry in left { Self.invalidate(entry.readers) }
    }

    /// A key is set where it was not: those within that found it further up have to look again.
    private func invalidateReadersWithin(of key: ObjectIdentifier) {
        let (entry, outermost) = find(key)
        guard let readers = entry?.readers ?? outermost.defaultReaders[key] else { return }
        Self.invalidate(readers) { $0.environment.isWithin(self) }
    }

    private func defaultReaders(of key: ObjectIdentifier) -> DependencySource {
        if let known = defaultReaders[key] { return known }
        let made = DependencySource()
        defaultReaders[key] = made
        return made
    }

    private static func invalidate(_ readers: DependencySource, where isMeant: (Node) -> Bool = { _ in true }) {
        readers.forEachReader { node in
            if isMeant(node) { node.invalidate(EvaluationReason(.environment, node.name(of: readers) ?? "")) }
        }
    }

    private func isWithin(_ other: EnvironmentScope) -> Bool { chain.contains { $0 === other } }
}

// Reading the environment in a view, and writing it for the views below.

/// A value of the environment: by key path, or an `@Observable` model by type.
///
/// The view depends on it whether or not its body reads it. A model that no view above has put there stops the program
/// with a message that names the type and the view; for an optional it is nil.
@MainActor
@propertyWrapper
public struct Environment<Value>: BuiltInProperty {
    private let find: @MainActor (EnvironmentValues) -> Value?
    private let identity: AnyHashable
    private var value: Value?
    private var reader = ""

    /// The value at a key path.
    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        find = { $0[keyPath: path] }
        identity = AnyHashable(path)
    }

    /// The model of a type, which must be there.
    public init(_ type: Value.Type) where Value: AnyObject & Observable {
        find = { $0.object(type) }
        identity = AnyHashable(ObjectIdentifier(type))
    }

    /// The model of a type, if it is there.
    public init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
        find = { .some($0.object(type)) }
        identity = AnyHashable(ObjectIdentifier(type))
    }

    /// A value by its type that must be there, and that `environment(_:)` has put there.
    init(finding type: Value.Type, _ find: @escaping @MainActor (EnvironmentValues) -> Value?) {
        self.find = find
        identity = AnyHashable(ObjectIdentifier(type))
    }

    /// The value, as it was when the evaluation began.
    public var wrappedValue: Value {
        if let value { return value }
        fatalError(MissingObject.message(Value.self, reader: reader, modifier: "environment(_:)"))
    }

    /// Reads the value, which makes the view depend on it.
    mutating func update(in context: inout DynamicPropertyContext) {
        reader = context.node.reference.name
        let node = context.node
        node.nameDependency(context.name) { value = find(node.environment.values) }
    }

    /// Whether both ask for the same.
    func isSameInput(as other: Self) -> Bool { identity == other.identity }
}

/// The message for an object that is not in the environment.
enum MissingObject {
    static func message(_ type: Any.Type, reader: String, modifier: String) -> String {
        """
        no \(type) in the environment of \(reader.isEmpty ? "a view that has not appeared" : reader): \
        put one there with .\(modifier) on a view above it
        """
    }
}

/// Sets values of the environment for the views below.
package struct EnvironmentModifier: CommonModifier {
    let write: @MainActor (inout EnvironmentValues) -> Void

    /// A node whose content has an environment of its own.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        EnvironmentNode(view, in: context) { $0.content }
    }

    private final class EnvironmentNode<Content: View>: TrackingNode<EnvironmentModifier, Content> {
        private lazy var inner = EnvironmentScope(outer: environment)

        override var contentContext: NodeContext { NodeContext(graph: graph, parent: self, environment: inner) }

        override func look() {
            var values = environment.values
            view.modifier.write(&values)
            inner.replace(values.written)
        }
    }
}

extension View {
    /// Sets a value of the environment for this view and those below.
    public func environment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View {
        modifier(EnvironmentModifier { $0[keyPath: path] = value })
    }

    /// Changes a value of the environment for this view and those below.
    public func transformEnvironment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>, _ transform: @escaping @MainActor (inout Value) -> Void
    ) -> some View {
        modifier(EnvironmentModifier { transform(&$0[keyPath: path]) })
    }

    /// Puts a model into the environment of this view and those below; nil takes it away from them.
    public func environment<Object: AnyObject & Observable>(
        _ object: Object?
    ) -> some View {
        modifier(EnvironmentModifier { $0.setObject(Object.self, object) })
    }
}

extension Node {
    /// Reads something and names the source that it read last, if it read any.
    func nameDependency(_ name: String, _ read: () -> Void) {
        guard let source = CurrentEvaluation.latestRead(in: read) else { return }
        setName(name, of: source)
    }
}
