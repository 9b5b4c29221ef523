// SPDX-License-Identifier: MIT
// A SwiftCrossUI that there never was: other requirements in another order, with other arguments, and the same calls of them.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
public protocol Rooted: Sendable {
    associatedtype Widget
    func makeWidget(_ name: String) -> Widget
}

@MainActor public protocol Scaled: Rooted {}
@MainActor public protocol Platform: Scaled {}

@MainActor
public protocol View {
    associatedtype Content: View
    static var kind: String { get }
    var title: String { get }
    func commit<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult)
    func computeLayout<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, environment: EnvironmentValues
    ) -> ViewLayoutResult
    func prefetch<Host: Platform>(backend: Host) -> Int
    func asWidget<Host: Platform>(
        backend: Host, depth: Int, children: any ViewGraphNodeChildren
    ) -> Host.Widget
    func children<Host: Platform>(
        backend: Host, name: String, hints: [String], environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren
    var body: Content { get }
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

public struct ViewLayoutResult {
    public var width: Double
    public var height: Double
    public var preferences: [String] = []
    public var isHidden = false
    public var depth = 0
}

@MainActor
public protocol ViewGraphNodeChildren {
    var nodes: [any Node] { get }
}

public struct NodeList: ViewGraphNodeChildren {
    public let nodes: [any Node]
}

extension View {
    public static var kind: String { "view" }
    public var title: String { "\(Self.self)" }

    public func prefetch<Host: Platform>(backend: Host) -> Int { 0 }

    public func children<Host: Platform>(
        backend: Host, name: String, hints: [String], environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        precondition(name == "root" && hints.count == 2 && environment.spacing == 10, "an argument did not arrive")
        return body.children(backend: backend, name: name, hints: hints, environment: environment)
    }

    public func asWidget<Host: Platform>(
        backend: Host, depth: Int, children: any ViewGraphNodeChildren
    ) -> Host.Widget {
        precondition(depth == 7, "an argument did not arrive")
        return backend.makeWidget("\(Self.self)")
    }

    public func computeLayout<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, environment: EnvironmentValues
    ) -> ViewLayoutResult {
        body.computeLayout(backend: backend, widget: widget, children: children, environment: environment)
    }

    public func commit<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult
    ) {
        body.commit(backend: backend, widget: widget, children: children, layout: layout)
    }
}

extension Never: View {
    public typealias Content = Never
    public var body: Never { return fatalError("there is no such value") }
}

public struct Text: View {
    public typealias Content = Never
    let text: String

    public init(_ text: String) { self.text = text }
    public var body: Never { return fatalError("a text has no body") }

    public func children<Host: Platform>(
        backend: Host, name: String, hints: [String], environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        NodeList(nodes: [])
    }

    public func computeLayout<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, environment: EnvironmentValues
    ) -> ViewLayoutResult {
        takeTime(toLayOut: text)
        return ViewLayoutResult(width: Double(text.count), height: 1)
    }

    public func commit<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult
    ) {}
}

public struct Pair<First: View, Second: View>: View {
    public typealias Content = Never
    let first: First
    let second: Second

    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
    public var body: Never { return fatalError("a pair has no body") }

    public func children<Host: Platform>(
        backend: Host, name: String, hints: [String], environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        NodeList(nodes: [ViewGraphNode(for: first, backend), ViewGraphNode(for: second, backend)])
    }

    public func computeLayout<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, environment: EnvironmentValues
    ) -> ViewLayoutResult {
        children.nodes[0].renew(first)
        children.nodes[1].renew(second)
        var result = ViewLayoutResult(width: 80, height: 0)
        for node in children.nodes { result.height += node.layout().height }
        return result
    }

    public func commit<Host: Platform>(
        backend: Host, widget: Host.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult
    ) {
        for node in children.nodes { node.commit() }
    }
}
