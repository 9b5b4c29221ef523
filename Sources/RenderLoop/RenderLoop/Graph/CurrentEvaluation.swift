// SPDX-License-Identifier: MIT
// The evaluation that runs, and what it depends on.

import Observation
@_spi(Bridge) package import Rerender

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

// The reads of a body in `@Observable` models, as Observation follows them, and their names while the loop is observed.

/// Follows the reads of one body.
///
/// Observation's public tracking cannot be ended: a body that runs again for another reason leaves a registration
/// behind, which evaluates it once more. `Rerender` knows its steps; only where those do not hold, the public
/// one is used.
@MainActor
struct ReadTracker {
    private var registration: Registration?
    private var named: NamedReads?

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    ///
    /// While the loop is observed, the reason has the name of the written property, as `view` reaches it.
    ///
    /// What is followed from the evaluation before ends only when the new reads are followed: a write by the body itself,
    /// or by another thread meanwhile, invalidates. One case is lost: another thread writes a property between its first
    /// read and the end of the body. Observation has no means for that.
    mutating func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        guard ObservationLayout.isKnown else { return trackPublicly(node, body) }
        let names = node.graph.isObserved ? named ?? NamedReads() : nil
        var list: AccessList?
        let output = AccessList.record(&list) {
            if let names { names.track(node, view, body) } else { body() }
        }
        let isNamed = names != nil
        // The registration keeps the node until it is unmounted, which is cheaper than a weak reference.
        // Where another thread writes, the news before the write could be evaluated before there is a new value.
        let new = list?.register { _ in
            guard MainQueue.isCurrent else { return true }
            if !isNamed { Self.invalidate(node) }
            return false
        } didSet: {
            Self.invalidate(node)
        }
        registration?.cancel()
        registration = new
        if isNamed { named = names } else { named?.end() }
        return output
    }

    /// Ends what is followed.
    mutating func end() {
        registration?.cancel()
        registration = nil
        named?.end()
    }

    private func trackPublicly<Output>(_ node: Node, _ body: () -> Output) -> Output {
        withObservationTracking {
            body()
        } onChange: { [weak node] in
            onMainActor {
                if let node, node.isMounted { node.invalidate(EvaluationReason(.observed)) }
            }
        }
    }

    private nonisolated static func invalidate(_ node: Node) {
        onMainActor { node.invalidate(EvaluationReason(.observed)) }
    }
}

/// Follows the reads of one body as `Rerender` does for its reasons, and names the writes.
@MainActor
final class NamedReads {
    private let names = WriteNames()

    /// Runs the body; the node is invalidated when something that it read is about to change, on any thread.
    func track<View, Output>(_ node: Node, _ view: View, _ body: () -> Output) -> Output {
        names.track(view) { [weak self] write in
            Self.invalidate(node, self, write)
        } _: {
            body()
        }
    }

    private nonisolated static func invalidate(_ node: Node, _ named: NamedReads?, _ write: ObservedWrite) {
        let isEarly = !MainQueue.isCurrent
        onMainActor {
            let reason = EvaluationReason(.observed, named?.names.name(of: write) ?? "")
            // Another thread's write is news when the value is in its place.
            if isEarly { node.note(reason) } else { node.invalidate(reason) }
        }
    }

    /// Ends what is followed.
    func end() { names.end() }
}

// The hook through which tools follow the evaluations of one view, and the record of a node while the loop is observed.

/// Wraps the evaluations of one view: the hook for tools.
///
/// A ``ProbeModifier`` puts a probe around the evaluations of the nearest view with a body below it.
@MainActor
package protocol EvaluationProbe: AnyObject {
    /// Something that the view depends on has changed; called right before the evaluation, once for each reason.
    func willEvaluate(_ node: Node, reason: EvaluationReason)

    /// Evaluates the body, exactly once.
    func evaluate<Content: View>(_ view: Content, at node: Node, _ body: () -> Content.Body) -> Content.Body

    /// The body was evaluated a further time in the same turn.
    func evaluatedAgain(_ node: Node)

    /// A commit followed evaluations of the view; `changed` says whether it changed what the view draws.
    func committed(_ node: Node, changed: Bool)

    /// The view is gone.
    func unmounted(_ node: Node)

    /// The code that runs now, as the writer of a cause that ``willEvaluate(_:reason:)`` tells later.
    func causeWriter() -> CauseWriter?

    /// Runs what the program does about an event: `onAppear` of a view, or a tap on it. The view is the probe's or in it.
    func handling(_ event: HandledEvent, of view: NodeReference, _ body: () -> Void)
}

