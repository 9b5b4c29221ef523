// SPDX-License-Identifier: MIT
// The targets and folders of this package as text, for docs/architecture.md.

import Foundation

/// The block of docs/architecture.md that this test writes.
enum FolderDocument {
    static let begin = "<!-- folder graph: begin -->"
    static let end = "<!-- folder graph: end -->"

    /// The targets as a diagram, then the folders of each target.
    static func block(_ targets: [SourceTarget]) -> String {
        ([diagram(targets)] + targets.compactMap(section)).joined(separator: "\n\n")
    }

    /// Puts `block` between the marks; nil where a mark is missing.
    static func replacing(_ block: String, in document: String) -> String? {
        guard let start = document.range(of: begin), let stop = document.range(of: end),
            start.upperBound <= stop.lowerBound
        else { return nil }
        return "\(document[..<start.upperBound])\n\(block)\n\(document[stop.lowerBound...])"
    }

    private static func diagram(_ targets: [SourceTarget]) -> String {
        let graph = Rules.targetGraph(targets)
        let groups = Dictionary(grouping: targets, by: \.group).sorted { $0.key < $1.key }
        let boxes = groups.flatMap { group, targets in
            ["    subgraph \(group)"] + targets.map { "        \($0.name)" } + ["    end"]
        }
        let arrows = graph.nodes.sorted().flatMap { from in
            direct(from, in: graph).map { "    \(from) --> \($0)" }
        }
        return (["```mermaid", "graph TD"] + boxes + arrows + ["```"]).joined(separator: "\n")
    }

    /// Arrows that no longer path stands for, so that the diagram can be read.
    private static func direct(_ node: String, in graph: Graph) -> [String] {
        let targets = graph.targets(of: node)
        return targets.filter { target in
            !targets.contains { $0 != target && graph.reachable(from: $0).contains(target) }
        }
    }

    private static func section(_ target: SourceTarget) -> String? {
        let lines = Rules.folderGraph(target).layers
        guard lines.count > 1 else { return nil }
        return (["**\(target.place)**", "", "```text"] + lines + ["```"]).joined(separator: "\n")
    }
}
