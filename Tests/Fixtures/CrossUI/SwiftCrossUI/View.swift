// SPDX-License-Identifier: MIT
// A framework with the requirements of SwiftCrossUI's views and with its order of calls, and with nothing else of it.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
public protocol View {
    associatedtype Content: View
    @ViewBuilder var body: Content { get }
    func children<Backend: AppBackend>(
        backend: Backend, snapshots: [ViewGraphSnapshotter.NodeSnapshot]?, environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren
    func layoutableChildren<Backend: AppBackend>(
        backend: Backend, children: any ViewGraphNodeChildren
    ) -> [LayoutSystem.LayoutableChild]
    func asWidget<Backend: AppBackend>(_ children: any ViewGraphNodeChildren, backend: Backend) -> Backend.Widget
    func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult
    func commit<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult,
        environment: EnvironmentValues, backend: Backend)
}

@MainActor
public protocol AppBackend: Sendable {
    associatedtype Window
    associatedtype Widget
    func makeWidget(_ name: String) -> Widget
}

public enum ViewGraphSnapshotter {
    public struct NodeSnapshot {}
}

public struct ProposedViewSize: Hashable, Sendable {
    public var width: Double?
    public var height: Double?

    public init(_ width: Double?, _ height: Double?) { (self.width, self.height) = (width, height) }
}

/// As large as the real one is: too large for registers.
public struct EnvironmentValues {
    public var scale = 1.5
    public var spacing = 10
    public var names = ["a", "b"]
    public var onResize: (Double) -> Void = { _ in }
    public var depth = 0

    public init() {}
}

public struct ViewLayoutResult: Equatable {
    public var width: Double
    public var height: Double
    public var hidden = false
    public var preferences: [String] = []
    public var depth = 0
}

@MainActor
public protocol ViewGraphNodeChildren {
    var nodes: [any Node] { get }
}

public struct NodeList: ViewGraphNodeChildren {
    public let nodes: [any Node]
}

public enum LayoutSystem {
    public struct LayoutableChild {
        let node: any Node
    }
}

extension View {
    public func children<Backend: AppBackend>(
        backend: Backend, snapshots: [ViewGraphSnapshotter.NodeSnapshot]?, environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        body.children(backend: backend, snapshots: snapshots, environment: environment)
    }

    public func layoutableChildren<Backend: AppBackend>(
        backend: Backend, children: any ViewGraphNodeChildren
    ) -> [LayoutSystem.LayoutableChild] {
        body.layoutableChildren(backend: backend, children: children)
    }

    public func asWidget<Backend: AppBackend>(
        _ children: any ViewGraphNodeChildren, backend: Backend
    ) -> Backend.Widget {
        VStack(content: body).asWidget(children, backend: backend)
    }

    public func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult {
        VStack(content: body).computeLayout(
            widget, children: children, proposedSize: proposedSize, environment: environment, backend: backend)
    }

    public func commit<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult,
        environment: EnvironmentValues, backend: Backend
    ) {
        VStack(content: body).commit(
            widget, children: children, layout: layout, environment: environment, backend: backend)
    }
}
