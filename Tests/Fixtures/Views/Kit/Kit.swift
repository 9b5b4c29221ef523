// SPDX-License-Identifier: MIT
// A little UI framework in a shared library: knows nothing of Rerender.

public protocol View {
    associatedtype Body: View
    var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("has no body") }
}

/// What a framework draws itself.
public protocol Primitive: View where Body == Never {
    func render() -> String
}

extension Primitive {
    public var body: Never { fatalError("has no body") }
}

public struct Text: Primitive {
    let text: String
    public init(_ text: String) { self.text = text }
    public func render() -> String { text }
}

public struct Stack<each Content: View>: Primitive {
    let content: (repeat each Content)
    public init(_ content: repeat each Content) { self.content = (repeat each content) }
    public func render() -> String {
        var parts: [String] = []
        for view in repeat each content { parts.append(Kit.render(view)) }
        return "(" + parts.joined(separator: " ") + ")"
    }
}

/// A view whose type is not known.
public struct Erased: Primitive {
    let view: any View
    public init(_ view: any View) { self.view = view }
    public func render() -> String { Kit.render(view) }
}

@inline(never)
public func render<Content: View>(_ view: Content) -> String {
    if let primitive = view as? any Primitive { return primitive.render() }
    return render(view.body)
}
