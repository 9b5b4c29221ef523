// SPDX-License-Identifier: MIT
// The evaluation that runs, and what it depends on.

/// Which node's body is being evaluated.
@MainActor
enum CurrentEvaluation {
    private(set) static var current: Node?
    /// How many of the current node's dependencies from before are read again, in the same order.
    private static var confirmed = 0
    /// What was read last.
    private static var latest: DependencySource?

    /// Runs what a node evaluates; it depends on what that reads, and on nothing else from before.
    static func run<Result>(_ node: Node, _ body: () -> Result) -> Result {
        let outer = (current, confirmed)
        (current, confirmed, latest) = (node, 0, nil)
        defer {
            node.endDependencies(from: confirmed)
            (current, confirmed) = outer
        }
        return body()
    }

    /// Says that a body must not write.
    static func warnOfWrite() {
        guard let current else { return }
        current.graph.warn(.modifiedDuringEvaluation(current.reference))
    }

    /// Calls something, and returns what that read last; nil if it read nothing, whatever was read before.
    static func latestRead(in body: () -> Void) -> DependencySource? {
        latest = nil
        body()
        return latest
    }

    /// The body that runs reads `source`: when that changes, its node is invalidated.
    static func read(_ source: DependencySource) {
        guard let current else { return }
        latest = source
        if current.graph.probeOffers > 0 { current.graph.drawingCauses.noteRead(of: source, by: current) }
        confirmed = current.depend(on: source, confirmed: confirmed)
    }
}

/// Something that invalidates the nodes that read it.
///
/// The readers are kept in slots, so that one leaves without a search.
@MainActor
class DependencySource {
    private var readers: [Node?] = []
    private var free: [Int] = []

    fileprivate func add(_ node: Node) -> Int {
        if let slot = free.popLast() {
            readers[slot] = node
            return slot
        }
        readers.append(node)
        return readers.count - 1
    }

    fileprivate func remove(slot: Int) {
        readers[slot] = nil
        free.append(slot)
    }

    /// Calls with every reader, because of a change. The queue puts them into the tree's order.
    final func forEachReader(_ body: (Node) -> Void) {
        DrawingCauses.noteChange(of: self)
        for case let reader? in readers { body(reader) }
    }
}

/// That a node reads a source.
struct Dependency {
    let source: DependencySource
    let slot: Int
}

extension Node {
    /// Notes a read; the first `confirmed` dependencies were read in this evaluation already.
    fileprivate func depend(on source: DependencySource, confirmed: Int) -> Int {
        for index in dependencies.indices where dependencies[index].source === source {
            guard index >= confirmed else { return confirmed }
            dependencies.swapAt(index, confirmed)
            return confirmed + 1
        }
        dependencies.append(Dependency(source: source, slot: source.add(self)))
        dependencies.swapAt(dependencies.count - 1, confirmed)
        return confirmed + 1
    }

    /// Forgets the dependencies from an index on.
    func endDependencies(from index: Int = 0) {
        while dependencies.count > index {
            let dependency = dependencies.removeLast()
            dependency.source.remove(slot: dependency.slot)
        }
    }

    /// Has the body evaluated again in this turn or the next; any number of calls lead to one evaluation.
    ///
    /// The reason is made only while the loop is observed.
    package final func invalidate(_ reason: @autoclosure () -> EvaluationReason) {
        guard isMounted else { return }
        if graph.probeOffers > 0 { graph.drawingCauses.noteInvalidation(of: self) }
        if graph.isObserved || record != nil {
            var reason = reason()
            reason.handler = graph.runningHandler
            if reason.isOfProgram { reason.writer = record?.probe?.causeWriter() }
            requiredRecord.add(reason)
        }
        guard !isQueued else { return }
        isQueued = true
        graph.enqueue(self)
    }

    /// Notes a reason for the evaluation that is about to be asked for.
    final func note(_ reason: EvaluationReason) {
        if isMounted { requiredRecord.add(reason) }
    }

    /// The record, made if there is none.
    final var requiredRecord: NodeRecord {
        if let record { return record }
        let made = NodeRecord()
        record = made
        return made
    }
}
