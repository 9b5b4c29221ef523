// SPDX-License-Identifier: MIT
// A directed graph of names, with its cycles.

/// Which names lead to which others, each with its reasons.
struct Graph {
    /// For each edge, what causes it, for people.
    private(set) var reasons: [String: [String: Set<String>]] = [:]
    private(set) var nodes: Set<String>

    init(nodes: some Sequence<String> = []) { self.nodes = Set(nodes) }

    mutating func add(_ from: String, _ to: String, because reason: String) {
        nodes.formUnion([from, to])
        reasons[from, default: [:]][to, default: []].insert(reason)
    }

    func targets(of node: String) -> [String] { (reasons[node] ?? [:]).keys.sorted() }

    /// Everything that `node` leads to, directly or by others.
    func reachable(from node: String) -> Set<String> {
        var found: Set<String> = []
        var pending = targets(of: node)
        while let next = pending.popLast() {
            if found.insert(next).inserted { pending += targets(of: next) }
        }
        return found
    }

    /// Sets of nodes that all lead to each other.
    var cycles: [[String]] {
        let ahead = Dictionary(uniqueKeysWithValues: nodes.map { ($0, reachable(from: $0)) })
        func leads(_ from: String, _ to: String) -> Bool { ahead[from]?.contains(to) ?? false }
        var cycles: Set<[String]> = []
        for node in nodes where leads(node, node) {
            cycles.insert(nodes.filter { leads(node, $0) && leads($0, node) }.sorted())
        }
        return cycles.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// A cycle's edges, each with up to four of its reasons.
    func explain(_ cycle: [String]) -> String {
        let edges = cycle.flatMap { from in
            targets(of: from).filter(cycle.contains).map { to in
                let reasons = (reasons[from]?[to] ?? []).sorted().prefix(4).joined(separator: ", ")
                return "    \(display(from)) → \(display(to)): \(reasons)"
            }
        }
        return (["in a cycle: \(cycle.map(display).joined(separator: ", "))"] + edges).joined(separator: "\n")
    }

    private func display(_ node: String) -> String { node.isEmpty ? "(root)" : node }
}
