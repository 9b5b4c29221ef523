// SPDX-License-Identifier: MIT
// The property wrappers, with the stored properties that SwiftCrossUI's have, and what updates nodes when they are written.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Runs what a person's click does: each node whose state it writes is updated once, when it is over.
@MainActor
public func handle(_ action: () -> Void) {
    action()
    runUpdates()
}

/// Updates the nodes whose state was written since the last time, as a main loop does later.
@MainActor
public func runUpdates() {
    while !Updates.waiting.isEmpty { Updates.waiting.removeFirst().update() }
}

@MainActor
enum Updates {
    static var waiting: [(node: ObjectIdentifier, update: @MainActor () -> Void)] = []

    static func ask(_ node: ObjectIdentifier, _ update: @escaping @MainActor () -> Void) {
        if !waiting.contains(where: { $0.node == node }) { waiting.append((node, update)) }
    }
}

/// Calls closures after each write. Those of nodes update nothing yet.
final class Publisher {
    private var nextObservationId = 0
    private var observations: [Int: () -> Void] = [:]
    private let serialUpdateHandlingQueue = "serial update handling"

    func send() { for observation in observations.values { observation() } }

    func observeAsUIUpdater(_ action: @escaping @MainActor () -> Void) {
        observations[nextObservationId] = { MainActor.assumeIsolated(action) }
        nextObservationId += 1
    }
}

@MainActor
protocol AnyState {
    func onChange(_ action: @escaping @MainActor () -> Void)
    func take(_ other: any AnyState)
}

#if IS_SECOND
    protocol StateStorage: AnyObject {
        associatedtype Value
        var value: Value { get set }
        var didChange: Publisher { get }
    }

    struct StateImplementation<Storage: StateStorage> {
        final class Box {
            var value: Storage
            init(_ value: Storage) { self.value = value }
        }

        let box: Box

        func write(_ newValue: Storage.Value) {
            box.value.value = newValue
            box.value.didChange.send()
        }
    }

    /// State whose storage is in a new box for each value of the view, until the node hands on the old one.
    @MainActor
    @propertyWrapper
    public struct State<Value>: AnyState {
        final class Storage: StateStorage {
            var value: Value
            let didChange = Publisher()

            init(_ value: Value) { self.value = value }
        }

        let implementation: StateImplementation<Storage>

        public init(wrappedValue: Value) {
            implementation = StateImplementation(box: StateImplementation<Storage>.Box(Storage(wrappedValue)))
        }

        public var wrappedValue: Value {
            get { implementation.box.value.value }
            nonmutating set { implementation.write(newValue) }
        }

        public var projectedValue: State { self }

        func onChange(_ action: @escaping @MainActor () -> Void) {
            implementation.box.value.didChange.observeAsUIUpdater(action)
            for property in Mirror(reflecting: implementation.box.value.value).children {
                (property.value as? any AnyPublished)?.onChange(action)
            }
        }

        func take(_ other: any AnyState) {
            if let other = other as? State { implementation.box.value = other.implementation.box.value }
        }
    }
#else
    /// State whose value is in a new object for each value of the view, until the node hands on the old one.
    @MainActor
    @propertyWrapper
    public struct State<Value>: AnyState {
        final class Box {
            var value: Value
            let didChange = Publisher()

            init(_ value: Value) { self.value = value }
        }

        final class Storage {
            var box: Box

            init(_ box: Box) { self.box = box }
        }

        let storage: Storage

        public init(wrappedValue: Value) { storage = Storage(Box(wrappedValue)) }

        public var wrappedValue: Value {
            get { storage.box.value }
            nonmutating set {
                storage.box.value = newValue
                storage.box.didChange.send()
            }
        }

        public var projectedValue: State { self }

        func onChange(_ action: @escaping @MainActor () -> Void) {
            storage.box.didChange.observeAsUIUpdater(action)
            for property in Mirror(reflecting: storage.box.value).children {
                (property.value as? any AnyPublished)?.onChange(action)
            }
        }

        func take(_ other: any AnyState) {
            if let other = other as? State { storage.box = other.storage.box }
        }
    }
#endif

@MainActor
protocol AnyPublished {
    func onChange(_ action: @escaping @MainActor () -> Void)
}

/// A property of an object in state, whose writes update the node.
@MainActor
@propertyWrapper
public class Published<Value>: AnyPublished {
    private var upstreamLinkCancellable: AnyObject?
    public var wrappedValue: Value {
        didSet { didChange.send() }
    }
    let didChange = Publisher()

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    func onChange(_ action: @escaping @MainActor () -> Void) { didChange.observeAsUIUpdater(action) }
}

@MainActor
protocol AnyEnvironment {
    func take(_ environment: EnvironmentValues)
}

/// What a view reads of the environment: its node puts it there before it asks for the body.
@MainActor
@propertyWrapper
public struct Environment<Value>: AnyEnvironment {
    final class Box {
        var value: Value?
    }

    #if IS_SECOND
        enum Mode {
            case keyPath(KeyPath<EnvironmentValues, Value>)
        }

        let mode: Mode
    #else
        let keyPath: KeyPath<EnvironmentValues, Value>
    #endif
    let value = Box()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        #if IS_SECOND
            mode = .keyPath(keyPath)
        #else
            self.keyPath = keyPath
        #endif
    }

    public var wrappedValue: Value {
        guard let value = value.value else { fatalError("no node gave the view its environment") }
        return value
    }

    func take(_ environment: EnvironmentValues) {
        #if IS_SECOND
            guard case .keyPath(let keyPath) = mode else { return }
        #endif
        value.value = environment[keyPath: keyPath]
    }
}
