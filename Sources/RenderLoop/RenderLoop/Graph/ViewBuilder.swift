// SPDX-License-Identifier: MIT
// The result builder of bodies.

/// Builds one view of the statements of a body.
@MainActor
@resultBuilder
public enum ViewBuilder: StructureBuilder {
    /// One statement.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

/// A result builder of views: several statements are a tuple, branches have identities of their own. What one statement
/// is, is the builder's.
@MainActor
public protocol StructureBuilder {}

extension StructureBuilder {
    /// No statement.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view is itself.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// Several views are a tuple.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content>
    {
        TupleView(repeat each content)
    }

    /// An `if` without an `else`.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    /// The branch that holds.
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent(.first(first))
    }

    /// The other branch.
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent(.second(second))
    }

    /// An `if #available`.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}
