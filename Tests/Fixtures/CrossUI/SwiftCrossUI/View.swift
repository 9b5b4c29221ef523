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
    #if IS_SECOND
        var _asMenuItems: [String] { get }
    #endif
}

#if IS_SECOND
    /// As in July 2026: a backend conforms to many protocols, and each method gets their tables.
    public typealias AppBackend = BackendFeatures.ScrollContainers & BackendFeatures.SelectableListViews
        & BackendFeatures.SplitViews & BackendFeatures.TextViews & BackendFeatures.Images & BackendFeatures.Buttons
        & BackendFeatures.ToggleButtons & BackendFeatures.Switches & BackendFeatures.Checkboxes
        & BackendFeatures.Sliders & BackendFeatures.TextFields & BackendFeatures.SecureFields
        & BackendFeatures.TextEditors & BackendFeatures.Pickers & BackendFeatures.ProgressSpinners
        & BackendFeatures.ProgressBars

    public enum BackendFeatures {
        @MainActor public protocol Widgets: Sendable {
            associatedtype Widget
            func makeWidget(_ name: String) -> Widget
        }
        @MainActor public protocol CoreWindowing: Widgets { associatedtype Window }
        @MainActor public protocol Core: Widgets, CoreWindowing {}
        @MainActor public protocol ScrollContainers: Core {}
        @MainActor public protocol SelectableListViews: Core {}
        @MainActor public protocol SplitViews: Core {}
        @MainActor public protocol TextViews: Core {}
        @MainActor public protocol Images: Core {}
        @MainActor public protocol Buttons: Core {}
        @MainActor public protocol ToggleButtons: Core {}
        @MainActor public protocol Switches: Core {}
        @MainActor public protocol Checkboxes: Core {}
        @MainActor public protocol Sliders: Core {}
        @MainActor public protocol TextFields: Core {}
        @MainActor public protocol SecureFields: Core {}
        @MainActor public protocol TextEditors: TextViews {}
        @MainActor public protocol Pickers: Core {}
        @MainActor public protocol ProgressSpinners: Core {}
        @MainActor public protocol ProgressBars: Core {}
    }

    extension View {
        public var _asMenuItems: [String] { body._asMenuItems }
    }
#else
    @MainActor
    public protocol AppBackend: Sendable {
        associatedtype Window
        associatedtype Widget
        func makeWidget(_ name: String) -> Widget
    }
#endif

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
    public var colour = 0

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
