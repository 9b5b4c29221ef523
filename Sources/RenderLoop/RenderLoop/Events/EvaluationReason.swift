// SPDX-License-Identifier: MIT
// Why a body is evaluated, and what is kept of that for those who observe.

/// Why a body is evaluated.
public struct EvaluationCause: Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing changed.
    public enum Kind: String, Hashable, Sendable {
        /// The view is new.
        case initial
        /// A stored property of the view, given by its parent.
        case input
        /// `@State`, its own or one that it has a binding to.
        case state
        /// A property of an `@Observable` model.
        case observed
        /// An `ObservableObject`.
        case object
        /// The environment.
        case environment
        /// The graph itself, by a primitive: a size, for instance.
        case graph
        /// Others that were not kept, because there were too many; the name says how many were left out.
        case further
    }

    /// What kind of thing changed.
    public let kind: Kind
    /// The property's name where it is known, else empty.
    public let name: String
    /// The handler that ran when it changed, if one did.
    public internal(set) var handler: HandlerReference?
    /// What the user did, if the change came of that: `tap on SaveRow`. Beside the cause and no part of what is compared:
    /// a text that changes by five keys in a turn has one cause.
    public internal(set) var input: String?

    /// Names a cause.
    public init(_ kind: Kind, _ name: String = "") {
        self.kind = kind
        self.name = name
    }

    /// Whether kind, name and handler are equal.
    public static func == (lhs: EvaluationCause, rhs: EvaluationCause) -> Bool {
        lhs.kind == rhs.kind && lhs.name == rhs.name && lhs.handler == rhs.handler
    }

    /// What is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(name)
        hasher.combine(handler)
    }

    /// `state count`.
    public var description: String { name.isEmpty ? kind.rawValue : "\(kind.rawValue) \(name)" }
}

extension EvaluationCause {
    fileprivate func isBefore(_ other: EvaluationCause) -> Bool {
        (kind.rawValue, name, handler?.kind ?? "", handler?.view.id ?? 0)
            < (other.kind.rawValue, other.name, other.handler?.kind ?? "", other.handler?.view.id ?? 0)
    }
}

/// What is kept of a node for those who observe it.
@MainActor
final class NodeRecord {
    /// Causes since the last evaluation, each once, at most 32, by kind and name.
    private(set) var causes: [EvaluationCause] = []
    /// Those of the latest evaluation.
    private(set) var latest: [EvaluationCause] = []
    /// How often another cause than those came and was not kept.
    private var left: UInt64 = 0
    /// Wraps the evaluations, if anyone does.
    var probe: (any EvaluationProbe)?

    /// Nobody reads more, and each is compared with those that are there.
    private static let causeLimit = 32

    func add(_ cause: EvaluationCause) {
        guard !causes.contains(cause) else { return }
        guard causes.count < Self.causeLimit else { return left += 1 }
        // Sorted, because the subscribers of an object are told in an order that differs from run to run.
        causes.insert(cause, at: causes.firstIndex { cause.isBefore($0) } ?? causes.endIndex)
    }

    /// What a source is called here. Weak: another one may come to be where one that is gone was.
    private struct Name {
        weak var source: DependencySource?
        var name: String
    }

    private var names: [Name] = []

    /// How many sources have a name.
    var namedSources: Int { names.count }

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

    /// The causes; one without a name is left out where another of its kind has one. How many were not kept is the last.
    func takeCauses() -> [EvaluationCause] {
        latest = causes.filter { cause in
            !cause.name.isEmpty || !causes.contains { $0.kind == cause.kind && !$0.name.isEmpty }
        }
        if left > 0 { latest.append(EvaluationCause(.further, "+\(left)")) }
        left = 0
        causes.removeAll(keepingCapacity: true)
        return latest
    }
}

extension Node {
    /// For a node that is brought up to date without evaluating a body: what is kept would be told the next time, too.
    func forgetCauses() { _ = record?.takeCauses() }
}

/// Wraps the evaluations of one view: the hook for tools.
///
/// A ``ProbeModifier`` puts a probe around the evaluations of the nearest view with a body below it.
@MainActor
public protocol EvaluationProbe: AnyObject {
    /// Something that the view depends on has changed; called right before the evaluation, once for each cause.
    func willEvaluate(_ node: Node, cause: EvaluationCause)

    /// Evaluates the body, exactly once.
    func evaluate<Content: View>(_ view: Content, at node: Node, _ body: () -> Content.Body) -> Content.Body

    /// The body was evaluated a further time in the same turn, because of `handler` if that is known.
    func evaluatedAgain(_ node: Node, handler: HandlerReference?)

    /// A commit followed evaluations of the view; `changed` says whether it changed what the view draws.
    func committed(_ node: Node, changed: Bool)

    /// The view is gone.
    func unmounted(_ node: Node)
}

extension EvaluationProbe {
    /// Nothing by default.
    public func willEvaluate(_ node: Node, cause: EvaluationCause) {}
    /// Nothing by default.
    public func evaluatedAgain(_ node: Node, handler: HandlerReference?) {}
    /// Nothing by default.
    public func committed(_ node: Node, changed: Bool) {}
    /// Nothing by default.
    public func unmounted(_ node: Node) {}
}
