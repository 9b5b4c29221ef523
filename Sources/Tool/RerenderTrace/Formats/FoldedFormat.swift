// SPDX-License-Identifier: MIT
// Folded stacks, from which flame graphs are drawn.

internal import CShared
internal import RerenderModel

/// The names of a stack, outermost first; a text is one name.
private typealias FoldedStack = EscapedText<FoldedSyntax>

/// How folded stacks write a name.
enum FoldedSyntax: TextSyntax {
    /// A semicolon would part a name in two, and a name of nothing would be no name.
    static func escaped(_ name: String.UnicodeScalarView) -> String.UnicodeScalarView {
        let shown = Printable.text(String(name)).unicodeScalars
        return shown.isEmpty ? "\"\"".unicodeScalars : String.UnicodeScalarView(shown.map { $0 == ";" ? "," : $0 })
    }
}

/// Writes one line for each way of views in views: `process;Outer;Inner 1234`, the nanoseconds in the last one's own body.
/// Processes of one name have their numbers behind it: `process[4711]`.
///
/// Beyond ``TraceLimits/causes`` different ways, an evaluation counts for the view that it ran in.
package struct FoldedFormat {
    private struct Node {
        let parent: Int
        /// The process of a root, or else 0.
        var pid: Int32 = 0
        /// The view's key; empty for a root.
        var text = TextID.empty
        var nanoseconds: UInt64 = 0
    }

    private var output: TraceOutput
    /// What processes are called by who recorded them: a thread's name is cut after 15 bytes.
    private let names: [Int32: String]
    private var nodes: [Node] = []
    private var index = WordIndex()
    /// The process of the latest event.
    private var pid: Int32 = 0

    init(_ output: TraceOutput, names: [Int32: String] = [:]) { (self.output, self.names) = (output, names) }

    /// Reads a recording once and writes it to `output`, at the end. `names` are those of processes by their numbers, as far as they are
    /// known. Throws what ``TraceReader`` and `output` throw.
    package static func write(
        path: String, process: TraceProcesses? = nil, window: TraceWindow? = nil, names: [Int32: String] = [:],
        to output: TraceOutput, progress: ((TraceProgress) -> Void)? = nil
    ) throws {
        _ = try TraceInterpreter.read(path: path, process: process, window: window, progress) { _ in
            FoldedFormat(output, names: names)
        }
    }

    private func way(to index: Int, _ names: [Int32: String], _ texts: TraceTexts) -> FoldedStack {
        let places = sequence(first: index) { nodes[$0].parent < 0 ? nil : nodes[$0].parent }
        let parts = places.map { place in
            let node = nodes[place]
            return FoldedStack(node.parent < 0 ? names[node.pid] ?? "" : texts[node.text])
        }
        return parts.reversed().joined(separator: ";")
    }

    /// What processes are called: as their first thread, and with the number where several are called so.
    private func processNames(_ state: TraceState) -> [Int32: String] {
        let pids = nodes.filter { $0.parent < 0 }.map(\.pid)
        let named = pids.map { pid in
            let known = state.known.process(pid: pid).map { state.texts[state.known.processes[$0].name] }
            return (pid, names[pid] ?? known ?? "")
        }
        let counts = Dictionary(named.map { ($0.1, 1) }, uniquingKeysWith: +)
        return Dictionary(named.map { ($0.0, counts[$0.1] == 1 ? $0.1 : "\($0.1)[\($0.0)]") }) { first, _ in first }
    }

    private mutating func node(_ text: TextID, in parent: Int) -> Int {
        let word = UInt64(parent + 2) << 32 | UInt64(text.index)
        let node = Node(parent: parent, text: text)
        return index.place(of: word, in: &nodes, limit: TraceLimits.causes, node) ?? parent
    }

    private mutating func root(of pid: Int32) -> Int {
        // No parent has the number 1 in these words.
        let word = 1 << 32 | UInt64(UInt32(bitPattern: pid))
        return index.place(of: word, in: &nodes, limit: .max, Node(parent: -1, pid: pid)) ?? 0
    }
}

extension FoldedFormat: InterpretationConsumer {
    mutating func take(_ event: borrowing TraceEvent) { pid = event.pid }

    mutating func mark(_ began: EvaluationBegan, in enclosing: OpenEvaluation?, processName: TextID) -> Int? {
        node(began.name, in: enclosing?.mark ?? root(of: pid))
    }

    mutating func close(_ evaluation: ClosedEvaluation) {
        let place = evaluation.opened?.mark ?? node(evaluation.end.name, in: root(of: evaluation.thread.pid))
        nodes[place].nanoseconds &+= evaluation.selfNanoseconds
    }

    mutating func finish(_ state: TraceState) throws {
        let called = processNames(state)
        for index in nodes.indices where nodes[index].nanoseconds > 0 {
            output.string(way(to: index, called, state.texts).text)
            output.text(" ")
            output.number(nodes[index].nanoseconds)
            output.text("\n")
            try output.flushIfFull()
        }
        try output.flush()
    }
}
