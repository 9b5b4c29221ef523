// SPDX-License-Identifier: MIT
// Tells instances of views apart by the widgets that show them, and the evaluations of one update.

/// What a framework with nodes and widgets does on one thread. It makes a node of a view's children and then of its widget; from
/// then on the widget stands for the node, in each layout and commit.
///
/// A view without a node of its own is part of the node that it is shown in. A pure state machine: it is told what begins and ends.
struct ViewNodes: ~Copyable {
    struct View: Hashable {
        /// Of which the table has one row.
        let record: ObjectIdentifier
        /// The metadata of its type: of a generic view, there are several.
        let type: UInt
    }

    /// Which instance an evaluation is of, and whether it is a further one of the instance's update.
    struct Evaluation: Equatable {
        var instance: UInt64
        var isPass: Bool
        /// The view around its node; nil for none that is counted.
        var parent: Shown?
        /// The view whose new size led to the layout under way; nil where a parent's evaluation did, and where that is not known.
        var asker: Shown?
    }

    /// An instance of a view.
    struct Shown: Equatable {
        let record: ObjectIdentifier
        let instance: UInt64
    }

    /// What the framework does with a node.
    enum Phase {
        case children, widget, layout, commit
    }

    /// Nodes without a widget, at most: a framework that makes more of them is not understood.
    static let mostPending = 10_000
    /// Deeper than views are nested where each has a frame on the stack.
    static let mostFrames = 10_000

    /// The instances that one widget shows.
    private final class Node {
        /// An instance of one view, and what is known of its update.
        struct Entry {
            let view: View
            let instance: UInt64
            /// Whether an evaluation of the update that has not been committed yet was seen.
            var isUpdating = false
            /// The turn of the main loop of that evaluation; 0 if it is not known.
            var turn: UInt64 = 0
        }

        var views: [Entry] = []
        /// In whose layout it was laid out last.
        weak var around: Node?
    }

    /// A node that was laid out by itself and not committed: its size is another one, so the framework lays out the node around it, by
    /// itself too, and so on outwards.
    private struct Asker {
        /// The view whose update that began with.
        let shown: Shown
        /// The turn of the main loop of that; 0 if it is not known.
        let turn: UInt64
        /// The node that is laid out next.
        let next: Node
    }

    private struct Frame {
        let phase: Phase
        let node: Node
        /// The view whose requirement it is; nil if that is not counted.
        let record: ObjectIdentifier?
        /// How many nodes waited for their widget when it began.
        let pending: Int
        /// Where its call is on the stack, which grows down; 0 where that is not known.
        let place: UInt
    }

    /// A node whose widget does not exist yet.
    private struct Pending {
        let node: Node
        /// How many frames were around the one in which its children were made.
        let depth: Int
    }

    private var frames: [Frame] = []
    /// Where the current call is on the stack; 0 if the caller does not know. A jump has left the frames that are not above it.
    var place: UInt = 0 {
        didSet { while place != 0, let last = frames.last, last.place < place { leave(last) } }
    }
    private var pending: [Pending] = []
    private var nodes: [UInt: Node] = [:]
    private var lastInstance: UInt64 = 0
    /// Set while nothing is under way.
    private var asker: Asker?
    /// Whose new size led to what is under way.
    private var asking: Asker?

    /// How many widgets are known.
    var widgets: Int { nodes.count }

    /// Whether nothing is under way.
    var isIdle: Bool { frames.isEmpty }

    // MARK: What begins and ends

    /// The children of a node are made: before its widget.
    mutating func beginChildren(of record: ObjectIdentifier?) {
        let node = Node()
        pending.append(Pending(node: node, depth: frames.count))
        begin(.children, node, record)
    }

    mutating func beginWidget(of record: ObjectIdentifier?) { begin(.widget, nodeForWidget(), record) }

    /// A node's layout is computed, or committed.
    ///
    /// - Parameter widget: The address of the node's widget.
    mutating func begin(_ phase: Phase, of widget: UInt, _ record: ObjectIdentifier?) {
        begin(phase, node(of: widget), record)
    }

    /// What began last has ended.
    ///
    /// - Parameter widget: The widget that was made; nil if none was.
    /// - Returns: The instances that are no more: their widget's memory is that of another one now.
    mutating func end(widget: UInt? = nil) -> [Shown] {
        guard let frame = frames.popLast() else { return [] }
        let isOutermost = frames.last?.node !== frame.node
        // Nodes that were made meanwhile and got no widget are parts of this one, which children keep until their widget is made.
        if frame.phase != .children, pending.count > frame.pending { absorb(from: frame.pending, into: frame.node) }
        guard isOutermost else { return [] }
        if frame.phase == .layout, frames.isEmpty { asker = nextAsker(behind: frame) }
        if frame.phase == .commit {
            for index in frame.node.views.indices { frame.node.views[index].isUpdating = false }
        }
        guard frame.phase == .widget, let widget else { return [] }
        let old = nodes.updateValue(frame.node, forKey: widget)
        return old === frame.node ? [] : Self.ended(old)
    }

