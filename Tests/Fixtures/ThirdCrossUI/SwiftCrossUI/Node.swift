// SPDX-License-Identifier: MIT
// The nodes: what asks views for their children, widgets, layouts and commits, and counts that.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
public protocol Node: AnyObject {
    func layout() -> ViewLayoutResult
    func commit()
    func renew(_ view: Any)
}

/// What nodes did with the views of one type.
public struct NodeTruth: Sendable {
    public init() {}

    public var live = 0
    public var updates = 0
    public var layouts = 0
    public var commits = 0
}

@MainActor public var nodeTruth: [String: NodeTruth] = [:]

/// How long texts take when they are laid out next; once.
@MainActor public var layoutTimes: [String: Duration] = [:]

@MainActor
func takeTime(toLayOut text: String) {
    guard let time = layoutTimes.removeValue(forKey: text) else { return }
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {}
}

@MainActor
public final class ViewGraphNode<NodeView: View, Host: Platform>: Node {
    private let host: Host
    private let name = "\(NodeView.self)"
    private var view: NodeView
    private let children: any ViewGraphNodeChildren
    private let widget: Host.Widget
    private var latest: ViewLayoutResult?
    private var isUpdating = true

    public init(for view: NodeView, _ host: Host) {
        self.view = view
        self.host = host
        children = view.children(
            backend: host, name: "root", hints: ["a", "b"], environment: EnvironmentValues())
        widget = view.asWidget(backend: host, depth: 7, children: children)
        nodeTruth[name, default: NodeTruth()].live += 1
        nodeTruth[name, default: NodeTruth()].updates += 1
        for property in Mirror(reflecting: view).children {
            guard let state = property.value as? any AnyState else { continue }
            state.onChange { [weak self] in self?.update() }
        }
    }

    isolated deinit { nodeTruth[name, default: NodeTruth()].live -= 1 }

    private func update() {
        _ = layout()
        commit()
    }

    public func renew(_ view: Any) {
        guard let new = view as? NodeView else { fatalError("a view of another type") }
        for (old, new) in zip(Mirror(reflecting: self.view).children, Mirror(reflecting: new).children) {
            if let old = old.value as? any AnyState, let new = new.value as? any AnyState { new.take(old) }
        }
        self.view = new
    }

    public func layout() -> ViewLayoutResult {
        if !isUpdating { nodeTruth[name, default: NodeTruth()].updates += 1 }
        isUpdating = true
        nodeTruth[name, default: NodeTruth()].layouts += 1
        let result = view.computeLayout(
            backend: host, widget: widget, children: children, environment: EnvironmentValues())
        latest = result
        return result
    }

    public func commit() {
        guard let latest else { return }
        nodeTruth[name, default: NodeTruth()].commits += 1
        view.commit(backend: host, widget: widget, children: children, layout: latest)
        isUpdating = false
    }
}

@MainActor
protocol AnyState {
    func onChange(_ action: @escaping @MainActor () -> Void)
    func take(_ other: any AnyState)
}

@MainActor
final class Box<Boxed> {
    var value: Boxed

    init(_ value: Boxed) { self.value = value }
}

@MainActor
struct StateImpl<Stored: AnyObject> {
    var box: Box<Stored>
}

/// State whose value lies as in July 2026: in an object in a box, which a node hands on.
@MainActor
@propertyWrapper
public struct State<Value>: AnyState {
    @MainActor
    private final class Storage {
        var value: Value
        var action: @MainActor () -> Void = {}

        init(_ value: Value) { self.value = value }
    }

    private let implementation: StateImpl<Storage>

    public init(wrappedValue: Value) { implementation = StateImpl(box: Box(Storage(wrappedValue))) }

    public var wrappedValue: Value {
        get { implementation.box.value.value }
        nonmutating set {
            implementation.box.value.value = newValue
            implementation.box.value.action()
        }
    }

    func onChange(_ action: @escaping @MainActor () -> Void) { implementation.box.value.action = action }

    func take(_ other: any AnyState) {
        if let other = other as? State { implementation.box.value = other.implementation.box.value }
    }
}

public struct TestBackend: Platform {
    public init() {}
    public func makeWidget(_ name: String) -> TestWidget { TestWidget(name) }
}

public final class TestWidget {
    let name: String

    init(_ name: String) { self.name = name }
}
