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
///
/// Beyond ``TraceLimits/causes`` different ways, an evaluation counts for the view that it ran in.
package struct FoldedFormat {
    private struct Node {
        let parent: Int
        let text: TextID
        var nanoseconds: UInt64 = 0
    }

    private var output: TraceOutput
    private var nodes: [Node] = []
    private var index = WordIndex()

    init(_ output: TraceOutput) { self.output = output }

    /// Reads a recording once and writes it to `output`, at the end. Throws what ``TraceReader`` and `output` throw.
    package static func write(
        path: String, process: TraceProcesses? = nil, to output: TraceOutput, progress: ((TraceProgress) -> Void)? = nil
    ) throws {
        _ = try TraceInterpreter.read(path: path, process: process, progress) { _ in FoldedFormat(output) }
    }

    private func way(to index: Int, _ texts: TraceTexts) -> FoldedStack {
        let places = sequence(first: index) { nodes[$0].parent < 0 ? nil : nodes[$0].parent }
        return places.map { FoldedStack(texts[nodes[$0].text]) }.reversed().joined(separator: ";")
    }

    private mutating func node(_ text: TextID, in parent: Int) -> Int {
        let word = UInt64(parent + 2) << 32 | UInt64(text.index)
        let limit = parent < 0 ? .max : TraceLimits.causes
        return index.place(of: word, in: &nodes, limit: limit, Node(parent: parent, text: text)) ?? parent
    }
}

extension FoldedFormat: InterpretationConsumer {
    mutating func mark(_ began: EvaluationBegan, in enclosing: OpenEvaluation?, processName: TextID) -> Int? {
        node(began.name, in: enclosing?.mark ?? node(processName, in: -1))
    }

    mutating func close(_ evaluation: ClosedEvaluation) {
        let place =
            evaluation.opened?.mark ?? node(evaluation.end.name, in: node(evaluation.processName, in: -1))
        nodes[place].nanoseconds &+= evaluation.selfNanoseconds
    }

    mutating func finish(_ state: TraceState) throws {
        for index in nodes.indices where nodes[index].nanoseconds > 0 {
            output.string(way(to: index, state.texts).text)
            output.text(" ")
            output.number(nodes[index].nanoseconds)
            output.text("\n")
            try output.flushIfFull()
        }
        try output.flush()
    }
}
