// SPDX-License-Identifier: MIT
// The framework's own views.
// What these mean is another project's to say.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor
@resultBuilder
public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<First: View>(_ first: First) -> TupleView1<First> { TupleView1(first: first) }
    public static func buildBlock<First: View, Second: View>(
        _ first: First, _ second: Second
    ) -> TupleView2<First, Second> {
        TupleView2(first: first, second: second)
    }
}

/// A view that makes its children, layouts and commits itself.
@MainActor
protocol OwnView: View {
    func makeNodes<Backend: AppBackend>(_ backend: Backend, _ environment: EnvironmentValues) -> [any Node]
    func update(_ nodes: [any Node])
}

extension OwnView {
    public var body: Never { return fatalError("\(Self.self) has no body") }

    public func children<Backend: AppBackend>(
        backend: Backend, snapshots: [ViewGraphSnapshotter.NodeSnapshot]?, environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        NodeList(nodes: makeNodes(backend, environment))
    }

    public func layoutableChildren<Backend: AppBackend>(
        backend: Backend, children: any ViewGraphNodeChildren
    ) -> [LayoutSystem.LayoutableChild] {
        update(children.nodes)
        return children.nodes.map { LayoutSystem.LayoutableChild(node: $0) }
    }

    public func asWidget<Backend: AppBackend>(
        _ children: any ViewGraphNodeChildren, backend: Backend
    ) -> Backend.Widget {
        backend.makeWidget("\(Self.self)")
    }

    public func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult {
        update(children.nodes)
        return Layout.stack(children.nodes, proposedSize, environment)
    }

    public func commit<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult,
        environment: EnvironmentValues, backend: Backend
    ) {
        for node in children.nodes { node.commit() }
    }
}

enum Layout {
    @MainActor
    static func stack(
        _ nodes: [any Node], _ size: ProposedViewSize, _ environment: EnvironmentValues
    ) -> ViewLayoutResult {
        precondition(environment.spacing == 10 && environment.scale == 1.5, "an argument did not arrive")
        var inner = environment
        inner.depth += 1
        var result = ViewLayoutResult(width: size.width ?? 0, height: 0, depth: environment.depth)
        for node in nodes {
            // As stacks do: the smallest size first, then what is left.
            _ = node.layout(ProposedViewSize(0, size.height), inner)
            let layout = node.layout(ProposedViewSize(size.width, nil), inner)
            precondition(layout.depth == inner.depth, "a result did not arrive")
            result.height += layout.height
        }
        return result
    }
}

extension Never: View {
    public typealias Content = Never
    public var body: Never { return fatalError("there is no such value") }
}

public struct EmptyView: OwnView {
    public typealias Content = Never
    public init() {}
    func makeNodes<Backend: AppBackend>(_ backend: Backend, _ environment: EnvironmentValues) -> [any Node] { [] }
    func update(_ nodes: [any Node]) {}
}

public struct Text: OwnView {
    public typealias Content = Never
    let text: String

    public init(_ text: String) { self.text = text }
    func makeNodes<Backend: AppBackend>(_ backend: Backend, _ environment: EnvironmentValues) -> [any Node] { [] }
    func update(_ nodes: [any Node]) {}

    public func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult {
        takeTime(toLayOut: text)
        return ViewLayoutResult(width: Double(text.count), height: 1, depth: environment.depth)
    }
}

public struct TupleView1<First: View>: OwnView {
    public typealias Content = Never
    let first: First

    func makeNodes<Backend: AppBackend>(_ backend: Backend, _ environment: EnvironmentValues) -> [any Node] {
        [ViewGraphNode(for: first, backend: backend, environment: environment)]
    }

    func update(_ nodes: [any Node]) { nodes[0].renew(first) }
}

public struct TupleView2<First: View, Second: View>: OwnView {
    public typealias Content = Never
    let first: First
    let second: Second

    func makeNodes<Backend: AppBackend>(_ backend: Backend, _ environment: EnvironmentValues) -> [any Node] {
        [
            ViewGraphNode(for: first, backend: backend, environment: environment),
            ViewGraphNode(for: second, backend: backend, environment: environment),
        ]
    }

    func update(_ nodes: [any Node]) {
        nodes[0].renew(first)
        nodes[1].renew(second)
    }
}

/// Shows as many as there are rows: nodes come and go.
public struct ForEach<Row: View>: OwnView {
    public typealias Content = Never
    let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    public func children<Backend: AppBackend>(
        backend: Backend, snapshots: [ViewGraphSnapshotter.NodeSnapshot]?, environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        RowList(make: { ViewGraphNode(for: $0, backend: backend, environment: environment) }, rows: rows)
    }

    func makeNodes<Backend: AppBackend>(_ backend: Backend, _ environment: EnvironmentValues) -> [any Node] { [] }
    func update(_ nodes: [any Node]) {}

    public func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult {
        if let list = children as? RowList<Row> { list.update(rows) }
        return Layout.stack(children.nodes, proposedSize, environment)
    }

    @MainActor
    private final class RowList<Shown: View>: ViewGraphNodeChildren {
        private let make: (Shown) -> any Node
        private(set) var nodes: [any Node]

        init(make: @escaping (Shown) -> any Node, rows: [Shown]) {
            self.make = make
            nodes = rows.map(make)
        }

        func update(_ rows: [Shown]) {
            for (node, row) in zip(nodes, rows) { node.renew(row) }
            if nodes.count > rows.count { nodes.removeLast(nodes.count - rows.count) }
            while nodes.count < rows.count { nodes.append(make(rows[nodes.count])) }
        }
    }
}

/// Shows its content in its own node: a view in it has none.
public struct Group<Inner: View>: View {
    let content: Inner

    public init(_ content: Inner) { self.content = content }
    public var body: EmptyView { return EmptyView() }

    public func children<Backend: AppBackend>(
        backend: Backend, snapshots: [ViewGraphSnapshotter.NodeSnapshot]?, environment: EnvironmentValues
    ) -> any ViewGraphNodeChildren {
        content.children(backend: backend, snapshots: snapshots, environment: environment)
    }

    public func asWidget<Backend: AppBackend>(
        _ children: any ViewGraphNodeChildren, backend: Backend
    ) -> Backend.Widget {
        content.asWidget(children, backend: backend)
    }

    public func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult {
        content.computeLayout(
            widget, children: children, proposedSize: proposedSize, environment: environment, backend: backend)
    }

    public func commit<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult,
        environment: EnvironmentValues, backend: Backend
    ) {
        content.commit(widget, children: children, layout: layout, environment: environment, backend: backend)
    }
}

public struct VStack<Inner: View>: View {
    let content: Inner

    init(content: Inner) { self.content = content }
    public init(@ViewBuilder _ content: () -> Inner) { self.content = content() }
    public var body: Inner { return content }

    public func asWidget<Backend: AppBackend>(
        _ children: any ViewGraphNodeChildren, backend: Backend
    ) -> Backend.Widget {
        backend.makeWidget("VStack")
    }

    public func computeLayout<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, proposedSize: ProposedViewSize,
        environment: EnvironmentValues, backend: Backend
    ) -> ViewLayoutResult {
        let children = content.layoutableChildren(backend: backend, children: children)
        return Layout.stack(children.map(\.node), proposedSize, environment)
    }

    public func commit<Backend: AppBackend>(
        _ widget: Backend.Widget, children: any ViewGraphNodeChildren, layout: ViewLayoutResult,
        environment: EnvironmentValues, backend: Backend
    ) {
        for node in children.nodes { node.commit() }
    }
}
