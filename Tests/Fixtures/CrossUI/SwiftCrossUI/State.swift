// SPDX-License-Identifier: MIT
// The property wrappers, with the stored properties that SwiftCrossUI's have, and what updates nodes when they are written.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Runs what a person's click does: each node whose state it writes is updated once, when it is over.
@MainActor
public func handle(_ action: () -> Void) {
    Updates.isHeld = true
    action()
    Updates.isHeld = false
    let held = Updates.held
    Updates.held = []
    for one in held { one.update() }
}

@MainActor
enum Updates {
    static var isHeld = false
    static var held: [(node: ObjectIdentifier, update: @MainActor () -> Void)] = []

    static func ask(_ node: ObjectIdentifier, _ update: @escaping @MainActor () -> Void) {
        guard isHeld else { return update() }
        if !held.contains(where: { $0.node == node }) { held.append((node, update)) }
    }
}

@MainActor
protocol AnyState {
    func onChange(_ action: @escaping @MainActor () -> Void)
    func take(_ other: any AnyState)
}

/// State whose value is in a new object for each value of the view, until the node hands on the old one.
@MainActor
@propertyWrapper
public struct State<Value>: AnyState {
    final class Box {
        var value: Value
        var action: @MainActor () -> Void = {}

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
            storage.box.action()
        }
    }

    public var projectedValue: State { self }

    func onChange(_ action: @escaping @MainActor () -> Void) {
        storage.box.action = action
        for property in Mirror(reflecting: storage.box.value).children {
            (property.value as? any AnyPublished)?.onChange(action)
        }
    }

    func take(_ other: any AnyState) {
        if let other = other as? State { storage.box = other.storage.box }
    }
}

@MainActor
protocol AnyPublished {
    func onChange(_ action: @escaping @MainActor () -> Void)
}

/// A property of an object in state, whose writes update the node.
@MainActor
@propertyWrapper
public class Published<Value>: AnyPublished {
    @MainActor
    final class Publisher {
        var action: @MainActor () -> Void = {}
    }

    private var upstreamLinkCancellable: AnyObject?
    public var wrappedValue: Value {
        didSet { didChange.action() }
    }
    let didChange = Publisher()

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    func onChange(_ action: @escaping @MainActor () -> Void) { didChange.action = action }
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
