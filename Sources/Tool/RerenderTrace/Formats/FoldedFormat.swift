// SPDX-License-Identifier: MIT
// Folded stacks, from which flame graphs are drawn.

internal import RerenderModel

/// Writes one line for each way of views in views: `process;Outer;Inner 1234`, the nanoseconds in the last one's own body.
///
/// What has no room under ``TraceLimits/causes`` counts for the view that it ran in.
package struct FoldedFormat: TraceConsumer {
    private struct Node {
        let parent: Int
        let text: TextID
        var nanoseconds: UInt64 = 0
    }

    private var output: TraceOutput
    private var open = OpenEvaluations()
    private var nodes: [Node] = []
    private var index = WordIndex()

    /// Writes to `output`, at the end.
    package init(_ output: TraceOutput) { self.output = output }

    package mutating func consume(_ events: Span<TraceEvent>, _ texts: TraceTexts) throws {
        for index in events.indices {
            let event = events[index]
            switch event.what {
            case .evaluationBegan(let began):
                let root = node(event.processName, in: -1)
                var stacks = OpenEvaluations()
                swap(&stacks, &open)
                stacks.begin(began, pid: event.pid, tid: event.tid, at: event.nanoseconds) { enclosing in
                    node(began.view, in: enclosing?.mark ?? root)
                }
                swap(&stacks, &open)
            case .evaluationEnded(let ended):
                let opened = open.end(ended, pid: event.pid, tid: event.tid)
                let place = opened?.mark ?? node(ended.view, in: node(event.processName, in: -1))
                let inner = opened?.innerNanoseconds ?? 0
                nodes[place].nanoseconds &+= ended.bodyNanoseconds > inner ? ended.bodyNanoseconds - inner : 0
            default: break
            }
        }
    }

    package mutating func finish(_ texts: TraceTexts) throws {
        for index in nodes.indices where nodes[index].nanoseconds > 0 {
            output.string(way(to: index, texts))
            output.text(" ")
            output.number(nodes[index].nanoseconds)
            output.text("\n")
            try output.flushIfFull()
        }
        try output.flush()
    }

    private func way(to index: Int, _ texts: TraceTexts) -> String {
        var names: [String] = []
        var place = index
        while place >= 0 {
            // A semicolon would part a name in two.
            names.append(Printable.text(texts[nodes[place].text]).split(separator: ";").joined(separator: ","))
            place = nodes[place].parent
        }
        return names.reversed().joined(separator: ";")
    }

    private mutating func node(_ text: TextID, in parent: Int) -> Int {
        let word = UInt64(parent + 2) << 32 | UInt64(text.index)
        if let known = index[word] { return Int(known) }
        guard nodes.count < TraceLimits.causes || parent < 0 else { return parent }
        nodes.append(Node(parent: parent, text: text))
        index.set(word, UInt32(nodes.count - 1))
        return nodes.count - 1
    }
}

@available(*, unavailable)
extension FoldedFormat: Sendable {}
