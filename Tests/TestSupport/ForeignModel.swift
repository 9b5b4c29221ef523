// SPDX-License-Identifier: MIT
// A model of another module than the tests'.

public import Observation

@Observable open class ForeignModel {
    public var level = 0
    public init() {}
}

@Observable public final class ForeignBox<Value> {
    public var content: Value
    public init(_ content: Value) { self.content = content }
}

@available(*, unavailable)
extension ForeignModel: Sendable {}
@available(*, unavailable)
extension ForeignBox: Sendable {}
