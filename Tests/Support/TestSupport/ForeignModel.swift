// SPDX-License-Identifier: MIT
// A model of another module than the tests'.

public import Observation

/// A model with one property.
@Observable open class ForeignModel {
    /// Anything.
    public var level = 0
    /// At level 0.
    public init() {}
}

/// A generic one.
@Observable public final class ForeignBox<Value> {
    /// Anything.
    public var content: Value
    /// With this content.
    public init(_ content: Value) { self.content = content }
}

@available(*, unavailable)
extension ForeignModel: Sendable {}
@available(*, unavailable)
extension ForeignBox: Sendable {}
