// SPDX-License-Identifier: MIT
// The nodes: what asks views for their children, widgets, layouts and commits, and counts that.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
public protocol Node: AnyObject {
    func layout(_ size: ProposedViewSize, _ environment: EnvironmentValues) -> ViewLayoutResult
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
public final class ViewGraphNode<NodeView: View, Backend: AppBackend>: Node {
    private let backend: Backend
    private let name: String
    private var view: NodeView
    private let children: any ViewGraphNodeChildren
    public let widget: Backend.Widget
    private var environment: EnvironmentValues
    private var latest: ViewLayoutResult?
    private var size = ProposedViewSize(80, 25)
    private var isUpdating = true

    public init(for view: NodeView, backend: Backend, environment: EnvironmentValues) {
        self.view = view
        self.backend = backend
        self.environment = environment
        name = String("\(NodeView.self)".prefix { $0 != "<" })
        ViewGraphNode.give(environment, to: view)
        children = view.children(backend: backend, snapshots: nil, environment: environment)
        widget = view.asWidget(children, backend: backend)
        nodeTruth[name, default: NodeTruth()].live += 1
        nodeTruth[name, default: NodeTruth()].updates += 1
        for property in Mirror(reflecting: view).children {
            guard let state = property.value as? any AnyState else { continue }
            state.onChange { [weak self] in
                if let self { Updates.ask(ObjectIdentifier(self)) { [weak self] in self?.update() } }
            }
        }
    }

    private static func give(_ environment: EnvironmentValues, to view: NodeView) {
        for property in Mirror(reflecting: view).children {
            (property.value as? any AnyEnvironment)?.take(environment)
        }
    }

    isolated deinit { nodeTruth[name, default: NodeTruth()].live -= 1 }

    private func update() {
        _ = layout(size, environment)
        commit()
    }

    public func renew(_ view: Any) {
        guard let new = view as? NodeView else { fatalError("a view of another type") }
        for (old, new) in zip(Mirror(reflecting: self.view).children, Mirror(reflecting: new).children) {
            if let old = old.value as? any AnyState, let new = new.value as? any AnyState { new.take(old) }
        }
        self.view = new
    }

    public func layout(_ size: ProposedViewSize, _ environment: EnvironmentValues) -> ViewLayoutResult {
        self.environment = environment
        self.size = size
        if !isUpdating { nodeTruth[name, default: NodeTruth()].updates += 1 }
        isUpdating = true
        nodeTruth[name, default: NodeTruth()].layouts += 1
        ViewGraphNode.give(environment, to: view)
        let result = view.computeLayout(
            widget, children: children, proposedSize: size, environment: environment, backend: backend)
        latest = result
        return result
    }

    public func commit() {
        guard let latest else { return }
        nodeTruth[name, default: NodeTruth()].commits += 1
        view.commit(widget, children: children, layout: latest, environment: environment, backend: backend)
        isUpdating = false
    }
}

/// A backend whose widgets are objects, or, with `IS_VALUES`, are not.
public struct TestBackend: AppBackend {
    public typealias Window = Int
    #if IS_VALUES
        public typealias Widget = String
        public func makeWidget(_ name: String) -> String { name }
    #else
        public typealias Widget = TestWidget
        public func makeWidget(_ name: String) -> TestWidget { TestWidget(name) }
    #endif
    public init() {}
}

public final class TestWidget {
    let name: String

    init(_ name: String) { self.name = name }
}
