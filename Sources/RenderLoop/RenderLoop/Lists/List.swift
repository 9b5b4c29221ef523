// SPDX-License-Identifier: MIT
// A list that makes only the rows that can be seen, and the layout of these rows.

/// Rows from top to bottom, of which only those are made that can be seen.
///
/// A ``ForEach`` in it stands for one row for each element, also inside of a `Group` or a branch, and with modifiers, which
/// apply to each row. A view with a body is one row, also where that has several statements. A row that is scrolled out
/// of sight disappears, and its state with it; when it comes back, it is a new view. A row that stays in sight keeps
/// its identity wherever its element moves.
///
/// The list is as large as it is proposed to be, and ``idealHeight`` lines high where no height is proposed, as in a
/// `VStack`. It scrolls by whole rows, so that the last row in sight may be seen in part; input is
/// ``InputEvent/Kind/scrolled(_:)``, by so many rows, and a value from 0 (the start) to 1 (the end). Scripts find it by
/// ``View/inputName(_:)``. A change costs as much as the rows in sight, however many there are.
public struct List<Content: View>: PrimitiveView {
    /// The lines that a list takes up where no height is proposed.
    public nonisolated static var idealHeight: Int { 10 }

    let content: Content

    /// Makes a list of views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// A node that makes rows.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        LazyRowsNode(view, in: context)
    }
}

extension List {
    /// Makes a list with a row for each element, with the ids at a key path.
    public init<Data: RandomAccessCollection, ID: Hashable, RowView: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder row: @escaping (Data.Element) -> RowView
    ) where Content == ForEach<Data, ID, RowView> {
        content = ForEach(data, id: id, content: row)
    }

    /// Makes a list with a row for each element.
    public init<Data: RandomAccessCollection, RowView: View>(
        _ data: Data, @ViewBuilder row: @escaping (Data.Element) -> RowView
    ) where Content == ForEach<Data, Data.Element.ID, RowView>, Data.Element: Identifiable {
        content = ForEach(data, content: row)
    }
}

/// The rows of a list that are in sight.
private final class LazyRowsNode<Content: View>: ViewNode<List<Content>>, InputTarget {
    private lazy var layer = Layer(of: self)
    private lazy var window = RowWindow(count: view.content.rows.rowCount)
    private var nodes = RowNodes()
    private var shown = 0..<0

    override var ownLayer: Layer? { layer }

    override func didMount() {
        layer.clipsSublayers = true
        layer.layout = .custom(RowsLayout { [weak self] in self?.measured($0, in: $1) })
        reconcile(updating: true)
    }

    override func viewDidChange(from old: List<Content>) {
        recount()
        reconcile(updating: true)
    }

    /// There may be other rows.
    private func recount() {
        let content = view.content.rows
        var heights: [RowKey: Int] = [:]
        for (index, row) in nodes.rows.enumerated() { heights[row.key] = window.height(at: index) }
        var next = window
        next.setCount(content.rowCount) { heights[content.row(at: $0).key] }
        if next.count != window.count || next.rows != window.rows {
            window = next
            graph.layers.layout.insert(layer)
        }
    }

    override func evaluate() { reconcile(updating: false) }

    /// The window has moved.
    private func move(_ name: String) { invalidate(EvaluationReason(.graph, name)) }

    override func forEachChild(_ body: (Node) -> Void) {
        for row in nodes.rows { body(row.node) }
    }

    func receive(_ event: InputEvent) -> Bool {
        switch event.kind {
        case .scrolled(let lines): window.scroll(by: lines)
        case .value(let fraction) where !fraction.isNaN:
            window.scroll(to: Int((min(max(fraction, 0), 1) * Double(max(0, window.count - 1))).rounded()))
        default: return false
        }
        if window.rows != shown { move("scrolled") }
        return true
    }

    /// The rows in sight were laid out.
    private func measured(_ heights: [Int], in space: Int) {
        // Otherwise others are about to be made.
        guard shown == window.rows else { return }
        if window.measured(heights, in: space) { move("rows") }
    }

    /// Makes and takes away rows, so that those in the window are there.
    private func reconcile(updating: Bool) {
        isQueued = false
        forgetReasons()
        shown = window.rows
        let content = view.content.rows
        let wanted = content.rows(at: shown.clamped(to: 0..<content.rowCount))
        guard nodes.reconcile(wanted, in: contentContext, updating: updating) else { return }
        graph.layers.layout.sublayersChanged(of: layer)
        preferencesDidMove()
    }
}

/// Lays rows out from top to bottom, and tells how high they are.
final class RowsLayout: CustomLayerLayout {
    private let measured: @MainActor (_ heights: [Int], _ space: Int) -> Void

    init(_ measured: @escaping @MainActor ([Int], Int) -> Void) { self.measured = measured }

    override func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize {
        let rows = layer.sublayers.map { $0.measure(ProposedSize(width: proposal.width, height: nil)).width }
        return CellSize(
            width: proposal.width ?? rows.max() ?? 0, height: proposal.height ?? List<EmptyView>.idealHeight)
    }