    /// Which instance of a view is evaluated now; nil outside of any node.
    ///
    /// - Parameter turn: The number of the main loop's turn; 0 if it is not known. An update does not outlast its turn.
    mutating func evaluation(of view: View, turn: UInt64) -> Evaluation? {
        guard let node = frames.last?.node else { return nil }
        guard let index = node.views.firstIndex(where: { $0.view == view }) else {
            lastInstance += 1
            node.views.append(Node.Entry(view: view, instance: lastInstance, isUpdating: true, turn: turn))
            return Evaluation(instance: lastInstance, isPass: false, parent: parent(of: view.record))
        }
        let shown = node.views[index]
        let isOfTurn = shown.turn == turn || shown.turn == 0 || turn == 0
        let isPass = shown.isUpdating && isOfTurn
        if !isPass {
            node.views[index].isUpdating = true
            node.views[index].turn = turn
        }
        if isPass { return Evaluation(instance: shown.instance, isPass: true) }
        let parent = parent(of: view.record)
        let own = Shown(record: view.record, instance: shown.instance)
        let asker = parent == nil && asking?.shown != own ? asking : nil
        let isAskedInTurn = asker.map { $0.turn == turn || $0.turn == 0 || turn == 0 } ?? false
        return Evaluation(
            instance: shown.instance, isPass: false, parent: parent, asker: isAskedInTurn ? asker?.shown : nil)
    }

    /// Who asks for a layout of the node around one that was laid out by itself.
    private func nextAsker(behind frame: Frame) -> Asker? {
        guard let next = frame.node.around else { return nil }
        if let asking { return Asker(shown: asking.shown, turn: asking.turn, next: next) }
        let updated = frame.node.views.filter { $0.view.record == frame.record && $0.isUpdating }
        guard updated.count == 1, let entry = updated.first else { return nil }
        return Asker(
            shown: Shown(record: entry.view.record, instance: entry.instance), turn: entry.turn, next: next)
    }

    /// The instance of a view in the node that is under way; nil if none was evaluated, and if there are several.
    func instance(of record: ObjectIdentifier) -> UInt64? {
        let shown = frames.last?.node.views.filter { $0.view.record == record } ?? []
        return shown.count == 1 ? shown.first?.instance : nil
    }

    /// The innermost view around one that is evaluated, whose instance is known.
    private func parent(of record: ObjectIdentifier) -> Shown? {
        let own = frames.last?.node
        for frame in frames.reversed() {
            // Its own frames lie around it first. In another node it may be its own parent.
            guard let around = frame.record, around != record || frame.node !== own else { continue }
            let shown = frame.node.views.filter { $0.view.record == around }
            return shown.count == 1 ? shown.first.map { Shown(record: around, instance: $0.instance) } : nil
        }
        return nil
    }

    /// Forgets widgets that are no more.
    mutating func forget(_ widgets: some Sequence<UInt>) -> [Shown] {
        widgets.flatMap { Self.ended(nodes.removeValue(forKey: $0)) }
    }

    private static func ended(_ node: Node?) -> [Shown] {
        node?.views.map { Shown(record: $0.view.record, instance: $0.instance) } ?? []
    }

    /// Forgets what began last, and the nodes that it has made: its call never returned.
    private mutating func leave(_ frame: Frame) {
        frames.removeLast()
        if pending.count > frame.pending { pending.removeSubrange(frame.pending...) }
    }

    // MARK: Which node

    private mutating func begin(_ phase: Phase, _ node: Node, _ record: ObjectIdentifier?) {
        while place != 0, let last = frames.last, last.place == place { leave(last) }
        if frames.count >= Self.mostFrames || pending.count >= Self.mostPending {
            // Whatever it was, it is not what is known here.
            frames = []
            pending = []
        }
        if let around = frames.last?.node {
            if phase == .layout, around !== node { node.around = around }
        } else {
            asking = phase == .layout && asker?.next === node ? asker : nil
            asker = nil
        }
        frames.append(Frame(phase: phase, node: node, record: record, pending: pending.count, place: place))
    }

    /// The node whose children were made right before, beside the frame that begins now; else the one that is under way.
    private mutating func nodeForWidget() -> Node {
        let first = frames.last?.pending ?? 0
        guard let index = pending[first...].lastIndex(where: { $0.depth == frames.count }) else {
            return frames.last?.node ?? Node()
        }
        let node = pending[index].node
        absorb(from: index + 1, into: node)
        pending.removeLast()
        return node
    }

    private mutating func node(of widget: UInt) -> Node {
        // A part of a node may have a widget inside of the node's.
        if let node = nodes[widget] ?? frames.last?.node { return node }
        let node = Node()
        nodes[widget] = node
        return node
    }

    /// Makes nodes that have no widget of their own parts of another.
    private mutating func absorb(from index: Int, into node: Node) {
        for part in pending[index...] where part.node !== node {
            for shown in part.node.views where !node.views.contains(where: { $0.view == shown.view }) {
                node.views.append(shown)
            }
        }
        pending.removeSubrange(index...)
    }
}
