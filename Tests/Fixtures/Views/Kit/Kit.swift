// SPDX-License-Identifier: MIT
// A little UI framework in a shared library: knows nothing of Rerender.

/// A view.
public protocol View {
    /// What the body is.
    associatedtype Body: View
    /// The content.
    var body: Body { get }
}

extension Never: View {
    /// Never asked for.
    public var body: Never { fatalError("has no body") }
}

/// What a framework draws itself.
public protocol Primitive: View where Body == Never {
    /// What it looks like.
    func render() -> String
}

extension Primitive {
    /// Never asked for.
    public var body: Never { fatalError("has no body") }
}

/// A text.
public struct Text: Primitive {
    let text: String
    /// Makes one.
    public init(_ text: String) { self.text = text }
    /// What it looks like.
    public func render() -> String { text }
}

/// Several views.
public struct Stack<each Content: View>: Primitive {
    let content: (repeat each Content)
    /// Makes one.
    public init(_ content: repeat each Content) { self.content = (repeat each content) }
    /// What it looks like.
    public func render() -> String {
        var parts: [String] = []
        for view in repeat each content { parts.append(draw(view)) }
        return "(" + parts.joined(separator: " ") + ")"
    }
}

/// A view whose type is not known.
public struct Erased: Primitive {
    let view: any View
    /// Makes one.
    public init(_ view: any View) { self.view = view }
    /// What it looks like.
    public func render() -> String { draw(view) }
}

/// A view of the framework's own that has a body.
public struct Pair<First: View, Second: View>: View {
    let first: First, second: Second
    /// Makes one.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
    /// Both.
    public var body: some View { Stack(first, second) }
}

/// What a view looks like; its body is evaluated.
@inline(never)
public func draw<Content: View>(_ view: Content) -> String {
    if let primitive = view as? any Primitive { return primitive.render() }
    return draw(view.body)
}