    override func place(_ layer: Layer) {
        var y = 0
        var heights: [Int] = []
        for row in layer.sublayers {
            let size = row.measure(row.proposal)
            row.place(at: CellPoint(x: 0, y: y), size: size)
            y += max(1, size.height)
            heights.append(size.height)
        }
        measured(heights, layer.frame.size.height)
    }
}

// Which rows of a list are there: the pure part of lazy lists.

/// The part of a list's rows that is made: those that can be seen, the last of them perhaps in part.
///
/// How high a row is is known only once it is made, so that the window is found in steps: a row to begin with, then as
/// many as would fill the space if they were as high as the highest so far.
struct RowWindow {
    private(set) var count: Int
    /// The row at the top.
    private(set) var first = 0
    /// How many rows are made from there on.
    private(set) var made: Int
    /// The row that is wanted at the top; nil once it is there, or the end is.
    private var goal: Int?
    /// How high the made rows are, as far as it is known.
    private var heights: [Int] = []
    private var space = 0
    /// What was found not to fit in before a row at the top.
    private var tooHigh: (before: Int, height: Int)?

    init(count: Int) {
        self.count = count
        made = min(1, count)
    }

    var rows: Range<Int> { first..<first + made }

    /// How high a made row is, counted from the first; a line while that is not known.
    func height(at index: Int) -> Int { heights.indices.contains(index) ? heights[index] : 1 }

    /// There may be other rows; what is at the top stays there as far as there are enough. They are to be measured.
    ///
    /// The window takes in all rows that are there already and may stay in sight: what is outside of it for one step is
    /// made anew. `known` is asked for the height of no more rows than there are lines; nil for one that is not there.
    mutating func setCount(_ count: Int, known: (Int) -> Int?) {
        self.count = count
        heights = []
        tooHigh = nil
        let top = min(first, max(0, count - 1))
        first = firstKept(before: top, known)
        // Should those from there on be higher than thought, the end is not to be lost.
        goal = first < top ? top : nil
        made = goal == nil ? min(max(made, 1), count - first) : count - first
        if made < min(count - first, space) { made = max(made, endOfKept(known) - first) }
    }

    /// The first row that is there and stays in sight with all that follow it; the top if there is none before.
    private func firstKept(before top: Int, _ known: (Int) -> Int?) -> Int {
        guard count - top < space else { return top }
        var kept = top
        var filled = 0
        for row in (0..<count).reversed() {
            let height = known(row)
            filled += height ?? 1
            if filled > space { break }
            if height != nil { kept = min(kept, row) }
        }
        return kept
    }

    /// The end of the rows that are there and may be in sight below the top.
    private func endOfKept(_ known: (Int) -> Int?) -> Int {
        var end = first
        var filled = 0
        for row in first..<min(count, first + space) where filled < space {
            let height = known(row)
            if height != nil { end = row + 1 }
            filled += height ?? 1
        }
        return end
    }

    /// Scrolls by so many rows, as far as there are any.
    mutating func scroll(by rows: Int) { scroll(to: first + min(max(rows, -count), count)) }

    /// Scrolls so that a row is at the top, or the last one is seen whole. Rows that stay in sight stay made.
    mutating func scroll(to row: Int) {
        let row = min(max(row, 0), max(0, count - 1))
        if row > first {
            goal = row
            advance()
        } else if row < first {
            goal = nil
            first = row
            heights = []
        }
    }

    /// The made rows are so high; whether others have to be made or taken away to fill the space and no more.
    mutating func measured(_ heights: [Int], in space: Int) -> Bool {
        let old = rows
        // A row without anything in it is a line, too: or all rows would be in sight.
        self.heights = heights.map { max(1, $0) }
        self.space = space
        if goal != nil, first + made == count { advance() }
        fill()
        if rows == old, goal != nil { advance() }
        return rows != old
    }

    private mutating func fill() {
        var filled = 0
        for (index, height) in heights.enumerated() {
            if index > 0, filled >= space {
                heights.removeSubrange(index...)
                made = index
                return
            }
            filled += height
        }
        let left = space - filled
        guard left > 0, let highest = heights.max() else { return }
        let after = count - first - made
        if after > 0 {
            made += min((left + highest - 1) / highest, after)
        } else {
            // The end is reached: rows before the top fill what is left, as far as they fit in whole.
            if let tooHigh, tooHigh.before == first, left < tooHigh.height { return }
            let before = min(left / highest, first)
            guard before > 0 else { return }
            // Should they be higher than thought, the end is not to be lost.
            goal = first
            first -= before
            made += before
        }
    }

    /// Goes on towards the goal, as far as what is known shows where the end is.
    private mutating func advance() {
        guard let goal, goal > first else { return self.goal = nil }
        let missing = count - first - made
        guard missing == 0 else { return drop(min(goal - first, missing)) }
        guard heights.count == made else { return }
        var filled = heights.reduce(0, +)
        var dropped = 0
        while filled > space, first + dropped < goal {
            filled -= heights[dropped]
            dropped += 1
        }
        if dropped > 0 { tooHigh = (first + dropped, heights[dropped - 1]) }
        drop(dropped)
        self.goal = nil
    }

    /// Takes rows away at the top; those that follow stay, and one is always made.
    private mutating func drop(_ rows: Int) {
        first += rows
        made = max(made - rows, 1)
        heights.removeFirst(min(rows, heights.count))
    }
}
