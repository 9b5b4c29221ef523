// SPDX-License-Identifier: MIT
// How events name nodes and handlers.

/// Names a node in events: its number, and its view's type.
public struct NodeReference: Hashable, Sendable, CustomStringConvertible {
    /// Unique in the loop, in the order of appearance.
    public let id: UInt64
    /// The view's type, without its generic arguments.
    public let name: String

    /// `ItemRow#12`.
    public var description: String { "\(name)#\(id)" }
}

/// Names a handler in events: its kind and its view.
public struct HandlerReference: Hashable, Sendable, CustomStringConvertible {
    /// `onAppear`, `onChange(of: Int)`.
    public let kind: String
    /// The view that has it.
    public let view: NodeReference

    /// `onAppear of Article#3`.
    public var description: String { "\(kind) of \(view)" }
}
