// SPDX-License-Identifier: MIT
// A framework that is called RenderLoop, and is another one.

/// A view, with other requirements than that of the package's RenderLoop has.
public protocol View {
    /// What the body is.
    associatedtype Body
    /// The content.
    var body: Body { get }
    /// Another requirement.
    func isDifferent(from other: Self) -> Bool
}

/// What has the name of the other's, and another shape.
@propertyWrapper
public struct State<Value> {
    /// The value.
    public var wrappedValue: Value
    /// Makes one.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A body, asked for through the protocol.
@inline(never) public func draw<Shown: View>(_ view: Shown) -> Shown.Body { view.body }
