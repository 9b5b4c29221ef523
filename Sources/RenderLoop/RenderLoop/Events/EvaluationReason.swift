// SPDX-License-Identifier: MIT
// Why a body is evaluated.

import Rerender

/// Why a body is evaluated.
public struct EvaluationReason: Hashable, Sendable, CustomStringConvertible {
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
    /// The code that changed it, where a probe asks for that. Beside the reason and no part of what is compared: a text that
    /// changes by five keys in a turn has one reason.
    var writer: CauseWriter?

    /// Names a reason.
    public init(_ kind: Kind, _ name: String = "") {
        self.kind = kind
        self.name = name
    }

    /// Whether kind, name and handler are equal.
    public static func == (lhs: EvaluationReason, rhs: EvaluationReason) -> Bool {
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

extension EvaluationReason {
    /// Whether the program's own code changed it, at the moment when the view is invalidated.
    var isOfProgram: Bool { kind == .state || kind == .object }

    func isBefore(_ other: EvaluationReason) -> Bool {
        (kind.rawValue, name, handler?.kind ?? "", handler?.view.id ?? 0)
            < (other.kind.rawValue, other.name, other.handler?.kind ?? "", other.handler?.view.id ?? 0)
    }
}
