// SPDX-License-Identifier: MIT
// Views of the elements of a collection, known by the elements' ids.

/// One view for each element; an element's view keeps its identity wherever the element moves.
///
/// Of several elements with one id each has an identity of its own, by its place among them.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
    let data: Data
    let id: (Data.Element) -> ID
    let content: (Data.Element) -> Content

    /// As many as elements, or more.
    public static var isOneView: Bool { false }

    /// A node with one child for each element.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ForEachNode(view, in: context)
    }
}

extension ForEach {
    /// Views of elements with the ids at a key path.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, id: { $0[keyPath: id] }, content: content)
    }

    /// Views of elements that have an id.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {
        self.init(data: data, id: { $0.id }, content: content)
    }
}

extension ForEach where Data == Range<Int>, ID == Int {
    /// Views of the numbers of a range.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, id: { $0 }, content: content)
    }
}

/// The view of one element: what its closure reads invalidates this element alone.
struct ForEachElement<Element, Content: View>: View, ProbePassing {
    let element: Element
    let content: (Element) -> Content

    var body: Content { content(element) }
}

/// The children of a `ForEach`, found by their ids.
final class ForEachNode<Data: RandomAccessCollection, ID: Hashable, Content: View>:
    ViewNode<ForEach<Data, ID, Content>>
{
    private typealias ElementView = ForEachElement<Data.Element, Content>

    private struct Key: Hashable {
        let id: ID
        var repetition = 0
    }

    private var keys: [Key] = []
    private var children: [ViewNode<ElementView>] = []

    override func didMount() { reconcile() }

    override func viewDidChange(from old: ForEach<Data, ID, Content>) { reconcile() }

    override func forEachChild(_ body: (Node) -> Void) {
        for child in children { body(child) }
    }

    private func reconcile() {
        let oldKeys = keys
        let data = view.data
        let newKeys = makeKeys(data)
        if oldKeys == newKeys {
            for (child, element) in zip(children, data) { child.update(to: row(element)) }
            return
        }
        var known: [Key: ViewNode<ElementView>] = [:]
        known.reserveCapacity(oldKeys.count)
        for (key, child) in zip(oldKeys, children) { known[key] = child }
        let inside = contentContext
        keys = newKeys
        children = zip(newKeys, data).map { key, element in
            guard let child = known.removeValue(forKey: key) else { return inside.make(row(element)) }
            child.update(to: row(element))
            return child
        }
        known.unmountAll(inOrder: oldKeys)
        layersDidChange()
        preferencesDidMove()
    }

    private func row(_ element: Data.Element) -> ElementView { ForEachElement(element: element, content: view.content) }

    private func makeKeys(_ data: Data) -> [Key] {
        var made: [Key] = []
        var seen: [ID: Int] = [:]
        made.reserveCapacity(data.count)
        seen.reserveCapacity(data.count)
        for element in data {
            let id = view.id(element)
            let repetition = seen[id, default: 0]
            seen[id] = repetition + 1
            made.append(Key(id: id, repetition: repetition))
        }
        return made
    }
}

extension Dictionary where Value: Node {
    /// Takes the nodes away that no element has any more: in the order of their keys, which is the same in every run,
    /// unlike the dictionary's.
    @MainActor
    mutating func unmountAll(inOrder keys: [Key]) {
        for key in keys { removeValue(forKey: key)?.unmount() }
        // Ids that do not equal themselves, such as NaN, find no node.
        for node in values.sorted(by: { $0.serial < $1.serial }) { node.unmount() }
        removeAll()
    }
}

// A view that says itself whether it has changed.

/// A view that is updated only where `==` says that its value is another one.
///
/// Without it, the parts of a view that are trivially copied are compared by their bytes, whatever `==` says.
public struct EquatableView<Content: View & Equatable>: PrimitiveView {
    /// The view that is compared.
    public var content: Content

    /// Compares a view.
    public init(content: Content) { self.content = content }

    /// Whether the content is one.
    public static var isOneView: Bool { Content.isOneView }

    /// A node that keeps equal values from the content.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        EquatableNode(view, in: context) { $0.content }
    }

    private final class EquatableNode: WrapperNode<EquatableView, Content> {
        override func viewDidChange(from old: EquatableView) {
            if old.content != view.content { super.viewDidChange(from: old) }
        }
    }
}

extension View where Self: Equatable {
    /// Updates the view only where `==` says that its value is another one.
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
