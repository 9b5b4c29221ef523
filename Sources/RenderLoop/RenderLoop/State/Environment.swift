// SPDX-License-Identifier: MIT
// Reading the environment in a view, and writing it for the views below.

public import Observation

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
