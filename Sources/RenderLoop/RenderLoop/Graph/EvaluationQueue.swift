// SPDX-License-Identifier: MIT
// What waits for its evaluation, and in which order it comes.

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