/// An event as a developer knows it.
package struct HandledEvent {
    /// `tap`, `onAppear`.
    package let kind: String
    /// How it goes on with the view's name: `on`, `of`.
    package let preposition: String
    /// Whether it follows an evaluation, as `onAppear` does, and not input.
    package let isReaction: Bool
}

extension Node {
    /// The probe of the nearest view up from here, itself included, that has one.
    final var nearestProbe: (any EvaluationProbe)? {
        graph.probeOffers > 0 ? chain.lazy.compactMap { $0.record?.probe }.first : nil
    }
}

extension EvaluationProbe {
    /// Nothing by default.
    package func willEvaluate(_ node: Node, reason: EvaluationReason) {}
    /// Nothing by default.
    package func evaluatedAgain(_ node: Node) {}
    /// Nothing by default.
    package func committed(_ node: Node, changed: Bool) {}
    /// Nothing by default.
    package func unmounted(_ node: Node) {}
    /// None by default.
    package func causeWriter() -> CauseWriter? { nil }
    /// The bare body by default.
    package func handling(_ event: HandledEvent, of view: NodeReference, _ body: () -> Void) { body() }
}

/// A view whose body belongs to the views around it: probes go through to the views in it.
protocol ProbePassing {}

/// What a node keeps while the loop is observed.
@MainActor
final class NodeRecord {
    /// Causes since the last evaluation, each once, at most 32, by kind and name.
    private(set) var reasons: [EvaluationReason] = []
    /// How often another reason than those came and was not kept.
    private var left: UInt64 = 0
    /// Wraps the evaluations; nil without a tool.
    var probe: (any EvaluationProbe)?

    /// More are of no use to a reader, and each new one is compared with all.
    private static let reasonLimit = 32

    func add(_ reason: EvaluationReason) {
        guard !reasons.contains(reason) else { return }
        guard reasons.count < Self.reasonLimit else { return left += 1 }
        // Sorted, because an object calls its subscribers in an order that differs from run to run.
        reasons.insert(reason, at: reasons.firstIndex { reason.isBefore($0) } ?? reasons.endIndex)
    }

    /// What a source is called here. Weak: another one may come to be where one that is gone was.
    struct Name {
        weak var source: DependencySource?
        var name: String
    }

    private(set) var names: [Name] = []

    func setName(_ name: String, of source: DependencySource) {
        if let index = names.firstIndex(where: { $0.source === source }) {
            names[index].name = name
        } else {
            names.removeAll { $0.source == nil }
            names.append(Name(source: source, name: name))
        }
    }

    func name(of source: DependencySource) -> String? {
        names.first { $0.source === source }?.name
    }

    /// The reasons; one without a name is left out where another of its kind has one, and an object where a property of it
    /// is there. How many were not kept is the last.
    func takeReasons() -> [EvaluationReason] {
        var taken = reasons.filter { reason in
            let prefix = reason.name.isEmpty ? "" : reason.name + "."
            guard reason.name.isEmpty || reason.kind == .object else { return true }
            return !reasons.contains {
                $0.kind == reason.kind && $0.name.count > prefix.count && $0.name.hasPrefix(prefix)
            }
        }
        if left > 0 { taken.append(EvaluationReason(.further, "+\(left)")) }
        left = 0
        reasons.removeAll(keepingCapacity: true)
        return taken
    }
}

extension Node {
    /// For a node that is brought up to date without evaluating a body: what is kept would be told the next time, too.
    func forgetReasons() { _ = record?.takeReasons() }
}
