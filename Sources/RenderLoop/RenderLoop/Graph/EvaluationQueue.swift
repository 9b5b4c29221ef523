// SPDX-License-Identifier: MIT
// The work that waits in a turn, in its order: evaluations, and the handlers that run after them.

/// Nodes in the order of evaluation: parents before children, and among those of one depth the older first.
///
/// The order is the same in every run, whatever the order in which the nodes came. What comes while the queue is being
/// emptied takes its place in the order.
@MainActor
struct EvaluationQueue {
    private struct Entry {
        let key: UInt64
        let node: Node

        init(_ node: Node) {
            // A tree is at most `Node.depthLimit` deep, and 2^48 nodes take years to make.
            key = UInt64(node.depth) << 48 | node.serial
            self.node = node
        }
    }

    private var waiting: [Entry] = []
    private var isSorted = true
    private var next = 0
    /// A heap of what came since the sort.
    private var late: [Entry] = []
    private var isOpen = false

    var isEmpty: Bool { next == waiting.count && late.isEmpty }

    mutating func insert(_ node: Node) {
        let entry = Entry(node)
        if isOpen { return pushLate(entry) }
        if let last = waiting.last, last.key > entry.key { isSorted = false }
        waiting.append(entry)
    }

    /// Sorts what waits, before the first is taken out.
    mutating func begin() {
        if !isSorted { waiting.sort { $0.key < $1.key } }
        isSorted = true
        isOpen = true
    }

    /// What waits, in order, as of ``begin()``.
    var nodes: [Node] { waiting.map(\.node) }

    /// Takes the next node out; nil when none is left.
    mutating func pop() -> Node? {
        guard next < waiting.count else { return popLate() ?? end() }
        if let first = late.first, first.key < waiting[next].key { return popLate() }
        next += 1
        return waiting[next - 1].node
    }

    private mutating func end() -> Node? {
        waiting.removeAll(keepingCapacity: true)
        next = 0
        isOpen = false
        return nil
    }

    private mutating func pushLate(_ entry: Entry) {
        late.append(entry)
        var index = late.count - 1
        while index > 0, late[(index - 1) / 2].key > late[index].key {
            late.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func popLate() -> Node? {
        guard let first = late.first else { return nil }
        let last = late.removeLast()
        guard !late.isEmpty else { return first.node }
        late[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < late.count && late[child].key < late[least].key {
                least = child
            }
            guard least != index else { return first.node }
            late.swapAt(index, least)
            index = least
        }
    }
}

/// A reaction to an evaluation: runs in the handlers phase, at most twice a turn.
///
/// A node that reacts owns one for each reaction and schedules it while it is mounted, updated, laid out or unmounted.
@MainActor
final class Handler {
    /// How events name it.
    let reference: HandlerReference
    private weak let graph: ViewGraph?
    /// The node that owns it, and schedules it for as long as it is there.
    private unowned let node: Node
    private var turn: UInt64 = 0
    private var left: Int8 = 0
    private var hasWarned = false

    /// How many runs a handler has in a turn. SwiftUI's own limit.
    private static let runsPerTurn: Int8 = 2

    /// Makes a handler of a node; the kind is what a developer knows it by, such as `onAppear`.
    init(_ kind: String, of node: Node) {
        // The view that a reader knows is the one whose body has the modifier.
        reference = HandlerReference(kind: kind, view: (node.author ?? node).reference)
        graph = node.graph
        self.node = node
    }

    /// Has the action run in the handlers phase of this turn, after those that were scheduled before.
    ///
    /// What the action changes on the screen is the doing of `causes`, or of the node that gave this one its values.
    func schedule(causes: [Node]? = nil, _ action: @escaping @MainActor () -> Void) {
        guard let graph else { return }
        var found: [Node] = []
        if graph.probeOffers > 0 { found = causes ?? node.holder.map { [$0] } ?? [] }
        // Now, because the node may be gone when the action runs.
        guard let probe = (node.author ?? node).nearestProbe else { return graph.schedule(self, causes: found, action) }
        let event = HandledEvent(kind: reference.kind, preposition: "of", isReaction: true)
        graph.schedule(self, causes: found) { [reference] in probe.handling(event, of: reference.view, action) }
    }

    /// Whether it may run; warns if not, once.
    func admit(in turn: UInt64) -> Bool {
        if self.turn != turn {
            self.turn = turn
            left = Self.runsPerTurn
        }
        left -= 1
        if left >= 0 { return true }
        if !hasWarned { graph?.warn(.updatedMultipleTimesPerFrame(reference)) }
        hasWarned = true
        return false
    }
}
