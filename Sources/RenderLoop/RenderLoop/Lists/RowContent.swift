// SPDX-License-Identifier: MIT
// Views as rows, counted and made one by one without evaluating the others, and the nodes of the rows that are made.

/// Where a row comes from: its place in the structure, and its element's id. Equal keys are of one type of view.
struct RowKey: Hashable {
    private(set) var path: [Int]
    let id: AnyHashable?
    /// Counts rows on the screen with one id.
    var repetition = 0

    /// A row whose place is further in.
    func within(_ place: Int) -> RowKey {
        var key = self
        key.path.insert(place, at: 0)
        return key
    }
}

/// One row, not yet made.
@MainActor
struct Row {
    var key: RowKey
    private let content: any View

    /// Makes the row's node.
    func make(in context: NodeContext) -> Node {
        func make<Content: View>(_ content: Content) -> Node { context.make(ListRow(content: content)) }
        return make(content)
    }

    /// Puts the row's view into the node that was made for an equal key.
    func update(_ node: Node) {
        func update<Content: View>(_ content: Content) { node.update(to: ListRow(content: content)) }
        update(content)
    }

    /// The same row with its view modified.
    func modified<Modifier: ViewModifier>(by modifier: Modifier) -> Row {
        func modified<Content: View>(_ content: Content) -> Row { Row(key: key, content: content.modifier(modifier)) }
        return modified(content)
    }

    /// A row that is no longer there: elements of a collection of references can go before anything tells of it.
    static var missing: Row { Row(EmptyView()) }

    func within(_ place: Int) -> Row {
        var row = self
        row.key = key.within(place)
        return row
    }
}

extension Row {
    init(_ content: some View, id: AnyHashable? = nil) { self.init(key: RowKey(path: [], id: id), content: content) }
}

/// A view that stands for any number of rows; all others are one.
@MainActor
protocol RowContent {
    /// Known without making any.
    var rowCount: Int { get }
    /// The row at an index below the count.
    func row(at index: Int) -> Row
}

extension View {
    var rows: any RowContent {
        // Boxed, because casting an optional would look at what is in it.
        let own = OwnRows(content: self)
        return own as? any RowContent ?? SingleRow(content: self)
    }
}

private struct OwnRows<Content: View> {
    let content: Content
}

extension OwnRows: RowContent where Content: RowContent {
    var rowCount: Int { content.rowCount }
    func row(at index: Int) -> Row { content.row(at: index) }
}

private struct SingleRow<Content: View>: RowContent {
    let content: Content
    var rowCount: Int { 1 }
    func row(at index: Int) -> Row { Row(content) }
}

extension EmptyView: RowContent {
    var rowCount: Int { 0 }
    func row(at index: Int) -> Row { Row(self) }
}

extension Group: RowContent {
    var rowCount: Int { content.rows.rowCount }
    func row(at index: Int) -> Row { content.rows.row(at: index) }
}

/// A modifier applies to each row.
extension ModifiedContent: RowContent {
    var rowCount: Int { content.rows.rowCount }
    func row(at index: Int) -> Row { content.rows.row(at: index).modified(by: modifier) }
}

extension Optional: RowContent where Wrapped: View {
    var rowCount: Int { map { $0.rows.rowCount } ?? 0 }
    func row(at index: Int) -> Row { map { $0.rows.row(at: index) } ?? Row(self) }
}

extension ConditionalContent: RowContent {
    private var rows: (place: Int, any RowContent) {
        switch branch {
        case .first(let view): (0, view.rows)
        case .second(let view): (1, view.rows)
        }
    }

    var rowCount: Int { rows.1.rowCount }

    func row(at index: Int) -> Row {
        let (place, content) = rows
        return content.row(at: index).within(place)
    }
}

extension TupleView: RowContent {
    var rowCount: Int {
        var count = 0
        for element in repeat each content { count += element.rows.rowCount }
        return count
    }

    func row(at index: Int) -> Row {
        var left = index
        var place = 0
        for element in repeat each content {
            let rows = element.rows
            if left < rows.rowCount { return rows.row(at: left).within(place) }
            left -= rows.rowCount
            place += 1
        }
        return .missing
    }
}

extension ForEach: RowContent {
    var rowCount: Int { data.count }

    func row(at index: Int) -> Row {
        guard index < data.count else { return .missing }
        let element = data[data.index(data.startIndex, offsetBy: index)]
        return Row(ForEachElement(element: element, content: content), id: AnyHashable(id(element)))
    }
}

/// A row's layer: its views from top to bottom.
struct ListRow<Content: View>: LayerView {
    let content: Content
    func configure(_ layer: Layer) { layer.layout = .stack(.vertical, spacing: 0, .leading) }
}

/// The nodes of rows, found by their keys.
@MainActor
struct RowNodes {
    private(set) var rows: [(key: RowKey, node: Node)] = []

    /// Makes the wanted rows that are not there, and takes away those that are not wanted; whether there are others then.
    ///
    /// Rows that stay get new values where that is asked for.
    mutating func reconcile(_ wanted: [Row], in context: NodeContext, updating: Bool) -> Bool {
        var left: [RowKey: Node] = [:]
        for (key, node) in rows { left[key] = node }
        let oldKeys = rows.map(\.key)
        rows = wanted.map { row in
            guard let node = left.removeValue(forKey: row.key) else { return (row.key, row.make(in: context)) }
            if updating { row.update(node) }
            return (row.key, node)
        }
        left.unmountAll(inOrder: oldKeys)
        return oldKeys != rows.map(\.key)
    }
}

extension RowContent {
    /// The rows at some places, each with a key of its own.
    func rows(at places: Range<Int>) -> [Row] {
        var seen = Set<RowKey>()
        return places.map { index in
            var row = row(at: index)
            while !seen.insert(row.key).inserted { row.key.repetition += 1 }
            return row
        }
    }
}
