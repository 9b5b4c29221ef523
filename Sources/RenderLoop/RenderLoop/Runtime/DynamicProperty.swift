// SPDX-License-Identifier: MIT
// Stored properties of a view that are updated before each evaluation.

/// A stored property of a view that is updated before each evaluation.
///
/// A struct of others, such as one with `@State` in it, conforms without further code. The view's inputs are equal where
/// the parts of the property are.
@MainActor
public protocol DynamicProperty {
    /// Called before each evaluation of the view, after the properties in it.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}
